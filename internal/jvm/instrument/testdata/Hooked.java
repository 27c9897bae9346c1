/** Has methods with every kind of parameter. */
public class Hooked {
    int got;

    Hooked(String name) {
        got = name.length();
    }

    int mixed(long a, int b, double c, String[] d, boolean[] e) {
        return got + (int) a + b + (int) c + d.length + e.length;
    }

    static int still(Object o) {
        int n = 0;
        while (n < 3) {
            n++;
        }
        return n;
    }

    public String toString() {
        return "receiver";
    }

    public static String run() {
        return new Hooked("four").mixed(1L << 33, 5, 2.5, new String[] {"x", "y"}, new boolean[3]) + " " + still("o");
    }
}
