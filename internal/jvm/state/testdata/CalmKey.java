import java.util.HashMap;
import java.util.Map;
import org.junit.Test;

public class CalmKey {
    private static final Map<Key, Key> KNOWN = new HashMap<>();

    static {
        KNOWN.put(new Key("a", null), new Key("b", null));
    }

    static class Key {
        private String name;
        private Object mark;

        Key(String name, Object mark) {
            this.name = name;
            this.mark = mark;
        }

        @Override public boolean equals(Object other) { return other instanceof Key && name.equals(((Key) other).name); }

        @Override public int hashCode() { return name.hashCode(); }

        String name() { return name; }
    }

    static Object fill() { return new Object(); }

    static void look(Object mark) {
        Key key = new Key("a", mark);
        KNOWN.get(key);
    }

    public static class First {
        @Test public void fills() { look(fill()); }
    }

    public static class Second {
        @Test public void uses() { KNOWN.get(new Key("a", null)).name(); }
    }
}
