import org.junit.Test;

public class HandedDigest {
    private static final java.security.MessageDigest X = make();

    static java.security.MessageDigest make() {
        try {
            return java.security.MessageDigest.getInstance("MD5");
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { X.update((byte) fill().hashCode()); other(); }
    }

    public static class Second {
        @Test public void uses() { X.digest(); }
    }
}
