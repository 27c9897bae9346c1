package winnow.agent;

import java.io.File;
import java.net.JarURLConnection;
import java.net.URL;

/** Jars that a program reads as files. Those on the class path are known by their classes and resources, as long as only the JDK opens them. */
final class Jars {
    private Jars() {
    }

    /** Whether this is a jar, and not the JDK looks at it for one of its loaders or URLs. */
    static boolean isRead(Object file) {
        if (!file.toString().endsWith(".jar")) {
            return false;
        }
        for (StackTraceElement frame : new Throwable().getStackTrace()) {
            String c = frame.getClassName();
            if (loads(c)) {
                return false;
            }
            if (!Events.ofJdk(c) && !c.startsWith("winnow.agent.")) {
                return true;
            }
        }
        return false;
    }

    private static boolean loads(String c) {
        return c.startsWith("jdk.internal.loader.") || c.startsWith("jdk.internal.module.") || c.startsWith("java.net.URLClassLoader") || c.startsWith("sun.misc.URLClassPath") || c.startsWith("sun.net.www.protocol.jar.") || c.startsWith("sun.instrument.");
    }

    /** The jar behind a connection, null if it is no file. */
    static File of(Object connection) {
        try {
            URL jar = ((JarURLConnection) connection).getJarFileURL();
            return jar.getProtocol().equals("file") ? new File(jar.toURI()) : null;
        } catch (Exception e) {
            return null;
        }
    }
}
