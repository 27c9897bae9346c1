package winnow.lab;

/** What comes before an instruction, so that it does as in the small JVM. */
public final class Guard {
    private Guard() {}

    public static void present(Throwable object) {
        if (object == null) {
            throw new NullPointer();
        }
    }

    public static void cast(Throwable object, boolean fits) {
        if (object != null && !fits) {
            throw new ClassCast();
        }
    }

    public static boolean same(int a, int b) {
        return a == b;
    }

    public static boolean same(Throwable a, Throwable b) {
        return a == b;
    }
}
