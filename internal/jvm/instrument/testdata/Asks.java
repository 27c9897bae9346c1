import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/** Asks the JDK for things that do not exist, in every way that has a hook. */
public class Asks {
    static void quietly(Callable<?> c) {
        try {
            c.call();
        } catch (Throwable t) {
            // that it was asked for is what counts
        }
    }

    public static String run() {
        quietly(() -> new FileInputStream("/no/read"));
        quietly(() -> new FileOutputStream("/no/write"));
        quietly(() -> new RandomAccessFile("/no/random", "r"));
        quietly(() -> new File("/no/exists").exists());
        quietly(() -> new File("/no/list").list());
        quietly(() -> Files.newInputStream(Path.of("/no/nio-read")));
        quietly(() -> Files.exists(Path.of("/no/nio-exists")));
        quietly(() -> Files.newDirectoryStream(Path.of("/no/nio-list")));
        quietly(() -> Files.createSymbolicLink(Path.of("/no/link"), Path.of("/no/target")));
        quietly(() -> Files.createLink(Path.of("/no/new"), Path.of("/no/old")));
        quietly(() -> Asks.class.getPackage().getImplementationVersion());
        quietly(() -> System.getProperty("no.property"));
        quietly(() -> Integer.getInteger("no.integer"));
        quietly(() -> System.getProperties());
        quietly(() -> System.getenv("NO_VARIABLE"));
        quietly(() -> System.getenv().containsValue("no"));
        quietly(() -> System.getenv().keySet().iterator());
        quietly(() -> System.getenv().entrySet().iterator().next().getValue());
        quietly(() -> new ProcessBuilder("/no/process").start());
        quietly(() -> ClassLoader.getSystemClassLoader().getResource("no-resource"));
        quietly(() -> ClassLoader.getSystemClassLoader().getResources("no-resources"));
        quietly(() -> Class.forName("no.such.Type", true, ClassLoader.getSystemClassLoader()));
        return "done";
    }
}
