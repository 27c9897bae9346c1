import java.io.PrintStream;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.stream.Stream;

// Prints module, name and SHA-256 of every resource of the running JDK's image, and module and package of each package.
public class Jrt {
    public static void main(String[] args) throws Exception {
        MessageDigest sha = MessageDigest.getInstance("SHA-256");
        StringBuilder out = new StringBuilder();
        Path root = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
        try (Stream<Path> all = Files.walk(root)) {
            for (Path p : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
                String name = root.relativize(p).toString();
                int slash = name.indexOf('/');
                String hash = HexFormat.of().formatHex(sha.digest(Files.readAllBytes(p)));
                out.append("file\t").append(name, 0, slash).append('\t').append(name.substring(slash + 1)).append('\t').append(hash).append('\n');
            }
        }
        for (Module m : ModuleLayer.boot().modules()) {
            for (String pkg : m.getPackages()) {
                out.append("package\t").append(m.getName()).append('\t').append(pkg.replace('.', '/')).append("\t-\n");
            }
        }
        PrintStream stdout = new PrintStream(System.out, false, "UTF-8");
        stdout.print(out);
        stdout.flush();
    }
}
