package winnow.lab;

import java.io.BufferedInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import jdk.internal.misc.Unsafe;
import junit.framework.TestCase;
import junit.framework.TestResult;

/**
 * Runs lowered programs: {@code Driver classes.jar list result}. A line of the list is the package of a program, how often its test runs, and its classes; a class with an
 * exclamation mark may be initialized afterwards to see whether it failed before. All tests come first. Then the agent is disconnected, and the static state is looked at
 * without initializing anything: nothing of that is in the agent's log.
 */
public final class Driver {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final String[] RUNS = {"first", "again"};

    private final Map<String, byte[]> classes = new HashMap<>();
    private final PrintWriter out;
    private final TestResult result = new TestResult();

    private Driver(PrintWriter out) {
        this.out = out;
    }

    public static void main(String[] args) throws Exception {
        List<Program> programs = new ArrayList<>();
        try (PrintWriter out = new PrintWriter(args[2], "UTF-8")) {
            Driver d = new Driver(out);
            d.read(args[0]);
            for (String line : Files.readAllLines(Paths.get(args[1]))) {
                programs.add(new Program(line.split(" "), d.classes));
            }
            for (Program p : programs) {
                d.run(p);
            }
            Class<?> probe = disconnect();
            for (Program p : programs) {
                d.observe(p);
            }
            forget(probe);
            out.println("end");
        }
    }

    private void read(String jar) throws IOException {
        try (ZipInputStream in = new ZipInputStream(new BufferedInputStream(new FileInputStream(jar)))) {
            for (ZipEntry e = in.getNextEntry(); e != null; e = in.getNextEntry()) {
                classes.put(e.getName(), in.readAllBytes());
            }
        }
    }

    private static final class Program {
        final String prefix;
        final int runs;
        final List<String> names = new ArrayList<>();
        final List<String> tried = new ArrayList<>();
        final Isolated loader;

        Program(String[] words, Map<String, byte[]> classes) {
            prefix = words[0] + ".";
            runs = Integer.parseInt(words[1]);
            for (int i = 2; i < words.length; i++) {
                String name = words[i].endsWith("!") ? words[i].substring(0, words[i].length() - 1) : words[i];
                names.add(name);
                if (name.length() < words[i].length()) {
                    tried.add(name);
                }
            }
            loader = new Isolated(prefix, classes);
        }
    }

    private void run(Program p) throws Exception {
        for (int i = 0; i < p.runs; i++) {
            TestCase test = (TestCase) p.loader.loadClass(p.prefix + "Start").getConstructor().newInstance();
            test.setName(RUNS[i]);
            Throwable thrown = null;
            result.startTest(test);
            try {
                test.check();
            } catch (Throwable t) {
                thrown = t;
                result.addError(test, t);
            }
            result.endTest(test);
            out.println("run " + p.prefix + " " + i + " " + name(thrown));
        }
    }

    private static String name(Object o) {
        return o == null ? "-" : o.getClass().getName();
    }

    /** From here on nothing is recorded but hits. Returns the probe class, null in a run without the agent. */
    private static Class<?> disconnect() throws Exception {
        Class<?> probe;
        try {
            probe = Class.forName("java.lang.$Winnow", true, null);
        } catch (ClassNotFoundException e) {
            return null;
        }
        probe.getField("handler").set(null, null);
        probe.getField("enter").set(null, null);
        probe.getField("exit").set(null, null);
        return probe;
    }

    /** Takes back the hits since the last boundary: no program ran meanwhile, it was only looked at. */
    private static void forget(Class<?> probe) throws Exception {
        if (probe != null) {
            Arrays.fill((byte[]) probe.getField("A").get(null), (byte) 0);
        }
    }

    private void observe(Program p) throws Exception {
        Map<String, Boolean> done = new HashMap<>();
        for (String name : p.names) {
            Class<?> c = p.loader.loadClass(p.prefix + name);
            done.put(name, !UNSAFE.shouldBeInitialized(c));
            statics(p, name, c);
        }
        for (String name : p.names) {
            if (done.get(name)) {
                out.println("class " + p.prefix + " " + name + " done");
            }
        }
        for (String name : p.tried) {
            if (!done.get(name)) {
                out.println("class " + p.prefix + " " + name + " " + attempt(p, name));
            }
        }
        for (String name : p.names) {
            if (!done.get(name) && !p.tried.contains(name)) {
                out.println("class " + p.prefix + " " + name + " not");
            }
        }
    }

    private void statics(Program p, String name, Class<?> c) {
        for (Field f : c.getDeclaredFields()) {
            if (!Modifier.isStatic(f.getModifiers())) {
                continue;
            }
            Object base = UNSAFE.staticFieldBase(f);
            long at = UNSAFE.staticFieldOffset(f);
            String value;
            if (f.getType() == int.class) {
                value = "" + UNSAFE.getInt(base, at);
            } else if (f.getType() == boolean.class) {
                value = "" + UNSAFE.getBoolean(base, at);
            } else {
                value = name(UNSAFE.getReference(base, at));
            }
            out.println("static " + p.prefix + " " + name + " " + f.getName() + " " + value);
        }
    }

    /** Whether a class that is not initialized failed before: then trying again says so and does nothing. */
    private static String attempt(Program p, String name) {
        try {
            Class.forName(p.prefix + name, true, p.loader);
        } catch (NoClassDefFoundError e) {
            return ("Could not initialize class " + p.prefix + name).equals(e.getMessage()) ? "failed" : "unfit";
        } catch (Throwable t) {
            return "unfit";
        }
        return "not";
    }
}
