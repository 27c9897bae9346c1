import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;

/**
 * Times ASM reading every class of a pack into a tree, on one thread, in processor time of that thread: other programs may share the machine.
 *
 * <p>Arguments: the pack, the number of passes for warming up, the number of timed passes. Prints one line of JSON.
 */
public final class Bench {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** Read after each pass, so that no part of a tree is dead code. */
    private static volatile long sink;

    public static void main(String[] args) throws IOException {
        List<byte[]> classes = read(Path.of(args[0]));
        for (int i = Integer.parseInt(args[1]); i > 0; i--) {
            pass(classes);
        }
        long[] nanos = new long[Integer.parseInt(args[2])];
        for (int i = 0; i < nanos.length; i++) {
            System.gc(); // outside the timed part: a pass pays only for its own garbage
            nanos[i] = pass(classes);
        }
        Arrays.sort(nanos);
        System.out.printf("{\"classes\": %d, \"passes\": %d, \"best\": %d, \"median\": %d}%n",
                classes.size(), nanos.length, nanos[0], nanos[nanos.length / 2]);
    }

    private static long pass(List<byte[]> classes) {
        long start = THREADS.getCurrentThreadCpuTime();
        long members = 0;
        for (byte[] data : classes) {
            ClassNode node = new ClassNode();
            new ClassReader(data).accept(node, 0);
            members += node.methods.size() + node.fields.size();
        }
        sink = members;
        return THREADS.getCurrentThreadCpuTime() - start;
    }

    private static List<byte[]> read(Path pack) throws IOException {
        List<byte[]> classes = new ArrayList<>();
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(pack)))) {
            while (true) {
                int length;
                try {
                    length = in.readInt();
                } catch (EOFException end) {
                    return classes;
                }
                byte[] data = in.readNBytes(length);
                if (data.length < length) {
                    throw new EOFException(pack + " ends inside a class");
                }
                classes.add(data);
            }
        }
    }
}
