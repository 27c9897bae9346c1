import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Compiles programs one after the other, so that one JVM start and one warm-up serve many.
 *
 * <p>A request is a list of options followed by a list of (path, source); an answer is a byte, 1 if the program compiled, the compiler's words,
 * and a list of (class name with slashes, class file). A list is its length followed by its elements, a string or a file is its length in bytes
 * followed by the bytes; numbers are 32 bits, most significant byte first. End of input ends the server.
 */
public final class CompileServer {
    private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    private final DataInputStream in;
    private final DataOutputStream out;

    private CompileServer(DataInputStream in, DataOutputStream out) {
        this.in = in;
        this.out = out;
    }

    public static void main(String[] args) throws IOException {
        DataOutputStream answers = new DataOutputStream(new BufferedOutputStream(System.out));
        // Whatever else prints must not get between the frames.
        System.setOut(System.err);
        CompileServer server = new CompileServer(new DataInputStream(new BufferedInputStream(System.in)), answers);
        while (server.serve()) {
        }
    }

    private boolean serve() throws IOException {
        int options;
        try {
            options = in.readInt();
        } catch (EOFException end) {
            return false;
        }
        List<String> args = new ArrayList<>();
        for (int i = 0; i < options; i++) {
            args.add(readString());
        }
        List<JavaFileObject> sources = new ArrayList<>();
        for (int i = in.readInt(); i > 0; i--) {
            sources.add(new Source(readString(), readString()));
        }
        compile(args, sources);
        out.flush();
        return true;
    }

    private void compile(List<String> args, List<JavaFileObject> sources) throws IOException {
        StringWriter words = new StringWriter();
        Map<String, Output> classes = new TreeMap<>();
        boolean ok = false;
        // A file manager remembers options such as the class path, so each program gets its own.
        try (StandardJavaFileManager standard = compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8)) {
            JavaFileManager files = new Outputs(standard, classes);
            ok = compiler.getTask(words, files, null, args, null, sources).call();
        } catch (RuntimeException | Error failure) {
            failure.printStackTrace(new PrintWriter(words, true));
        }
        out.writeByte(ok ? 1 : 0);
        writeBytes(words.toString().getBytes(StandardCharsets.UTF_8));
        out.writeInt(classes.size());
        for (Map.Entry<String, Output> e : classes.entrySet()) {
            writeBytes(e.getKey().getBytes(StandardCharsets.UTF_8));
            writeBytes(e.getValue().bytes.toByteArray());
        }
    }

    private String readString() throws IOException {
        return new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
    }

    private void writeBytes(byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /** A class or file name may have any letters, so it is quoted. */
    private static URI uri(String scheme, String path) {
        try {
            return new URI(scheme, null, "/" + path, null);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(path, e);
        }
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String path, String text) {
            super(uri("string", path), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static final class Output extends SimpleJavaFileObject {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Output(String name) {
            super(uri("output", name + ".class"), Kind.CLASS);
        }

        @Override
        public OutputStream openOutputStream() {
            return bytes;
        }
    }

    private static final class Outputs extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, Output> classes;

        Outputs(JavaFileManager standard, Map<String, Output> classes) {
            super(standard);
            this.classes = classes;
        }

        @Override
        public JavaFileObject getJavaFileForOutput(Location location, String className, JavaFileObject.Kind kind, FileObject sibling)
                throws IOException {
            if (kind != JavaFileObject.Kind.CLASS) {
                throw new IOException("only class files can be written, not " + className + " as " + kind);
            }
            String name = className.replace('.', '/');
            Output output = new Output(name);
            classes.put(name, output);
            return output;
        }

        @Override
        public FileObject getFileForOutput(Location location, String packageName, String relativeName, FileObject sibling) throws IOException {
            throw new IOException("only class files can be written, not " + relativeName);
        }
    }
}
