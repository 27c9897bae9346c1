import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Templates of which invocations end differently. */
class Mixed {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void some(int n) {
        Values.of(n);
        assertNotEquals(3, n);
        assumeTrue(n != 5);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void first(int n) {
        assertNotEquals(1, n);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void all(int n) {
        Values.of(n);
        if (n == 3) {
            Values.last();
        }
    }
}

/** Has a template that ends the JVM. */
class Halting {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void halts(int n) {
        Values.of(n);
        if (n == 2) {
            Runtime.getRuntime().halt(7);
        }
    }
}

class Values {
    static int of(int n) {
        return n;
    }

    static void last() {}
}
