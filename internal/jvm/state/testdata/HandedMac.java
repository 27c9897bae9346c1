import org.junit.Test;

public class HandedMac {
    private static final javax.crypto.Mac X = make();

    static javax.crypto.Mac make() {
        try {
            javax.crypto.Mac m = javax.crypto.Mac.getInstance("HmacMD5");
            m.init(new javax.crypto.spec.SecretKeySpec(new byte[1], "HmacMD5"));
            return m;
        } catch (java.security.GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { X.update((byte) fill().hashCode()); other(); }
    }

    public static class Second {
        @Test public void uses() { X.doFinal(); }
    }
}
