package app;

import java.io.InputStream;
import java.lang.module.ModuleReader;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;

/** Loads classes and reads what lies beside them. */
public class Main {
    public static void main(String[] args) throws Exception {
        Path main = Paths.get(args[0]);
        is(Loaded.run() + patch.Patch.run() + lib.Lib.run() == 3);
        is(has(Main.class.getResourceAsStream("found.txt")) && Main.class.getResourceAsStream("none.txt") == null);
        is(has(Main.class.getModule().getResourceAsStream("app/Seen.class")));
        is(Files.readAllBytes(main.resolve("app/Loaded.class")).length > 0);
        is(has(lib.Lib.class.getResourceAsStream("found.txt")) && has(lib.Lib.class.getModule().getResourceAsStream("lib/Lib.class")));
        try (ModuleReader r = ModuleLayer.boot().configuration().findModule("lib").get().reference().open()) {
            is(!r.open("lib/read.txt").isPresent());
        }
        is(Class.forName(Main.class.getModule(), "app.None") == null && Class.forName(Main.class.getModule(), "no.None") == null);
        plug(Paths.get(args[1]));
    }

    private static void plug(Path dir) throws Exception {
        try (URLClassLoader l = new URLClassLoader(new URL[] {dir.toUri().toURL()}, Main.class.getClassLoader())) {
            l.loadClass("plugins.Plugin");
            l.loadClass("plugins.None");
            is(false);
        } catch (ClassNotFoundException e) {
            is(e.getMessage().equals("plugins.None"));
        }
    }

    private static boolean has(InputStream in) throws Exception {
        try (InputStream i = in) {
            return i.readAllBytes().length > 0;
        }
    }

    private static void is(boolean ok) {
        if (!ok) {
            throw new AssertionError();
        }
    }
}
