import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.TypePath;
import org.objectweb.asm.util.Textifier;
import org.objectweb.asm.util.TraceMethodVisitor;

/**
 * Prints a line for every method with code below the given directories: class, name with descriptor, digest of ASM's listing of the code. Left out of
 * it are debug information, stack map frames, annotations inside of code, which no program can ask for, and the number that javac gives a lambda, because an
 * unrelated lambda added above changes it. For every class there is a line with "(class)" or "(interface)" instead of a method, and the digest of its file.
 */
public final class Methods {
    private Methods() {}

    public static void main(String[] directories) throws Exception {
        try (PrintWriter out = new PrintWriter(System.out, false, StandardCharsets.UTF_8)) {
            for (String directory : directories) {
                for (Path file : classes(Path.of(directory))) {
                    print(Files.readAllBytes(file), out);
                }
            }
        }
    }

    /** The class files that a JVM finds in a directory: versions for other releases count in jars only. */
    static List<Path> classes(Path directory) throws IOException {
        Path versions = directory.resolve("META-INF");
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(f -> f.toString().endsWith(".class") && !f.startsWith(versions)).sorted().collect(Collectors.toList());
        }
    }

    private static void print(byte[] bytes, PrintWriter out) {
        ClassReader reader = new ClassReader(bytes);
        boolean isInterface = (reader.getAccess() & Opcodes.ACC_INTERFACE) != 0;
        out.println(reader.getClassName() + "\t" + (isInterface ? "(interface)" : "(class)") + "\t" + digest(bytes));
        new ClassReader(plain(reader)).accept(new ClassVisitor(Opcodes.ASM9) {
            @Override
            public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
                if ((access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) != 0) {
                    return null;
                }
                Textifier text = new Textifier();
                return new MethodVisitor(Opcodes.ASM9, new TraceMethodVisitor(text)) {
                    @Override
                    public void visitEnd() {
                        super.visitEnd();
                        out.println(reader.getClassName() + "\t" + name + descriptor + "\t" + digest(access, text));
                    }
                };
            }
        }, 0);
    }

    /** The class without what is left out of listings. It is written anew because the ends of what an annotation is about would stand in the listing, too. */
    private static byte[] plain(ClassReader reader) {
        ClassWriter out = new ClassWriter(0);
        reader.accept(new ClassVisitor(Opcodes.ASM9, out) {
            @Override
            public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
                return new MethodVisitor(Opcodes.ASM9, super.visitMethod(access, name, descriptor, signature, exceptions)) {
                    @Override
                    public AnnotationVisitor visitInsnAnnotation(int where, TypePath path, String type, boolean visible) {
                        return null;
                    }

                    @Override
                    public AnnotationVisitor visitTryCatchAnnotation(int where, TypePath path, String type, boolean visible) {
                        return null;
                    }

                    @Override
                    public AnnotationVisitor visitLocalVariableAnnotation(
                            int where, TypePath path, Label[] start, Label[] end, int[] index, String type, boolean visible) {
                        return null;
                    }
                };
            }
        }, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        return out.toByteArray();
    }

    private static String digest(int access, Textifier text) {
        StringWriter listing = new StringWriter();
        PrintWriter to = new PrintWriter(listing);
        text.print(to);
        to.flush();
        String code = access + "\n" + listing.toString().replaceAll("(lambda\\$\\w+\\$)\\d+", "$1");
        return digest(code.getBytes(StandardCharsets.UTF_8));
    }

    private static String digest(byte[] bytes) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
            StringBuilder hex = new StringBuilder();
            for (int i = 0; i < 12; i++) {
                hex.append(String.format("%02x", hash[i]));
            }
            return hex.toString();
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
