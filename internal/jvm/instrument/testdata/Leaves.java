/** Has methods that return in many ways. */
public class Leaves {
    Leaves() {}

    static long choose(int n) {
        if (n > 0) {
            return 1;
        }
        return n == 0 ? 2 : 3;
    }

    static String loop(int n) {
        for (int i = 0; ; i++) {
            if (i > 3) {
                return "many";
            }
            switch (n - i) {
                case 0:
                    return "ab".substring(i);
                default:
            }
        }
    }

    static int tries(String s) {
        try {
            return Integer.parseInt(s);
        } catch (NumberFormatException e) {
            return -1;
        } finally {
            nothing(s.isEmpty());
        }
    }

    static void nothing(boolean b) {
        if (b) {
            return;
        }
        synchronized (Leaves.class) {
            b = true;
        }
    }

    static double throwing() {
        throw new IllegalStateException("thrown");
    }

    public static String run() {
        new Leaves();
        String out = choose(1) + " " + choose(0) + " " + loop(9) + " " + loop(0) + " " + tries("7") + " " + tries("x");
        try {
            throwing();
        } catch (IllegalStateException e) {
            return out + " " + e.getMessage();
        }
        return out;
    }
}
