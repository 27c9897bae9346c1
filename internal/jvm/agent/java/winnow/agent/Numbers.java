package winnow.agent;

import java.lang.reflect.Array;
import java.util.Arrays;

/** Arrays of numbers. */
final class Numbers {
    private Numbers() {}

    static int length(Object array) {
        return Array.getLength(array);
    }

    static Object copy(Object array) {
        int n = length(array);
        Object copy = Array.newInstance(array.getClass().getComponentType(), n);
        System.arraycopy(array, 0, copy, 0, n);
        return copy;
    }

    static boolean equal(Object a, Object b) {
        if (a.getClass() != b.getClass()) {
            return false;
        }
        if (a instanceof byte[]) {
            return Arrays.equals((byte[]) a, (byte[]) b);
        }
        if (a instanceof char[]) {
            return Arrays.equals((char[]) a, (char[]) b);
        }
        if (a instanceof int[]) {
            return Arrays.equals((int[]) a, (int[]) b);
        }
        if (a instanceof long[]) {
            return Arrays.equals((long[]) a, (long[]) b);
        }
        if (a instanceof boolean[]) {
            return Arrays.equals((boolean[]) a, (boolean[]) b);
        }
        if (a instanceof short[]) {
            return Arrays.equals((short[]) a, (short[]) b);
        }
        return a instanceof float[] ? Arrays.equals((float[]) a, (float[]) b) : Arrays.equals((double[]) a, (double[]) b);
    }
}
