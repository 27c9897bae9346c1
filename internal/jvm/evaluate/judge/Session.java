import java.lang.instrument.Instrumentation;
import java.lang.management.ManagementFactory;
import java.util.jar.JarFile;

/**
 * A Java agent that starts JaCoCo's agent with a file of its own for each JVM, and leaves the name of that file in a system property. Surefire
 * writes the system properties of the test JVM into its reports: that tells which file belongs to which test class.
 *
 * The argument is JaCoCo's agent jar, a semicolon, the directory of the files, a semicolon, and the patterns of the classes to look at.
 */
public final class Session {
    static final String PROPERTY = "evaluate.session";

    private Session() {}

    public static void premain(String argument, Instrumentation instrumentation) throws Exception {
        String[] parts = argument.split(";", 3);
        String id = ManagementFactory.getRuntimeMXBean().getName().replaceAll("[^0-9].*", "") + "-" + System.nanoTime();
        System.setProperty(PROPERTY, id);
        JarFile jar = new JarFile(parts[0]);
        instrumentation.appendToSystemClassLoaderSearch(jar);
        String main = jar.getManifest().getMainAttributes().getValue("Premain-Class");
        Class.forName(main, true, ClassLoader.getSystemClassLoader())
                .getMethod("premain", String.class, Instrumentation.class)
                .invoke(null, "destfile=" + parts[1] + "/" + id + ".exec,inclnolocationclasses=false,includes=" + parts[2], instrumentation);
    }
}
