import org.junit.Test;

public class HandedAskedLater {
    private static int level;
    private static String text;

    static int level() {
        if (level == 0) {
            level = make();
        }
        return level;
    }

    static int make() { return 7; }

    static String text() {
        if (text == null) {
            text = describe();
        }
        return text;
    }

    static String describe() { return "level " + level; }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { fill(); level(); text(); other(); }
    }

    public static class Second {
        @Test public void uses() { text(); level(); }
    }
}
