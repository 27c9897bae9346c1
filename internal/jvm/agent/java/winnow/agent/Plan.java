package winnow.agent;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.zip.CRC32;

/** The plan file. Its format is in doc.go; tables stay as bytes and are searched in place, so that reading a plan costs no time per class. */
final class Plan {
    private static final int RECORD = 40;

    final long digest;
    final String logs;
    final String home;
    final String version;
    final int ids;
    final String[] packs;
    final JdkClass[] jdk;
    final Set<String> excluded = new HashSet<>();
    final int classes;

    private final ByteBuffer in;
    private final int classesAt;
    private final int names;
    private final int namesAt;
    private final int own;
    private final int ownAt;
    private final RandomAccessFile[] open;

    /** Whether receivers and reflective calls are recorded. */
    final boolean studies;

    /** The thread that reads a pack: the files that it opens are not the program's. */
    volatile Thread reader;

    /** A class of the JDK with its hooks. */
    static final class JdkClass {
        final String name;
        final int record;

        JdkClass(String name, int record) {
            this.name = name;
            this.record = record;
        }
    }

    Plan(byte[] data) throws IOException {
        in = ByteBuffer.wrap(data);
        CRC32 crc = new CRC32();
        if (data.length < 20 || in.getLong() != 0x574E504C414E310AL) {
            throw new IOException("not a plan of this version");
        }
        crc.update(data, 12, data.length - 12);
        if (in.getInt() != (int) crc.getValue()) {
            throw new IOException("the plan is damaged");
        }
        digest = in.getLong();
        logs = text();
        home = text();
        version = text();
        ids = in.getInt();
        packs = new String[in.getInt()];
        for (int i = 0; i < packs.length; i++) {
            packs[i] = text();
        }
        open = new RandomAccessFile[packs.length];
        jdk = new JdkClass[in.getInt()];
        for (int i = 0; i < jdk.length; i++) {
            jdk[i] = new JdkClass(text(), in.position());
            in.position(in.position() + RECORD);
        }
        for (int n = in.getInt(); n > 0; n--) {
            excluded.add(text());
        }
        classes = in.getInt();
        classesAt = in.position();
        in.position(classesAt + classes * RECORD);
        names = in.getInt();
        namesAt = in.position();
        in.position(namesAt + names * 8);
        studies = in.hasRemaining();
        own = studies ? in.getInt() : 0;
        ownAt = in.position();
    }

    private String text() {
        byte[] b = new byte[in.getInt()];
        in.get(b);
        return new String(b, StandardCharsets.UTF_8);
    }

    /** The index of the class with these bytes, -1 if there is none. */
    int find(byte[] original) {
        long hash = Hash.of(original);
        int at = search(classesAt, classes, RECORD, hash);
        return at >= 0 && matches(classesAt + at * RECORD, hash, original.length) ? at : -1;
    }

    boolean matches(int record, long hash, int length) {
        return in.getLong(record) == hash && in.getInt(record + 8) == length;
    }

    boolean hasName(String name) {
        return search(namesAt, names, 8, Hash.of(name.getBytes(StandardCharsets.UTF_8))) >= 0;
    }

    /** Whether a class, by its binary name, counts as the project's own. */
    boolean isOwn(String name) {
        return search(ownAt, own, 8, Hash.of(name.replace('.', '/').getBytes(StandardCharsets.UTF_8))) >= 0;
    }

    private int search(int base, int count, int stride, long key) {
        int low = 0;
        int high = count - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int c = Long.compareUnsigned(in.getLong(base + middle * stride), key);
            if (c == 0) {
                return middle;
            }
            if (c < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }

    int idsOf(int index) {
        return in.getInt(classesAt + index * RECORD + 36);
    }

    /** Whether a class has nothing to insert into, so that there are no other bytes of it. */
    boolean isSame(int index) {
        return in.getInt(classesAt + index * RECORD + 24) == 0;
    }

    /** The bytes of a class with its ids counted from base. */
    byte[] read(int index, int base) throws IOException {
        int record = classesAt + index * RECORD;
        byte[] b = readAt(record);
        int at = in.getInt(record + 32);
        for (int k = idsOf(index); k > 0; k--, at += 5) {
            ByteBuffer.wrap(b).putInt(at, base++);
        }
        return b;
    }

    /** The bytes that a record leads to. A pack that was damaged after planning must not reach the JVM. */
    synchronized byte[] readAt(int record) throws IOException {
        reader = Thread.currentThread();
        try {
            int pack = in.getInt(record + 12);
            if (open[pack] == null) {
                open[pack] = new RandomAccessFile(packs[pack], "r");
            }
            byte[] b = new byte[in.getInt(record + 24)];
            open[pack].seek(in.getLong(record + 16));
            open[pack].readFully(b);
            CRC32 crc = new CRC32();
            crc.update(b, 0, b.length);
            if ((int) crc.getValue() != in.getInt(record + 28)) {
                throw new IOException("a pack is damaged");
            }
            return b;
        } finally {
            reader = null;
        }
    }
}
