import org.junit.Test;

public class HandedDocument {
    private static final org.w3c.dom.Document X = make();

    static org.w3c.dom.Document make() {
        try {
            return javax.xml.parsers.DocumentBuilderFactory.newInstance().newDocumentBuilder().newDocument();
        } catch (javax.xml.parsers.ParserConfigurationException e) {
            throw new AssertionError(e);
        }
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { X.appendChild(X.createElement("e" + fill().hashCode())); other(); }
    }

    public static class Second {
        @Test public void uses() { X.getDocumentElement().getTagName(); }
    }
}
