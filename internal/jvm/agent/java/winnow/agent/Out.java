package winnow.agent;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A buffer of records. */
final class Out {
    byte[] b = new byte[1024];
    int size;

    private void need(int n) {
        if (b.length - size < n) {
            b = Arrays.copyOf(b, Math.max(2 * b.length, size + n));
        }
    }

    Out u1(int v) {
        need(1);
        b[size++] = (byte) v;
        return this;
    }

    Out u4(int v) {
        return u1(v >> 24).u1(v >> 16).u1(v >> 8).u1(v);
    }

    Out u8(long v) {
        return u4((int) (v >> 32)).u4((int) v);
    }

    /** Seven bits a byte, the lowest first. */
    Out number(long v) {
        while ((v & ~0x7FL) != 0) {
            u1((int) v | 0x80);
            v >>>= 7;
        }
        return u1((int) v);
    }

    Out text(String s) {
        byte[] t = s.getBytes(StandardCharsets.UTF_8);
        return number(t.length).bytes(t, t.length);
    }

    Out bytes(byte[] from, int n) {
        need(n);
        System.arraycopy(from, 0, b, size, n);
        size += n;
        return this;
    }

    /** A rising sequence: its length and the gaps. */
    Out rising(int[] sorted, int n) {
        number(n);
        int next = 0;
        for (int i = 0; i < n; i++) {
            number(sorted[i] - next);
            next = sorted[i] + 1;
        }
        return this;
    }

    /** A set of ids, as gaps or as bits, whichever is shorter. */
    Out ids(int[] sorted, int n) {
        Out gaps = new Out().rising(sorted, n);
        int length = n == 0 ? 0 : sorted[n - 1] / 8 + 1;
        if (length + numberLength(length) >= gaps.size) {
            return u1(0).bytes(gaps.b, gaps.size);
        }
        byte[] bits = new byte[length];
        for (int i = 0; i < n; i++) {
            bits[sorted[i] >> 3] |= (byte) (1 << (sorted[i] & 7));
        }
        return u1(1).number(length).bytes(bits, length);
    }

    private static int numberLength(int v) {
        int n = 1;
        while ((v >>>= 7) != 0) {
            n++;
        }
        return n;
    }
}
