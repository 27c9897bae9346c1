import org.junit.Test;

public class HandedAttribute {
    private static final org.w3c.dom.Document X = make();

    static org.w3c.dom.Document make() {
        try {
            org.w3c.dom.Document d = javax.xml.parsers.DocumentBuilderFactory.newInstance().newDocumentBuilder().newDocument();
            d.appendChild(d.createElement("e"));
            return d;
        } catch (javax.xml.parsers.ParserConfigurationException e) {
            throw new AssertionError(e);
        }
    }

    static Object fill() { return new Object(); }

    static void other() { }

    public static class First {
        @Test public void fills() { X.getDocumentElement().setAttribute("a", "" + fill()); other(); }
    }

    public static class Second {
        @Test public void uses() { X.getDocumentElement().getAttribute("a"); }
    }
}
