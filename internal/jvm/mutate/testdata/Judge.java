import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a JVM says about classes. Arguments: what to do, the file with the classes, the file for the answer with one line for each class of each batch.
 * The file has batches of named classes; the first batch are the originals. Each later batch has a class loader of its own, in which its classes
 * stand in front of the originals.
 */
public final class Judge {
    static final class Loader extends ClassLoader {
        final Map<String, byte[]> first;
        final Map<String, byte[]> rest;

        Loader(Map<String, byte[]> first, Map<String, byte[]> rest) {
            super(ClassLoader.getPlatformClassLoader());
            this.first = first;
            this.rest = rest;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] data = first.getOrDefault(name, rest.get(name));
            if (data == null) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, data, 0, data.length);
        }
    }

    public static void main(String[] args) throws Exception {
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(Path.of(args[1]))));
                PrintWriter out = new PrintWriter(Files.newBufferedWriter(Path.of(args[2])))) {
            int batches = in.readInt();
            Map<String, byte[]> originals = Map.of();
            for (int i = 0; i < batches; i++) {
                List<String> names = new ArrayList<>();
                Map<String, byte[]> batch = batch(in, names);
                if (i == 0) {
                    originals = batch;
                }
                Loader loader = new Loader(batch, originals);
                for (String name : names) {
                    String said = args[0].equals("run") ? run(loader) : link(loader, name);
                    out.println(said.replaceAll("\\s+", " "));
                }
            }
        }
        System.exit(0); // a mutant may still be running
    }

    static Map<String, byte[]> batch(DataInputStream in, List<String> names) throws IOException {
        Map<String, byte[]> classes = new HashMap<>();
        for (int n = in.readInt(); n > 0; n--) {
            String name = in.readUTF().replace('/', '.');
            byte[] data = new byte[in.readInt()];
            in.readFully(data);
            classes.put(name, data);
            names.add(name);
        }
        return classes;
    }

    /** Links a class, and so verifies it, by asking for its methods, which does not initialize it. */
    static String link(Loader loader, String name) {
        try {
            loader.loadClass(name).getDeclaredMethods();
            return "linked";
        } catch (Throwable t) {
            return String.valueOf(t);
        }
    }

    /** Runs static String run() of the class p.Main. */
    static String run(Loader loader) throws InterruptedException {
        String[] said = {"still running"};
        Thread thread = new Thread(() -> {
            try {
                said[0] = String.valueOf(Class.forName("p.Main", true, loader).getMethod("run").invoke(null));
            } catch (java.lang.reflect.InvocationTargetException e) {
                said[0] = String.valueOf(e.getCause());
            } catch (Throwable t) {
                said[0] = String.valueOf(t);
            }
        });
        thread.setDaemon(true);
        thread.start();
        thread.join(1000);
        return said[0];
    }
}
