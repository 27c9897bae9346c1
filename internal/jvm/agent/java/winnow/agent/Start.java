package winnow.agent;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.jar.JarFile;

/** Puts the parts together. */
public final class Start implements BiConsumer<String, Instrumentation> {
    private final byte[] probe;
    private final File jar;

    private Plan plan;
    private Instrumentation instrumentation;
    private Definitions definitions;
    private Events events;
    private Recorder recorder;
    private final ConcurrentHashMap<String, Plan.JdkClass> unhooked = new ConcurrentHashMap<>();

    /** Called by the class that the JVM started, with the bytes of the probe class and the agent's jar. */
    public Start(byte[] probe, File jar) {
        this.probe = probe;
        this.jar = jar;
    }

    @Override
    public void accept(String path, Instrumentation instrumentation) {
        this.instrumentation = instrumentation;
        try (RandomAccessFile in = new RandomAccessFile(path, "r")) {
            byte[] data = new byte[(int) in.length()];
            in.readFully(data);
            plan = new Plan(data);
            boolean modules = hasModules();
            long pid = pid(modules);
            LogFile log = new LogFile(new File(plan.logs), pid + "-" + Long.toHexString(System.nanoTime()));
            definitions = new Definitions(plan.classes);
            events = new Events(plan);
            recorder = new Recorder(log, plan.ids, definitions, events);
            run(pid, modules);
        } catch (IOException e) {
            // Without a log there is no record.
        }
    }

    private static boolean hasModules() {
        try {
            Class.forName("java.lang.Module", false, null);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    private void run(long pid, boolean modules) {
        boolean hooked = false;
        String[] properties = properties(); // before the hooks: the program did not read them
        try {
            if (modules) {
                Modules.defineInJavaLang(instrumentation, probe);
            } else {
                instrumentation.appendToBootstrapClassLoaderSearch(new JarFile(jar));
            }
            connect();
            boolean same = isPlanned();
            instrumentation.addTransformer(new Swapper(plan, definitions, events, recorder, unhooked), false);
            noteEnd();
            hooked = hook(noteEarly()) && same;
        } catch (Throwable t) {
            recorder.problem(Recorder.NO_PROBES, t.toString());
        }
        recorder.start(pid, plan, properties, hooked);
    }

    private static String[] properties() {
        String[] all = {"java.home", "java.version", "java.class.path", "user.dir"};
        for (int i = 0; i < all.length; i++) {
            all[i] = System.getProperty(all[i], "");
        }
        return all;
    }

    private static long pid(boolean modules) throws IOException {
        try {
            return Long.parseLong(new File("/proc/self").getCanonicalFile().getName());
        } catch (NumberFormatException e) {
            return modules ? Modules.pid() : 0;
        }
    }

    private void connect() {
        System.getProperties().put("java.lang.$Winnow", recorder.probes());
        if ($Winnow.A != recorder.probes()) { // which makes the class take them
            throw new IllegalStateException("the probes were not taken");
        }
        $Winnow.application = ClassLoader.getSystemClassLoader();
        $Winnow.platform = outermost($Winnow.application);
        $Winnow.enter = recorder.new Enter();
        $Winnow.exit = recorder.new Exit();
        $Winnow.log = recorder.log.out;
        $Winnow.handler = new Frameworks(recorder, events, plan);
        // What a call from inside the JDK needs must be there before: loading it would ask the JDK for files.
        new Window(0, null, null).saw(new HashSet<Events.Event>());
        events.add(Events.CLASS, "winnow.agent.Start");
        events.add(Events.READ, "/winnow/agent/Start.class");
        Parsers.parses(Events.READ, "");
        events.opened("winnow/agent/Start.class");
        events.reflected(Start.class);
        events.named("winnow.agent.Start");
        Members.owner(Object.class.getMethods()[0]);
        Ask.isOwn(this);
        Jars.isRead("winnow.jar");
        Jars.of(null);
        events.linked(new Object[] {new byte[0], jar.toPath()});
        Bundles.sought(events, null, null);
        if (plan.studies) {
            Callers.nearest(plan);
            Members.signature(Start.class);
            events.received(new Object[] {Start.class, 0});
        }
        events.take();
    }

    /** The loader that has no other but the boot loader above it. There may be several in between: a program can bring its own system loader. */
    private static ClassLoader outermost(ClassLoader l) {
        while (l.getParent() != null) {
            l = l.getParent();
        }
        return l;
    }

    /** Classes that were there before have no probes: those of other agents. Returns those of the JDK that have to be redefined. */
    private List<Class<?>> noteEarly() {
        List<Class<?>> jdk = new ArrayList<>();
        ClassLoader platform = $Winnow.platform;
        for (Class<?> c : instrumentation.getAllLoadedClasses()) {
            ClassLoader l = c.getClassLoader();
            if (l == null && unhooked.containsKey(c.getName().replace('.', '/'))) {
                jdk.add(c);
            } else if (l != null && l != platform && l != Start.class.getClassLoader() && !c.isArray() && !c.getName().startsWith("winnow.agent.")) {
                definitions.coarse(c.getName().replace('.', '/'), Definitions.EARLY, l);
            }
        }
        return jdk;
    }

    /** Notes the end of the process without a thread of its own, which the program could count. */
    private void noteEnd() {
        try {
            $Winnow.atEnd(new Finish());
        } catch (LinkageError | RuntimeException e) {
            recorder.problem(Recorder.NO_END, e.toString());
        }
    }

    private final class Finish implements Runnable {
        @Override
        public void run() {
            recorder.finish();
        }
    }

    /** Whether this is the JVM that the plan has hooks for. If so, each class without hooks gets them when it is loaded. */
    private boolean isPlanned() throws IOException {
        if (plan.jdk.length == 0) {
            return false;
        }
        String home = new File(System.getProperty("java.home")).getCanonicalPath();
        String version = System.getProperty("java.version");
        if (!home.equals(plan.home) || !version.equals(plan.version)) {
            recorder.problem(Recorder.NO_HOOK, "another JVM: " + home + ", " + version);
            return false;
        }
        for (Plan.JdkClass c : plan.jdk) {
            unhooked.put(c.name, c);
        }
        return true;
    }

    /** Redefining, not retransforming: other agents that retransform these classes then start from the hooks. */
    private boolean hook(List<Class<?>> loaded) {
        List<ClassDefinition> all = new ArrayList<>();
        for (Class<?> type : loaded) {
            ClassDefinition d = hooked(unhooked.remove(type.getName().replace('.', '/')), type);
            if (d != null) {
                all.add(d);
            }
        }
        try {
            instrumentation.redefineClasses(all.toArray(new ClassDefinition[0]));
            return all.size() == loaded.size();
        } catch (Exception | LinkageError e) {
            recorder.problem(Recorder.NO_HOOK, "all: " + e);
            return false;
        }
    }

    /** HotSpot does not keep the bytes of a class, so they are read again. */
    private ClassDefinition hooked(Plan.JdkClass c, Class<?> type) {
        try (InputStream in = type.getResourceAsStream(c.name.substring(c.name.lastIndexOf('/') + 1) + ".class")) {
            byte[] original = in == null ? new byte[0] : Premain.readAll(in);
            if (plan.matches(c.record, Hash.of(original), original.length)) {
                return new ClassDefinition(type, plan.readAt(c.record));
            }
            recorder.problem(Recorder.NO_HOOK, c.name + " is another");
        } catch (IOException | LinkageError e) {
            recorder.problem(Recorder.NO_HOOK, c.name + ": " + e);
        }
        return null;
    }
}
