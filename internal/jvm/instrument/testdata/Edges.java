import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.Serializable;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

// Each class with a run() is one case; the judge compares what it returns before and after rewriting.

/** Uninitialized objects in frames: jumps inside the arguments of constructors. */
class NewAcrossFrames {
    static int seed = 3;

    public static String run() {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < 4; i++) {
            all.append(new StringBuilder(i > seed - 2 ? new String(i == 2 ? "two" : "many") : new String(new char[] {i == 0 ? 'z' : 'o'})).append(i));
        }
        return all.toString();
    }
}

/** A frame at offset 0: the method begins with a loop. */
class LoopFirst {
    static int turns;

    static int loop(int n) {
        do {
            turns++;
            n -= 2;
        } while (n > 0);
        return n;
    }

    public static String run() {
        return loop(9) + " " + turns;
    }
}

enum Weekday { MON, TUE, WED }

/** The synthetic class with the switch map has an initializer with handlers. */
class EnumSwitch {
    static String name(Weekday d) {
        switch (d) {
            case MON: return "first";
            case WED: return "third";
            default: return "other";
        }
    }

    public static String run() {
        return name(Weekday.MON) + name(Weekday.TUE) + name(Weekday.WED) + Weekday.valueOf("TUE").compareTo(Weekday.WED);
    }
}

interface WithInitializer {
    List<String> LOG = new ArrayList<>(List.of("interface"));

    default int size() {
        return LOG.size();
    }
}

/** Initializers of an interface, a superclass and a nested class, one inside the other. */
class Nesting implements WithInitializer {
    static final int N;

    static {
        int n = 0;
        try {
            n = Inner.VALUE;
            if (n > 1000) {
                throw new IllegalStateException();
            }
        } catch (RuntimeException e) {
            n = -1;
        } finally {
            n++;
        }
        N = n;
    }

    static class Inner {
        static final int VALUE = Integer.parseInt("41");
    }

    public static String run() {
        return N + " " + new Nesting().size();
    }
}

/** An initializer that fails has no return on that way. */
class Failing {
    static class Bad {
        static int n = 1 / Integer.parseInt("0");
    }

    public static String run() {
        try {
            return "" + Bad.n;
        } catch (ExceptionInInitializerError e) {
            return e.getCause().getMessage();
        }
    }
}

@Target({ElementType.TYPE_USE, ElementType.TYPE_PARAMETER})
@Retention(RetentionPolicy.RUNTIME)
@interface Mark {
    String value() default "";

    int[] numbers() default {};

    TimeUnit unit() default TimeUnit.DAYS;
}

/** Type annotations inside code, of every target that has offsets. */
class TypeAnnotations {
    TypeAnnotations() {}

    <@Mark T> TypeAnnotations(T t) {}

    public static String run() throws Exception {
        @Mark("local") String text = "x";
        try (@Mark("resource") InputStream in = new ByteArrayInputStream(new byte[2])) {
            text += in.read();
        } catch (@Mark(value = "exception", numbers = {1, 2}) RuntimeException e) {
            text += e;
        }
        Object o = new @Mark("new") ArrayList<@Mark(unit = TimeUnit.HOURS) String>();
        if (o instanceof @Mark("instanceof") List) {
            text += (@Mark("cast") Object) o;
        }
        Supplier<Object> c = @Mark("constructor reference") TypeAnnotations::new;
        Function<String, Integer> m = @Mark("method reference") String::length;
        new <@Mark("argument") String>TypeAnnotations("");
        List<String> list = Arrays.<@Mark("method argument") String>asList("a");
        return text + m.apply("four") + list + (c.get() != null);
    }
}

/** Lambdas, inner classes, generics with bridges, synchronized and finally. */
class Various {
    interface Shape<T extends Comparable<T>> {
        T area();
    }

    record Square(int side) implements Shape<Integer>, Serializable {
        public Integer area() {
            return side * side;
        }
    }

    static synchronized int locked(Object o) {
        synchronized (o) {
            try {
                return Integer.parseInt("x");
            } catch (NumberFormatException e) {
                return -1;
            } finally {
                o.hashCode();
            }
        }
    }

    public static String run() {
        int base = 5;
        Function<Integer, Function<Integer, Integer>> add = a -> b -> a + b + base;
        Shape<?> s = new Square(3);
        String t = switch (s.area().toString()) {
            case "9" -> "nine";
            default -> "?";
        };
        return add.apply(1).apply(2) + t + s + locked("") + new Object() {
            int twice() {
                return 2 * base;
            }
        }.twice();
    }
}

/** What the stack trace says: the lines stay, also that of the first instruction. */
class Lines {
    static int[] nothing() {
        return null;
    }

    static int first(int[] a) {
        return a[0];
    }

    public static String run() {
        String all = "";
        try {
            first(nothing());
        } catch (NullPointerException e) {
            for (StackTraceElement at : Arrays.copyOf(e.getStackTrace(), 2)) {
                all += at.getMethodName() + at.getLineNumber() + e.getMessage();
            }
        }
        return all;
    }
}
