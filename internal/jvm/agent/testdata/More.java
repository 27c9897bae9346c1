import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.suite.api.SelectClasses;
import org.junit.platform.suite.api.Suite;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(Around.class)
class More implements Common {
    final Object made = Act.made();

    @BeforeAll
    void all() {
        Act.all();
    }

    @Test
    void plain() {
        Act.plain();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void many(int n) {
        Act.many(n);
    }

    @ParameterizedTest
    @MethodSource("Source#numbers")
    void sourced(int n) {
        Act.sourced(n);
    }

    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class Deep {
        @BeforeAll
        void all() {
            Act.deepAll();
        }

        @Test
        void inner() {
            Act.inner();
        }
    }
}

interface Common {
    @Test
    default void common() {
        Act.common();
    }
}

class Source {
    static Stream<Integer> numbers() {
        return Stream.of(Act.number());
    }
}

class Around implements BeforeAllCallback, BeforeEachCallback {
    @Override
    public void beforeAll(ExtensionContext context) {
        Act.beforeAll();
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        Act.beforeEach();
    }
}

@Suite
@SelectClasses({More.class, Other.class})
class Both {}

class Act {
    static Object made() { return ""; }
    static void all() {}
    static void plain() {}
    static void many(int n) {}
    static void sourced(int n) {}
    static void deepAll() {}
    static void inner() {}
    static void common() {}
    static int number() { return 1; }
    static void beforeAll() {}
    static void beforeEach() {}
}
