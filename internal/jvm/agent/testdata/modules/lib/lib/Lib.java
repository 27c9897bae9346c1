package lib;

public class Lib {
    public static int run() {
        return 1;
    }
}
