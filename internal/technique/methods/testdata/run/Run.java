import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;

/** Runs p.T.test() of the program in each directory, each with a loader of its own, and prints what it returned or threw. */
public class Run {
    public static void main(String[] dirs) throws Exception {
        for (String dir : dirs) {
            URL[] path = { new File(dir).toURI().toURL() };
            try (URLClassLoader loader = new URLClassLoader(path, ClassLoader.getPlatformClassLoader())) {
                String result;
                try {
                    result = String.valueOf(loader.loadClass("p.T").getMethod("test").invoke(null));
                } catch (InvocationTargetException e) {
                    result = e.getCause().getClass().getName();
                }
                System.out.println(result);
            }
        }
    }
}
