import java.lang.classfile.ClassFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** What the verifier of java.lang.classfile says about the classes of jars: pairs of a jar and a file for the answer, a line for each class. */
public final class Verify {
    public static void main(String[] args) throws Exception {
        for (int i = 0; i < args.length; i += 2) {
            Files.writeString(Path.of(args[i + 1]), verify(args[i]));
        }
    }

    static String verify(String path) throws Exception {
        StringBuilder out = new StringBuilder();
        try (ZipFile jar = new ZipFile(path)) {
            for (ZipEntry e : jar.stream().toList()) {
                List<VerifyError> errors = ClassFile.of().verify(jar.getInputStream(e).readAllBytes());
                String said = errors.isEmpty() ? "linked" : errors.getFirst().getMessage().replaceAll("\\s+", " ");
                out.append(e.getName()).append('\t').append(said).append('\n');
            }
        }
        return out.toString();
    }
}
