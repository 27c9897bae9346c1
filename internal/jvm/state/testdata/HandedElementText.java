import org.junit.Test;

public class HandedElementText {
    private static final org.w3c.dom.Element X = make();

    static org.w3c.dom.Element make() {
        try {
            return javax.xml.parsers.DocumentBuilderFactory.newInstance().newDocumentBuilder().newDocument().createElement("e");
        } catch (javax.xml.parsers.ParserConfigurationException e) {
            throw new AssertionError(e);
        }
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { X.setTextContent("" + fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { X.getTextContent(); }
    }
}
