import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import junit.framework.TestCase;

/** Ways to ask for environment variables. WINNOW_ONE is 1, WINNOW_TWO is 2, and there are others. */
public class Variables extends TestCase {
    private static final Map<String, String> ALL = System.getenv();

    public void testNothing() { System.getenv(); }

    public void testOne() {
        assertEquals("1", System.getenv("WINNOW_ONE"));
        assertEquals("1", ALL.get("WINNOW_ONE"));
        assertEquals("1", ALL.getOrDefault("WINNOW_ONE", "no"));
    }

    public void testAsked() { assertTrue(ALL.containsKey("WINNOW_ONE") && ALL.keySet().contains("WINNOW_ONE")); }

    public void testNone() { assertEquals("no", ALL.getOrDefault("WINNOW_NONE", "no")); }

    public void testNames() {
        for (String name : ALL.keySet()) {
            assertTrue(name.length() > 0);
        }
    }

    public void testNamesOfEntries() {
        for (Map.Entry<String, String> e : System.getenv().entrySet()) {
            assertTrue(e.getKey().length() > 0);
        }
    }

    public void testSize() { assertTrue(ALL.size() > 2 && !ALL.values().isEmpty()); }

    public void testChosen() { assertEquals("1", ALL.entrySet().stream().filter(e -> e.getKey().equals("WINNOW_ONE")).findFirst().get().getValue()); }

    public void testCopied() { assertEquals("2", new HashMap<>(ALL).get("WINNOW_TWO")); }

    public void testEach() { ALL.forEach((name, value) -> assertNotNull(value)); }

    public void testText() { assertTrue(ALL.toString().contains("WINNOW_TWO=2")); }

    public void testHash() { assertEquals(ALL.hashCode(), ALL.hashCode()); }

    public void testEntry() { assertTrue(ALL.entrySet().contains(new HashMap<>(Map.of("WINNOW_TWO", "2")).entrySet().iterator().next())); }

    public void testValue() { assertTrue(ALL.containsValue("2")); }

    public void testValues() { assertTrue(new ArrayList<>(ALL.values()).contains("2")); }
}
