import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

// For each line of a file (class name in hexadecimal, then the elements of a class path) prints what a class loader finds: the constant V
// of the class, or the exception. With the word "app" in front of the file, classes are looked up by the application class loader.
public class Judge {
    public static void main(String[] args) throws Exception {
        boolean app = args[0].equals("app");
        for (String line : Files.readAllLines(Path.of(args[args.length - 1]))) {
            String[] f = line.split("\t");
            String name = new String(HexFormat.of().parseHex(f[0]), StandardCharsets.UTF_8).replace('/', '.');
            URL[] urls = new URL[f.length - 1];
            for (int i = 1; i < f.length; i++) {
                urls[i - 1] = new File(f[i]).toURI().toURL();
            }
            ClassLoader loader = app ? ClassLoader.getSystemClassLoader() : new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
            System.out.println(find(loader, name));
        }
    }

    static String find(ClassLoader loader, String name) {
        try {
            return String.valueOf(Class.forName(name, false, loader).getField("V").getInt(null));
        } catch (Throwable e) {
            return e.getClass().getSimpleName();
        }
    }
}
