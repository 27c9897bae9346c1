import org.junit.Test;

public class HandedFactory {
    private static final javax.xml.parsers.DocumentBuilderFactory X = javax.xml.parsers.DocumentBuilderFactory.newInstance();

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { X.setNamespaceAware(fill() != null); other(); }
    }

    public static class Second {
        @Test public void uses() { X.isNamespaceAware(); }
    }
}
