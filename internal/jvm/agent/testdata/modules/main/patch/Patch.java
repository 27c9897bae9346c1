package patch;

/** Lies in the patch of the module. */
public class Patch {
    public static int run() {
        return 1;
    }
}
