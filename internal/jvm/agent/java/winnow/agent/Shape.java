package winnow.agent;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;

/** How objects of a class are looked at. No code of the program is run: of the JDK's collections only those count whose iterators call nothing that the program has made, and take no lock. */
final class Shape {
    static final int UNKNOWN = 0;
    static final int EQUAL = 1; // an object that never changes, and that is as good as any other that equals it
    static final int FIXED = 2; // an object that never changes
    static final int OBJECTS = 3; // an array
    static final int NUMBERS = 4; // an array
    static final int MAP = 5;
    static final int COLLECTION = 6;
    static final int TEXT = 7; // a builder
    static final int REFERENCE = 8;
    static final int HOLDER = 9; // an atomic one
    static final int LOCAL = 10; // a variable of threads; it may have fields
    static final int FIELDS = 11;
    static final int MEMBER = 12; // of a class, as reflection shows it

    private static final ClassValue<Shape> SHAPES = new ClassValue<Shape>() {
        @Override
        protected Shape computeValue(Class<?> c) {
            return find(c);
        }
    };

    private static final HashSet<String> EQUALS = new HashSet<>(Arrays.asList("java.lang.String", "java.lang.Integer", "java.lang.Long", "java.lang.Short", "java.lang.Byte", "java.lang.Character",
        "java.lang.Boolean", "java.lang.Float", "java.lang.Double"));
    private static final HashSet<String> FIXEDS = new HashSet<>(Arrays.asList("java.lang.Object", "java.lang.Class", "java.math.BigInteger", "java.math.BigDecimal", "java.math.MathContext", "java.util.Locale", "java.util.UUID",
        "java.util.Currency", "java.util.regex.Pattern", "java.net.URI", "java.net.URL", "java.io.File", "sun.nio.fs.UnixPath", "java.time.LocalDate", "java.time.LocalTime", "java.time.LocalDateTime", "java.time.Instant", "java.time.Duration", "java.time.Period", "java.time.Year",
        "java.time.YearMonth", "java.time.MonthDay", "java.time.ZoneOffset", "java.time.ZoneRegion", "java.time.OffsetDateTime", "java.time.OffsetTime", "java.time.ZonedDateTime"));
    private static final HashSet<String> MAPS = new HashSet<>(Arrays.asList("java.util.HashMap", "java.util.LinkedHashMap", "java.util.TreeMap", "java.util.IdentityHashMap", "java.util.WeakHashMap", "java.util.EnumMap",
        "java.util.concurrent.ConcurrentHashMap", "java.util.concurrent.ConcurrentSkipListMap", "java.util.ImmutableCollections$Map1", "java.util.ImmutableCollections$MapN"));
    private static final HashSet<String> COLLECTIONS = new HashSet<>(Arrays.asList("java.util.ArrayList", "java.util.LinkedList", "java.util.ArrayDeque", "java.util.HashSet", "java.util.LinkedHashSet", "java.util.TreeSet",
        "java.util.PriorityQueue", "java.util.RegularEnumSet", "java.util.JumboEnumSet", "java.util.Arrays$ArrayList", "java.util.concurrent.CopyOnWriteArrayList", "java.util.concurrent.CopyOnWriteArraySet",
        "java.util.concurrent.ConcurrentLinkedQueue", "java.util.concurrent.ConcurrentLinkedDeque", "java.util.concurrent.ConcurrentSkipListSet", "java.util.concurrent.ConcurrentHashMap$KeySetView",
        "java.util.ImmutableCollections$List12", "java.util.ImmutableCollections$ListN", "java.util.ImmutableCollections$Set12", "java.util.ImmutableCollections$SetN"));
    private static final HashSet<String> HOLDERS = new HashSet<>(Arrays.asList("java.util.concurrent.atomic.AtomicInteger", "java.util.concurrent.atomic.AtomicLong", "java.util.concurrent.atomic.AtomicBoolean",
        "java.util.concurrent.atomic.AtomicReference", "java.util.concurrent.atomic.LongAdder"));

    /** Superclasses of the JDK without state that matters: what some have is a view of the object itself, or tells only that there was a change. */
    private static final HashSet<String> STATELESS = new HashSet<>(Arrays.asList("java.lang.Object", "java.lang.Enum", "java.lang.Record", "java.lang.Number", "java.util.AbstractMap", "java.util.AbstractCollection",
        "java.util.AbstractList", "java.util.AbstractSequentialList", "java.util.AbstractSet", "java.util.AbstractQueue", "java.lang.ThreadLocal"));

    final int kind;
    final Field[] fields;
    private final boolean fixed; // objects are not changed; what they lead to may be

    private Shape(int kind, Field[] fields) {
        this.kind = kind;
        this.fields = fields;
        boolean fixed = kind == EQUAL || kind == FIXED || kind == FIELDS;
        if (fields != null) {
            for (Field f : fields) {
                fixed = fixed && Modifier.isFinal(f.getModifiers());
            }
        }
        this.fixed = fixed;
    }

