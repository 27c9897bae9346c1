package winnow.agent;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * What the JVM starts. The agent itself is loaded a second time, by a loader of its own: java.lang is opened to that loader's unnamed module, and the
 * program's unnamed module must not profit from it.
 */
public final class Premain {
    private Premain() {}

    /** Never throws: a failing agent would end the JVM. Without a log there is no record, and what has no record runs again. */
    @SuppressWarnings("unchecked")
    public static void premain(String plan, Instrumentation instrumentation) {
        try {
            File jar = new File(Premain.class.getProtectionDomain().getCodeSource().getLocation().toURI());
            Isolated loader = new Isolated(files(jar));
            Object start = Class.forName("winnow.agent.Start", true, loader).getConstructor(byte[].class, File.class).newInstance(loader.probe, jar);
            ((BiConsumer<String, Instrumentation>) start).accept(plan, instrumentation);
        } catch (Throwable t) {
            // there is nobody to tell
        }
    }

    /** Reads the jar by itself: asking the program's class loader would set up much that the program may never need. */
    private static Map<String, byte[]> files(File jar) throws IOException {
        Map<String, byte[]> out = new HashMap<>();
        try (ZipFile zip = new ZipFile(jar)) {
            for (Enumeration<? extends ZipEntry> e = zip.entries(); e.hasMoreElements(); ) {
                ZipEntry entry = e.nextElement();
                try (InputStream in = zip.getInputStream(entry)) {
                    out.put(entry.getName(), readAll(in));
                }
            }
        }
        return out;
    }

    /** Loads the agent's classes from the agent's jar, and everything else from the JDK. */
    static final class Isolated extends ClassLoader {
        final byte[] probe;
        private final Map<String, byte[]> files;

        Isolated(Map<String, byte[]> files) {
            super(null);
            this.files = files;
            probe = files.remove("java/lang/$Winnow.class");
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] bytes = files.remove(name.replace('.', '/') + ".class");
            if (bytes == null) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    static byte[] readAll(InputStream in) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream(8192);
        byte[] buffer = new byte[8192];
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            out.write(buffer, 0, n);
        }
        return out.toByteArray();
    }
}
