package java.lang;

/** The probe class of the judges: an array, and a log of the calls in the order in which they came. */
public final class $Winnow {
    public static byte[] A = new byte[1 << 20];
    public static final Object[] LOG = new Object[1 << 16];
    public static int calls;

    private $Winnow() {}

    private static synchronized void log(Object entry) {
        if (calls < LOG.length) {
            LOG[calls++] = entry;
        }
    }

    // No string concatenation: this class may be used before the JVM can link an invokedynamic.
    private static void log(String what, int id) {
        log(what.concat(Integer.toString(id)));
    }

    public static void initEnter(int id) {
        log("enter ", id);
    }

    public static void initExit(int id) {
        log("exit ", id);
    }

    public static int receivers;

    public static void received(Object receiver, int id) {
        if (receiver.getClass() != null && A.length > id) { // a receiver that is null, or an id that is none, is thrown at the program
            receivers++;
        }
    }

    public static void event(Object value) {
        log(value);
    }

    public static void many(Object receiver, long a, int b, double c, Object d) {
        log(receiver);
        log(String.valueOf(a).concat(" ").concat(String.valueOf(b)).concat(" ").concat(String.valueOf(c)));
        log(d);
    }

    public static void left() {
        log("left");
    }

    // The targets of JDKHooks.
    public static volatile boolean written;

    public static void fileRead(Object path) {
        log(path);
    }

    public static void fileWritten(Object path) {
        log(path);
    }

    public static void fileOpened(Object path, int flags) {
        log(path);
    }

    public static void fileAsked(Object path) {
        log(path);
    }

    public static void fileLinked(Object target, Object link) {
        log(new String((byte[]) target));
    }

    public static void streamWritten(Object stream) {
        written = true;
    }

    public static void manifestAsked() {
        log("manifest");
    }

    public static void directoryListed(Object path) {
        log(path);
    }

    public static void propertyRead(Object name) {
        log(name);
    }

    public static void propertiesRead() {
        log("all properties");
    }

    public static void variableRead(Object name) {
        log(name);
    }

    public static void variablesRead() {
        log("all variables");
    }

    public static void variableNamesRead() {
        log("names of variables");
    }

    public static void variableMet(Object entry) {
        log("met ".concat((String) ((java.util.Map.Entry<?, ?>) entry).getKey()));
    }

    public static void processStarted(Object command) {
        log(((String[]) command)[0]);
    }

    public static void resourceSought(Object name) {
        log(name);
    }

    public static void classSought(Object name) {
        log(name);
    }
}
