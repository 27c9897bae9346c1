package winnow.host;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** Compiles in memory. One file manager serves all programs: it keeps what it knows of the JDK, and nothing of a program. */
final class Compiling {
    private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    private final StandardJavaFileManager standard = compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8);

    Compiling(String[] classPath) throws IOException {
        List<File> jars = new ArrayList<>();
        for (String path : classPath) {
            jars.add(new File(path));
        }
        standard.setLocation(StandardLocation.CLASS_PATH, jars);
    }

    void answer(Wire wire) throws IOException {
        List<String> options = Arrays.asList(wire.texts());
        Map<String, byte[]> on = wire.files();
        List<JavaFileObject> sources = new ArrayList<>();
        for (Map.Entry<String, byte[]> e : wire.files().entrySet()) {
            sources.add(new Source(e.getKey(), new String(e.getValue(), StandardCharsets.UTF_8)));
        }
        StringWriter words = new StringWriter();
        Map<String, ByteArrayOutputStream> classes = new TreeMap<>();
        boolean ok = false;
        try {
            ok = compiler.getTask(words, new Outputs(standard, on, classes), null, options, null, sources).call();
        } catch (RuntimeException | Error failure) {
            failure.printStackTrace(new PrintWriter(words, true));
        }
        wire.put(ok ? 1 : 0).put(words.toString());
        if (!ok) {
            classes.clear();
        }
        wire.put(classes.size());
        for (Map.Entry<String, ByteArrayOutputStream> e : classes.entrySet()) {
            wire.put(e.getKey()).put(e.getValue().toByteArray());
        }
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String path, String text) {
            super(URI.create("string:///" + path), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    /** A class that the program is compiled on, or that the compiler makes. */
    private static final class Binary extends SimpleJavaFileObject {
        final String name;
        private final byte[] given;
        private final ByteArrayOutputStream made;

        Binary(String name, byte[] given, ByteArrayOutputStream made) {
            super(URI.create("binary:///" + name + ".class"), Kind.CLASS);
            this.name = name;
            this.given = given;
            this.made = made;
        }

        @Override
        public InputStream openInputStream() {
            return new ByteArrayInputStream(given);
        }

        @Override
        public OutputStream openOutputStream() {
            return made;
        }
    }

    private static final class Outputs extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, byte[]> on;
        private final Map<String, ByteArrayOutputStream> classes;

        Outputs(JavaFileManager standard, Map<String, byte[]> on, Map<String, ByteArrayOutputStream> classes) {
            super(standard);
            this.on = on;
            this.classes = classes;
        }

        @Override
        public Iterable<JavaFileObject> list(Location location, String packageName, Set<JavaFileObject.Kind> kinds, boolean recurse) throws IOException {
            Iterable<JavaFileObject> known = super.list(location, packageName, kinds, recurse);
            if (location != StandardLocation.CLASS_PATH || on.isEmpty()) {
                return known;
            }
            List<JavaFileObject> all = new ArrayList<>();
            known.forEach(all::add);
            String prefix = packageName.isEmpty() ? "" : packageName.replace('.', '/') + "/";
            for (Map.Entry<String, byte[]> e : on.entrySet()) {
                if (e.getKey().startsWith(prefix) && (recurse || e.getKey().indexOf('/', prefix.length()) < 0)) {
                    all.add(new Binary(e.getKey(), e.getValue(), null));
                }
            }
            return all;
        }

        @Override
        public String inferBinaryName(Location location, JavaFileObject file) {
            return file instanceof Binary ? ((Binary) file).name.replace('/', '.') : super.inferBinaryName(location, file);
        }

        @Override
        public boolean isSameFile(FileObject a, FileObject b) {
            return a instanceof Binary || b instanceof Binary || a instanceof Source || b instanceof Source ? a == b : super.isSameFile(a, b);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(Location location, String className, JavaFileObject.Kind kind, FileObject sibling) throws IOException {
            if (kind != JavaFileObject.Kind.CLASS) {
                throw new IOException("only class files can be written, not " + className + " as " + kind);
            }
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            classes.put(className.replace('.', '/'), bytes);
            return new Binary(className.replace('.', '/'), null, bytes);
        }

        @Override
        public void close() {
            // the standard one goes on
        }
    }
}
