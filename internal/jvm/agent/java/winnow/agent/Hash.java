package winnow.agent;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** xxHash64 with seed 0, the hash by which the plan knows classes. */
final class Hash {
    private static final long P1 = 0x9E3779B185EBCA87L;
    private static final long P2 = 0xC2B2AE3D27D4EB4FL;
    private static final long P3 = 0x165667B19E3779F9L;
    private static final long P4 = 0x85EBCA77C2B2AE63L;
    private static final long P5 = 0x27D4EB2F165667C5L;

    private Hash() {}

    static long of(byte[] data) {
        ByteBuffer b = ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN);
        int at = 0;
        long h = P5;
        if (data.length >= 32) {
            long v1 = P1 + P2;
            long v2 = P2;
            long v3 = 0;
            long v4 = -P1;
            for (; at + 32 <= data.length; at += 32) {
                v1 = round(v1, b.getLong(at));
                v2 = round(v2, b.getLong(at + 8));
                v3 = round(v3, b.getLong(at + 16));
                v4 = round(v4, b.getLong(at + 24));
            }
            h = Long.rotateLeft(v1, 1) + Long.rotateLeft(v2, 7) + Long.rotateLeft(v3, 12) + Long.rotateLeft(v4, 18);
            h = merge(merge(merge(merge(h, v1), v2), v3), v4);
        }
        return tail(h + data.length, b, at);
    }

    private static long round(long acc, long word) {
        return Long.rotateLeft(acc + word * P2, 31) * P1;
    }

    private static long merge(long h, long v) {
        return (h ^ round(0, v)) * P1 + P4;
    }

    private static long tail(long h, ByteBuffer b, int at) {
        int end = b.capacity();
        for (; at + 8 <= end; at += 8) {
            h = Long.rotateLeft(h ^ round(0, b.getLong(at)), 27) * P1 + P4;
        }
        if (at + 4 <= end) {
            h = Long.rotateLeft(h ^ (b.getInt(at) & 0xFFFFFFFFL) * P1, 23) * P2 + P3;
            at += 4;
        }
        for (; at < end; at++) {
            h = Long.rotateLeft(h ^ (b.get(at) & 0xFF) * P5, 11) * P1;
        }
        h = (h ^ h >>> 33) * P2;
        h = (h ^ h >>> 29) * P3;
        return h ^ h >>> 32;
    }
}
