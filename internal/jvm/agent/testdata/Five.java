import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

class Base {
    @Test
    void inherited() {
        Code.inherited();
    }
}

public class Five extends Base {
    final Code code = Code.constructed();

    @BeforeAll
    static void all() {
        Code.all();
    }

    @AfterAll
    static void after() {
        Code.after();
    }

    @BeforeEach
    void each() {
        Code.each();
    }

    @Test
    void one() {
        Code.one();
        assertEquals(7, Lazy.value());
    }

    @Test
    void two() {
        Code.two();
        assertEquals(7, Lazy.value());
    }

    @Test
    void fails() {
        assertEquals(1, Code.fails());
    }

    @Test
    void aborts() {
        assumeTrue(Code.aborts());
    }

    @Test
    @Disabled
    void skipped() {
        Code.skipped();
    }

    @RepeatedTest(2)
    void repeated() {
        Code.repeated();
    }

    @TestFactory
    Stream<DynamicTest> factory() {
        Code.factory();
        return Stream.of("a", "b").map(s -> DynamicTest.dynamicTest(s, () -> Code.dynamic(s)));
    }

    @TestTemplate
    @ExtendWith(Parameters.class)
    void template(int n) {
        Code.template(n);
    }

    @Nested
    class Inner {
        @Test
        void deep() {
            Code.deep();
        }
    }
}

class Other {
    @Test
    void alone() {
        Code.alone();
    }

    @Test
    void again() {
        assertEquals(7, Lazy.value());
    }
}

class Code {
    static Code constructed() { return new Code(); }
    static void all() {}
    static void after() {}
    static void each() {}
    static void inherited() {}
    static void one() {}
    static void two() {}
    static int fails() { return 2; }
    static boolean aborts() { return false; }
    static void skipped() {}
    static void repeated() {}
    static void factory() {}
    static void dynamic(String s) {}
    static void template(int n) {}
    static void deep() {}
    static void alone() {}
}

/** Its initializer runs once, in whichever test comes first. */
class Lazy {
    static int v = compute();

    static int compute() {
        return Helper.seven();
    }

    static int value() {
        return v;
    }
}

class Helper {
    static final Object MARK = new Object();

    static int seven() {
        System.getProperty("lazy.property");
        return 7;
    }
}

class Parameters implements TestTemplateInvocationContextProvider {
    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return true;
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        return Stream.of(1, 2).map(One::new);
    }

    static class One implements TestTemplateInvocationContext, ParameterResolver {
        final int n;

        One(int n) {
            this.n = n;
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of(this);
        }

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return true;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return n;
        }
    }
}
