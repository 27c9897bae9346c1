import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.analysis.IClassCoverage;
import org.jacoco.core.analysis.IMethodCoverage;
import org.jacoco.core.data.ExecutionData;
import org.jacoco.core.internal.data.CRC64;
import org.jacoco.core.tools.ExecFileLoader;
import org.objectweb.asm.ClassReader;

/**
 * Prints which methods JaCoCo saw executed in each JVM. The arguments are the directory of JaCoCo's files and the directories of class files.
 * A line "M class TAB method" gives a method the next number, from 0; a line "S session n n ..." lists the methods of one JVM; a line
 * "U session n" says that n classes ran in it with another content than their class files have.
 */
public final class Executed {
    private final Map<Long, byte[]> classes = new HashMap<>();
    private final Set<String> names = new HashSet<>();
    private final Map<String, Integer> methods = new LinkedHashMap<>();
    private final PrintWriter out;

    private Executed(PrintWriter out) {
        this.out = out;
    }

    public static void main(String[] args) throws Exception {
        try (PrintWriter out = new PrintWriter(System.out, false, StandardCharsets.UTF_8)) {
            Executed executed = new Executed(out);
            for (int i = 1; i < args.length; i++) {
                executed.read(Path.of(args[i]));
            }
            File[] files = new File(args[0]).listFiles((d, name) -> name.endsWith(".exec"));
            if (files == null) {
                throw new IOException("no directory: " + args[0]);
            }
            Arrays.sort(files);
            for (File file : files) {
                executed.session(file);
            }
        }
    }

    private void read(Path directory) throws IOException {
        for (Path file : Methods.classes(directory)) {
            byte[] bytes = Files.readAllBytes(file);
            classes.put(CRC64.classId(bytes), bytes);
            names.add(new ClassReader(bytes).getClassName());
        }
    }

    private void session(File file) throws IOException {
        ExecFileLoader loader = new ExecFileLoader();
        loader.load(file);
        CoverageBuilder builder = new CoverageBuilder();
        Analyzer analyzer = new Analyzer(loader.getExecutionDataStore(), builder);
        int unknown = 0;
        for (ExecutionData data : loader.getExecutionDataStore().getContents()) {
            byte[] bytes = classes.get(data.getId());
            if (bytes == null) {
                unknown += names.contains(data.getName()) ? 1 : 0;
            } else if (data.hasHits()) {
                analyzer.analyzeClass(bytes, data.getName());
            }
        }
        String id = file.getName().replace(".exec", "");
        StringBuilder line = new StringBuilder("S ").append(id);
        for (IClassCoverage c : builder.getClasses()) {
            for (IMethodCoverage m : c.getMethods()) {
                if (m.getInstructionCounter().getCoveredCount() > 0) {
                    line.append(' ').append(number(c.getName() + "\t" + m.getName() + m.getDesc()));
                }
            }
        }
        out.println(line);
        out.println("U " + id + " " + unknown);
    }

    private int number(String method) {
        Integer n = methods.get(method);
        if (n == null) {
            n = methods.size();
            methods.put(method, n);
            out.println("M " + method);
        }
        return n;
    }
}
