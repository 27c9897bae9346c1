package winnow.agent;

import java.util.List;
import java.util.Locale;
import java.util.ResourceBundle;

/** The files and classes that a resource bundle may come from. The JDK keeps bundles, so only who asks first makes it look for them. */
final class Bundles {
    private Bundles() {}

    static void sought(Events events, String name, Locale locale) {
        if (name == null || locale == null || ofJdk(name)) {
            return;
        }
        add(events, name, locale);
        add(events, name, Locale.getDefault());
    }

    private static boolean ofJdk(String name) {
        return name.startsWith("sun.") || name.startsWith("com.sun.") || name.startsWith("jdk.") || name.startsWith("java.");
    }

    private static void add(Events events, String name, Locale locale) {
        ResourceBundle.Control c = ResourceBundle.Control.getControl(ResourceBundle.Control.FORMAT_DEFAULT);
        List<Locale> all = c.getCandidateLocales(name, locale);
        for (Locale l : all) {
            String full = c.toBundleName(name, l);
            events.add(Events.RESOURCE, c.toResourceName(full, "properties"));
            events.sought(full);
        }
    }
}
