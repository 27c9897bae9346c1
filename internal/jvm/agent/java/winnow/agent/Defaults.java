package winnow.agent;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;

/**
 * What belongs to the whole process: the default locale and time zone, system properties. Who sets one and sets it back until the next boundary leaves nothing to others, so that is no
 * event.
 */
final class Defaults {
    static final String LOCALE = "default locale";
    static final String ZONE = "default time zone";

    private Object[] locales;
    private Object zone;
    private boolean zoneKnown;

    /** Values of properties before they were written first since the last boundary. */
    private final HashMap<String, Object> properties = new HashMap<>();

    private final Aside aside;

    // Whether they are, at the last boundary, others than in the beginning.
    private boolean otherLocale;
    private boolean otherZone;

    Defaults(Aside aside) {
        this.aside = aside;
    }

    /** Notes what a default is before it is set for the first time. */
    synchronized void before(Object what) {
        if (LOCALE.equals(what) && locales == null) {
            locales = locales();
        } else if (ZONE.equals(what) && !zoneKnown) {
            zone = $Winnow.zone();
            zoneKnown = true;
        }
    }

    /** Notes what a property is before it is written. */
    void beforeWrite(Object name) {
        if (name instanceof String) {
            Object value = property((String) name);
            synchronized (this) {
                if (!properties.containsKey(name)) {
                    properties.put((String) name, value);
                }
            }
        }
    }

    /** The value of a property. It is asked for without a lock: the properties have their own. */
    private Object property(String name) {
        aside.enter();
        try {
            return System.getProperties().get(name);
        } catch (Throwable t) {
            return new Object(); // it equals nothing
        } finally {
            aside.leave();
        }
    }

    /** Takes events out of a segment that ends here. */
    void settle(HashSet<Events.Event> events) {
        settleDefaults(events);
        HashMap<String, Object> before;
        synchronized (this) {
            before = new HashMap<>(properties);
            properties.clear();
        }
        for (Map.Entry<String, Object> e : before.entrySet()) {
            Object now = property(e.getKey());
            if (e.getValue() == null ? now == null : e.getValue().equals(now)) {
                events.remove(new Events.Event(Events.PROPERTY_WRITTEN, e.getKey()));
            }
        }
    }

    private synchronized void settleDefaults(HashSet<Events.Event> events) {
        Events.Event set = new Events.Event(Events.DEFAULT_SET, LOCALE);
        if (events.contains(set)) {
            boolean other = !Arrays.equals(locales, locales());
            if (!other && !otherLocale) {
                events.remove(set);
            }
            otherLocale = other;
        }
        set = new Events.Event(Events.DEFAULT_SET, ZONE);
        if (events.contains(set)) {
            Object now = $Winnow.zone();
            boolean other = zone == null ? now != null : !zone.equals(now);
            if (!other && !otherZone) {
                events.remove(set);
            }
            otherZone = other;
        }
    }

    private static Object[] locales() {
        return new Object[] {Locale.getDefault(), Locale.getDefault(Locale.Category.DISPLAY), Locale.getDefault(Locale.Category.FORMAT)};
    }
}
