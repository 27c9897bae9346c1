import org.junit.Test;

public class HandedChecksum {
    private static final java.util.zip.Checksum X = new java.util.zip.CRC32();

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { X.update(fill().hashCode()); other(); }
    }

    public static class Second {
        @Test public void uses() { X.getValue(); }
    }
}
