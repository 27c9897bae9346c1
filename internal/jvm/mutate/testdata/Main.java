package p;

/** Every operator finds something here, and what it changes shows in the result of run. */
public class Main extends Base implements Greeter {
    static final int LIMIT = 10;
    static final boolean ON = true;
    static final byte SMALL = 127;
    static final char LETTER = 'z';
    static final long LONG = 1L << 40;
    static final float FLOAT = 1.5f;
    static final double DOUBLE = 2.25;
    static final String TEXT = "text";
    static int counter;
    static final int[] TABLE;

    static {
        TABLE = new int[] {3, 1, 2};
        counter = 100;
    }

    int field = 7;
    double wide = 0.5;

    @Override
    String name() { return "main"; }

    @Override
    public String greet() { return "hi"; }

    @Override
    public String toString() { return name() + field + wide; }

    static void note(long by, int times) { counter += by * times; }

    boolean positive(int x) { return x > 0; }

    static int choose(int x) {
        switch (x) {
            case 1: return 11;
            case 2: return 22;
            case 1000: return 33;
            default: return -1;
        }
    }

    static long mix(long a, long b) { return (a + b) * 3 - (a & b) % 5 - (a << 2) + -b; }

    static double ratio(double a, float b) { return a / b + (a < b ? 1 : 2.5); }

    static int loop() {
        int sum = 0;
        for (int i = 0; i < 300; i++) {
            sum += i ^ 5;
        }
        return sum + 70000;
    }

    static boolean less(double a, double b) { return a < b; }

    static String join(Object... parts) {
        StringBuilder b = new StringBuilder();
        for (Object part : parts) {
            b.append(part).append(' ');
        }
        return b.toString();
    }

    public static String run() throws Exception {
        Main m = new Main();
        note(5L, 2);
        String first = join(m.greet(), m, counter, m.positive(1), m.positive(0), m.positive(-1), choose(1), choose(2), choose(1000), choose(4));
        String numbers = join(mix(9, 5), ratio(1, 2), ratio(2, 2), less(Double.NaN, 2), loop(), TABLE[0] + TABLE[1] * TABLE[2]);
        String inherited = join(new Base().toString() + new Base().name(), new Greeter() {}.greet());
        StringBuilder fields = new StringBuilder();
        for (String name : new String[] {"LIMIT", "ON", "SMALL", "LETTER", "LONG", "FLOAT", "DOUBLE", "TEXT"}) {
            fields.append(Main.class.getDeclaredField(name).get(null)).append(' ');
        }
        Runnable r = () -> fields.append("lambda");
        r.run();
        return first + numbers + inherited + fields;
    }
}

class Base {
    String name() { return "base"; }
    public String toString() { return "Base"; }
}

interface Greeter {
    default String greet() { return "hello"; }
}
