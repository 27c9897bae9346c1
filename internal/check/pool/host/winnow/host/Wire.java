package winnow.host;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Numbers, texts and tables on a stream: numbers have 32 bits, most significant byte first; everything else is its length followed by its contents. */
final class Wire {
    private final DataInputStream in;
    private final DataOutputStream out;

    Wire(DataInputStream in, DataOutputStream out) {
        this.in = in;
        this.out = out;
    }

    /** The kind of the next request, -1 at the end. */
    int kind() throws IOException {
        return in.read();
    }

    int number() throws IOException {
        return in.readInt();
    }

    long wide() throws IOException {
        return in.readLong();
    }

    byte[] bytes() throws IOException {
        int length = in.readInt();
        byte[] data = in.readNBytes(length);
        if (data.length < length) {
            throw new EOFException();
        }
        return data;
    }

    String text() throws IOException {
        return new String(bytes(), StandardCharsets.UTF_8);
    }

    String[] texts() throws IOException {
        String[] all = new String[in.readInt()];
        for (int i = 0; i < all.length; i++) {
            all[i] = text();
        }
        return all;
    }

    Map<String, byte[]> files() throws IOException {
        Map<String, byte[]> all = new LinkedHashMap<>();
        for (int n = in.readInt(); n > 0; n--) {
            String name = text();
            all.put(name, bytes());
        }
        return all;
    }

    Wire put(int number) throws IOException {
        out.writeInt(number);
        return this;
    }

    Wire put(byte[] data) throws IOException {
        out.writeInt(data.length);
        out.write(data);
        return this;
    }

    Wire put(String text) throws IOException {
        return put(text.getBytes(StandardCharsets.UTF_8));
    }

    Wire put(int[] numbers, int count) throws IOException {
        out.writeInt(count);
        for (int i = 0; i < count; i++) {
            out.writeInt(numbers[i]);
        }
        return this;
    }

    void flush() throws IOException {
        out.flush();
    }
}
