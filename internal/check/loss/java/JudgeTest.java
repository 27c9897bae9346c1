package winnow.judge;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import jdk.internal.org.objectweb.asm.ClassReader;
import jdk.internal.org.objectweb.asm.ClassVisitor;
import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;
import jdk.internal.org.objectweb.asm.util.Textifier;
import jdk.internal.org.objectweb.asm.util.TraceMethodVisitor;

/**
 * Decodes class files with ASM, as the JDK has it. The resource classes.txt has a class in each line, its bytes in Base64. A line "M owner TAB method TAB digest TAB normal" of the answer is a method with
 * the digest of its instructions, and the one without the numbers that compilers give; a line "C name TAB bytes" is the class with a note of every method that is entered.
 */
public class JudgeTest {
    private final StringBuilder out = new StringBuilder();

    public Object decode() throws Exception {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(JudgeTest.class.getResourceAsStream("/classes.txt"), StandardCharsets.US_ASCII))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (!line.isEmpty()) {
                    one(Base64.getDecoder().decode(line));
                }
            }
        }
        return out.toString();
    }

    private void one(byte[] data) throws Exception {
        ClassReader reader = new ClassReader(data);
        reader.accept(new Digests(reader.getClassName()), ClassReader.SKIP_DEBUG);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new Notes(writer, reader.getClassName()), 0);
        out.append("C ").append(reader.getClassName()).append('\t').append(Base64.getEncoder().encodeToString(writer.toByteArray())).append('\n');
    }

    /** Names of what compilers number, without the number. */
    static String normal(String text) {
        return text.replaceAll("\\$\\d+", "\\$N");
    }

    private static String digest(String text) throws Exception {
        byte[] sum = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        return Base64.getEncoder().encodeToString(sum).substring(0, 22);
    }

    private final class Digests extends ClassVisitor {
        private final String owner;

        Digests(String owner) {
            super(Opcodes.ASM8);
            this.owner = owner;
        }

        @Override
        @SuppressWarnings("deprecation")
        public void visitPermittedSubclassExperimental(String name) {
            // What a sealed class permits is no part of a method.
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
            Textifier text = new Textifier();
            return new MethodVisitor(Opcodes.ASM8, new TraceMethodVisitor(text)) {
                @Override
                public void visitEnd() {
                    super.visitEnd();
                    StringWriter code = new StringWriter();
                    text.print(new PrintWriter(code, true));
                    String all = access + "\n" + code;
                    try {
                        out.append("M ").append(owner).append('\t').append(name).append(descriptor).append('\t').append(digest(all)).append('\t').append(digest(normal(all))).append('\n');
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                }
            };
        }
    }

    private static final class Notes extends ClassVisitor {
        private final String owner;

        Notes(ClassVisitor next, String owner) {
            super(Opcodes.ASM8, next);
            this.owner = owner;
        }

        @Override
        @SuppressWarnings("deprecation")
        public void visitPermittedSubclassExperimental(String name) {
            cv.visitPermittedSubclassExperimental(name); // the visitor of this version of ASM does not pass it on
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
            return new MethodVisitor(Opcodes.ASM8, next) {
                @Override
                public void visitCode() {
                    super.visitCode();
                    super.visitLdcInsn(owner + "\t" + name + descriptor);
                    super.visitMethodInsn(Opcodes.INVOKESTATIC, "winnow/judge/Hits", "hit", "(Ljava/lang/String;)V", false);
                }
            };
        }
    }
}
