import java.lang.ref.SoftReference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import junit.framework.TestCase;
import junit.framework.TestSuite;

/** Changes what static fields lead to. A test has the name of the field that it changes, and "keeps" before it if all is as before when it ends. */
public class Watched extends TestCase {
    public static junit.framework.Test suite() {
        TestSuite all = new TestSuite();
        for (String name : new String[] {"starts", "number", "text", "keepsText", "list", "keepsList", "map", "sorted", "identity", "concurrent", "views", "set", "deque", "pool", "keepsPool", "counter", "reference",
            "array", "numbers", "deep", "cycle", "constant", "captured", "soft", "made", "local", "keepsLocal", "own", "elsewhere", "keepsElsewhere", "lock", "unlocks", "large", "strange", "clears", "keepsNothing", "forever"}) {
            all.addTest(new Watched(name));
        }
        for (int i = 0; i < 16; i++) {
            all.addTest(new Watched("waits"));
        }
        return all;
    }

    public Watched(String name) {
        super(name);
    }

    static final class Box {
        Object content;
        final List<Object> more = new ArrayList<>();
        Box other;
    }

    enum Constant {
        ONE;

        private int changes;
    }

    /** Its iterators are the program's, so nothing is said about it. */
    static final class Strange extends HashMap<String, String> {
        private static final long serialVersionUID = 1;
    }

    static final class Fields {
        static int number = 1;
        static String text = new String("a");
        static final List<Object> list = new ArrayList<>();
        static final Map<String, Object> map = new HashMap<>();
        static final Map<String, Object> sorted = new TreeMap<>();
        static final Map<Object, Object> identity = new IdentityHashMap<>();
        static final Map<String, Object> concurrent = new ConcurrentHashMap<>();
        static final List<Object> below = new ArrayList<>();
        static final List<Object> views = Collections.unmodifiableList(below);
        static final Set<String> set = new HashSet<>();
        static final Deque<String> deque = new ArrayDeque<>();
        static final Deque<StringBuilder> pool = new ArrayDeque<>();
        static final AtomicInteger counter = new AtomicInteger();
        static final AtomicReference<Object> reference = new AtomicReference<>("a");
        static final Object[] array = {"a", null};
        static final int[] numbers = new int[3];
        static final Map<String, Box> deep = new HashMap<>();
        static final Box cycle = new Box();
        static final Constant constant = Constant.ONE;
        static final Supplier<Object> captured = capture(new Box());
        static final SoftReference<Box> soft = new SoftReference<>(new Box());
        static final ThreadLocal<Map<String, String>> local = ThreadLocal.withInitial(HashMap::new);
        static final ThreadLocal<String> own = new ThreadLocal<String>() {
            @Override
            protected String initialValue() {
                return "a";
            }
        };
        static final ThreadLocal<String> elsewhere = new ThreadLocal<>();
        static final ReentrantLock lock = new ReentrantLock();
        static final ReentrantLock forever = new ReentrantLock();
        static final List<Object> large = new ArrayList<>();
        static final Strange strange = new Strange();
        static final Thread thread = new Thread();

        static {
            deep.put("a", new Box());
            cycle.other = new Box();
            cycle.other.other = cycle;
            pool.add(new StringBuilder());
        }
    }

    static Supplier<Object> capture(Box box) {
        return () -> box.content = "changed";
    }

    private static final ExecutorService POOL = Executors.newSingleThreadExecutor(task -> {
        Thread t = new Thread(task, "pool");
        t.setDaemon(true);
        return t;
    });

    public void starts() {
        assertNotNull(Fields.list);
    }

    public void number() {
        Fields.number++;
    }

    public void text() {
        Fields.text = "b";
    }

    public void keepsText() {
        Fields.text = new String("b");
    }

    public void list() {
        Fields.list.add("a");
    }

    public void keepsList() {
        Fields.list.add("b");
        Fields.list.remove("b");
    }

    public void map() {
        Fields.map.put("a", "b");
    }

    public void sorted() {
        Fields.sorted.put("a", 1);
    }

    public void identity() {
        Fields.identity.put(new Object(), 1);
    }

    public void concurrent() {
        Fields.concurrent.put("a", new Box());
    }

    public void views() {
        Fields.below.add("a");
    }

    public void set() {
        Fields.set.add("a");
    }

    public void deque() {
        Fields.deque.push("a");
    }

    public void pool() {
        Fields.pool.add(new StringBuilder("left"));
    }

    public void keepsPool() {
        Fields.pool.pop().append("used").setLength(0);
        Fields.pool.push(new StringBuilder());
    }

    public void counter() {
        Fields.counter.incrementAndGet();
    }

    public void reference() {
        Fields.reference.set(new Box());
    }

    public void array() {
        Fields.array[1] = Fields.array[0];
    }

    public void numbers() {
        Fields.numbers[2]++;
    }

    public void deep() {
        Fields.deep.get("a").more.add(new Box());
    }

    public void cycle() {
        Fields.cycle.other.other = Fields.cycle.other;
    }

    public void constant() {
        Constant.ONE.changes++;
    }

    public void captured() {
        Fields.captured.get();
    }

    public void soft() {
        Fields.soft.get().content = 1;
    }

    public void made() {
        Fields.local.get().remove("a");
    }

    public void local() {
        Fields.local.get().put("a", "b");
    }

    public void keepsLocal() {
        Fields.local.get().put("b", "c");
        Fields.local.get().remove("b");
    }

    public void own() {
        assertEquals("a", Fields.own.get());
    }

    public void elsewhere() throws Exception {
        POOL.submit(() -> Fields.elsewhere.set("a")).get();
    }

    public void keepsElsewhere() throws Exception {
        Thread t = new Thread(() -> Fields.elsewhere.set("b"));
        t.start();
        t.join();
    }

    public void lock() {
        Fields.lock.lock();
    }

    public void unlocks() {
        Fields.lock.unlock();
    }

    public void large() {
        for (int i = 0; i < 100_000; i++) {
            Fields.large.add(new Object());
        }
    }

    public void strange() {
        Fields.strange.put("a", "b");
    }

    public void clears() {
        Fields.large.clear();
    }

    public void keepsNothing() {
        Fields.lock.lock();
        Fields.lock.unlock();
    }

    public void forever() {
        Fields.forever.lock();
    }

    public void waits() {
        assertTrue(Fields.forever.isLocked());
    }
}