    /** Whether objects have no content that is looked at. */
    boolean isLeaf() {
        return kind == EQUAL || kind == FIXED;
    }

    /** Whether an object itself cannot be changed. */
    boolean isFixed(Object o) {
        return fixed || kind == OBJECTS && ((Object[]) o).length == 0 || kind == NUMBERS && Array.getLength(o) == 0 || o.getClass().getName().startsWith("java.util.ImmutableCollections$");
    }

    static Shape of(Object o) {
        return SHAPES.get(o.getClass());
    }

    private static Shape find(Class<?> c) {
        if (c.isArray()) {
            return new Shape(c.getComponentType().isPrimitive() ? NUMBERS : OBJECTS, null);
        }
        if (c.getClassLoader() == null && Enum.class.isAssignableFrom(c)) {
            return new Shape(FIXED, null);
        }
        int kind = kind(c);
        if (kind == FIELDS && ThreadLocal.class.isAssignableFrom(c)) {
            kind = LOCAL;
        }
        if (kind != FIELDS && kind != LOCAL) {
            return new Shape(kind, null);
        }
        ArrayList<Field> all = new ArrayList<>();
        for (; c != null && !(c.getClassLoader() == null && STATELESS.contains(c.getName())); c = c.getSuperclass()) {
            int known = kind(c);
            if (known != FIELDS && known != LOCAL) {
                return new Shape(UNKNOWN, null);
            }
            try {
                for (Field f : $Winnow.fields(c)) {
                    if (!Modifier.isStatic(f.getModifiers())) {
                        all.add(f);
                    }
                }
            } catch (Exception | LinkageError e) { // a type is not there
                return new Shape(UNKNOWN, null);
            }
        }
        return new Shape(kind, all.toArray(new Field[0]));
    }

    private static int kind(Class<?> c) {
        if (c.getClassLoader() == null) {
            return ofJdk(c.getName());
        }
        return c.getClassLoader() == $Winnow.application && (isOwn(c.getProtectionDomain()) || ofData(c.getName())) ? FIELDS : UNKNOWN;
    }

    /** Whether a class is the project's: such are in directories. */
    static boolean isOwn(ProtectionDomain domain) {
        CodeSource source = domain == null ? null : domain.getCodeSource();
        return source != null && source.getLocation() != null && source.getLocation().getPath().endsWith("/");
    }

    /** Whether a class of a library has objects whose state is in their fields. Others may be a mere handle of what the library keeps elsewhere. */
    private static boolean ofData(String name) {
        return name.startsWith("com.google.common.collect.") || name.startsWith("com.google.common.base.") || name.startsWith("kotlin.") || name.startsWith("scala.collection.");
    }

    private static int ofJdk(String name) {
        if (EQUALS.contains(name)) {
            return EQUAL;
        }
        if (FIXEDS.contains(name) || name.startsWith("sun.nio.cs.")) {
            return FIXED;
        }
        if (MAPS.contains(name)) {
            return MAP;
        }
        if (COLLECTIONS.contains(name)) {
            return COLLECTION;
        }
        if (HOLDERS.contains(name)) {
            return HOLDER;
        }
        switch (name) {
            case "java.lang.StringBuilder":
                return TEXT;
            case "java.lang.ref.SoftReference":
            case "java.lang.ref.WeakReference":
                return REFERENCE;
            case "java.lang.ThreadLocal":
            case "java.lang.ThreadLocal$SuppliedThreadLocal":
                return LOCAL;
            case "java.lang.reflect.Method":
            case "java.lang.reflect.Constructor":
            case "java.lang.reflect.Field":
                return MEMBER;
            case "java.util.Optional":
            case "java.util.Date":
            case "java.util.Random":
            case "java.util.TimeZone":
            case "java.util.SimpleTimeZone":
            case "sun.util.calendar.ZoneInfo":
            case "java.util.concurrent.CountDownLatch":
            case "java.util.concurrent.Semaphore":
            case "java.lang.reflect.Proxy":
                return FIELDS;
            default:
                return name.startsWith("java.util.Collections$") || name.startsWith("java.util.concurrent.locks.") || name.startsWith("java.util.concurrent.CountDownLatch$")
                    || name.startsWith("java.util.concurrent.Semaphore$") || name.startsWith("java.util.AbstractMap$Simple") ? FIELDS : UNKNOWN;
        }
    }

    /** Whether an object is a collection or builder without content. */
    boolean isEmpty(Object o) {
        switch (kind) {
            case MAP:
                return ((Map<?, ?>) o).isEmpty();
            case COLLECTION:
                return ((Collection<?>) o).isEmpty();
            case TEXT:
                return ((StringBuilder) o).length() == 0;
            default:
                return false;
        }
    }
}
