import java.io.File;
import java.io.ObjectStreamClass;
import java.io.PrintWriter;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * What a JVM says about classes. The first argument says what to do, the second is the file for the answer; each line of it is about one class.
 * A class is linked, and so verified, by asking for its methods, which does not initialize it.
 */
public final class Judge {
    interface Look {
        Class<?> load(String name) throws Throwable;
    }

    public static void main(String[] args) throws Throwable {
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(Path.of(args[1])))) {
            List<String> rest = Arrays.asList(args).subList(2, args.length);
            switch (args[0]) {
                case "modules" -> modules(out, rest);
                case "jars" -> jars(out, rest);
                case "reflect" -> reflect(out, rest);
                case "run" -> run(out, rest);
                case "compile" -> compile(out, rest);
                default -> throw new IllegalArgumentException(args[0]);
            }
        }
    }

    /** Links classes of modules: a file with lines of module and class. */
    static void modules(PrintWriter out, List<String> args) throws Throwable {
        for (String line : Files.readAllLines(Path.of(args.get(0)))) {
            String[] part = line.split(" ", 2);
            Module module = ModuleLayer.boot().findModule(part[0]).orElse(null);
            if (module == null) {
                out.println(part[1] + "\tno module " + part[0]);
                continue;
            }
            link(out, part[1], name -> Objects.requireNonNull(Class.forName(module, name), "not found"));
        }
    }

    /** Links classes of jars: a file with lines of two or more, the names of a jar, of jars to load with it, and of its classes, each list in a file. */
    static void jars(PrintWriter out, List<String> args) throws Throwable {
        for (String line : Files.readAllLines(Path.of(args.get(0)))) {
            String[] part = line.split("\t");
            List<String> path = new ArrayList<>(List.of(part[0]));
            path.addAll(Files.readAllLines(Path.of(args.get(1))));
            try (URLClassLoader loader = loader(path)) {
                for (String name : Files.readAllLines(Path.of(part[1]))) {
                    link(out, name, loader::loadClass);
                }
            }
        }
    }

    static URLClassLoader loader(List<String> path) throws Exception {
        URL[] urls = new URL[path.size()];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = new File(path.get(i)).toURI().toURL();
        }
        return new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
    }

    static void link(PrintWriter out, String name, Look look) {
        String said = "linked";
        try {
            look.load(name).getDeclaredMethods();
        } catch (Throwable t) {
            said = said(t);
        }
        out.println(name + "\t" + said);
    }

    static String said(Throwable t) {
        return String.valueOf(t).replaceAll("\\s+", " ");
    }

    /** Compares what reflection sees of classes in two jars: first jar, second jar, file with names. */
    static void reflect(PrintWriter out, List<String> args) throws Throwable {
        try (URLClassLoader one = loader(List.of(args.get(0))); URLClassLoader two = loader(List.of(args.get(1)))) {
            for (String name : Files.readAllLines(Path.of(args.get(2)))) {
                List<String> a = describe(one, name);
                List<String> b = describe(two, name);
                out.println(name + "\t" + (a.equals(b) ? "same " + a.size() : "differs: " + a + " " + b));
            }
        }
    }

    static List<String> describe(ClassLoader loader, String name) {
        List<String> all = new ArrayList<>();
        try {
            Class<?> c = Class.forName(name, false, loader);
            all.add(c.toGenericString() + " " + c.getModifiers() + " " + c.getGenericSuperclass() + Arrays.toString(c.getGenericInterfaces()));
            annotations(all, c);
            for (Field f : c.getDeclaredFields()) {
                all.add(f.toGenericString() + " " + f.getModifiers() + " " + f.isSynthetic());
                annotations(all, f);
            }
            for (Method m : c.getDeclaredMethods()) {
                all.add(m.toGenericString() + " " + m.isBridge() + Arrays.deepToString(new Object[] {m.getDefaultValue()}));
                executable(all, m);
            }
            for (Constructor<?> m : c.getDeclaredConstructors()) {
                all.add(m.toGenericString());
                executable(all, m);
            }
            all.add(names(c.getDeclaredClasses()) + c.getEnclosingClass() + c.getEnclosingMethod() + c.getNestHost() + names(c.getNestMembers()));
            all.add(c.isSealed() ? names(c.getPermittedSubclasses()) : "");
            all.add(c.isRecord() ? Arrays.toString(c.getRecordComponents()) : "");
            // Last, because it initializes the class: an initializer that fails says the same in both.
            all.add("serialVersionUID " + ObjectStreamClass.lookupAny(c).getSerialVersionUID());
        } catch (Throwable t) {
            all.add(said(t));
        }
        all.sort(null); // the order of reflection's lists is not defined
        return all;
    }

    static String names(Class<?>[] classes) {
        return Arrays.toString(Arrays.stream(classes).map(Class::getName).sorted().toArray());
    }

    static void executable(List<String> all, Executable e) {
        all.add(e.getModifiers() + " " + e.isSynthetic() + e.isVarArgs() + Arrays.toString(e.getParameters()) + Arrays.toString(e.getGenericExceptionTypes()));
        all.add(Arrays.deepToString(e.getParameterAnnotations()));
        annotations(all, e);
    }

    static void annotations(List<String> all, AnnotatedElement e) {
        all.add(Arrays.toString(e.getDeclaredAnnotations()));
    }

    /** Runs static String run() of classes in two directories; of the second, also tells what the probe class saw. */
    static void run(PrintWriter out, List<String> args) throws Throwable {
        try (URLClassLoader one = loader(List.of(args.get(0))); URLClassLoader two = loader(List.of(args.get(1)))) {
            for (String name : args.subList(2, args.size())) {
                out.println(name + "\t" + result(one, name));
                out.println(name + "\t" + result(two, name));
                out.println(name + "\t" + seen());
            }
        }
    }

    static String result(ClassLoader loader, String name) {
        try {
            Method run = Class.forName(name, true, loader).getMethod("run");
            run.setAccessible(true);
            return String.valueOf(run.invoke(null));
        } catch (Throwable t) {
            while (t.getCause() != null) {
                t = t.getCause();
            }
            return said(t);
        }
    }

    static String seen() throws Exception {
        Class<?> probe = Class.forName("java.lang.$Winnow");
        byte[] hits = (byte[]) probe.getField("A").get(null);
        Field calls = probe.getField("calls");
        Object[] log = (Object[]) probe.getField("LOG").get(null);
        String text = "";
        for (int i = 0; i < hits.length; i++) {
            if (hits[i] != 0) {
                text += i + " ";
            }
        }
        text += Arrays.deepToString(Arrays.copyOf(log, calls.getInt(null)));
        Arrays.fill(hits, (byte) 0);
        calls.setInt(null, 0);
        return text;
    }

    /** Runs the compiler of this JVM and tells how many methods of it were entered. */
    static void compile(PrintWriter out, List<String> args) throws Throwable {
        int code = javax.tools.ToolProvider.getSystemJavaCompiler().run(null, System.out, System.out, args.toArray(new String[0]));
        int hits = 0;
        try {
            for (byte hit : (byte[]) Class.forName("java.lang.$Winnow").getField("A").get(null)) {
                hits += hit;
            }
        } catch (ClassNotFoundException e) {
            hits = -1;
        }
        out.println("exit\t" + code);
        out.println("entered\t" + hits);
    }
}
