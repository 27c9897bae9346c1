import static org.junit.Assert.assertEquals;
import static org.junit.Assume.assumeTrue;

import java.util.Arrays;
import java.util.Collection;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Ignore;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.ExternalResource;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Suite;

@RunWith(Suite.class)
@Suite.SuiteClasses({Four.Plain.class, Four.Many.class, Four.Broken.class, Four.Old.class})
public class Four {
    @BeforeClass
    public static void suite() {
        Work.suite();
    }

    public static class Plain {
        @ClassRule public static final ExternalResource ONCE = new ExternalResource() {
            @Override
            protected void before() {
                Work.classRule();
            }
        };

        @Rule public final ExternalResource each = new ExternalResource() {
            @Override
            protected void before() {
                Work.rule();
            }
        };

        @BeforeClass
        public static void all() {
            Work.all();
        }

        @AfterClass
        public static void after() {
            Work.after();
        }

        @Before
        public void each() {
            Work.each();
        }

        @Test
        public void one() {
            Work.one();
        }

        @Test
        public void two() {
            Work.two();
        }

        @Test
        public void fails() {
            assertEquals(1, Work.fails());
        }

        @Test
        public void aborts() {
            assumeTrue(Work.aborts());
        }

        @Test
        @Ignore
        public void skipped() {
            Work.skipped();
        }
    }

    @RunWith(Parameterized.class)
    public static class Many {
        @Parameterized.Parameters
        public static Collection<Object[]> data() {
            return Arrays.asList(new Object[][] {{1}, {2}});
        }

        private final int n;

        public Many(int n) {
            this.n = n;
        }

        @BeforeClass
        public static void all() {
            Work.many();
        }

        @Test
        public void first() {
            Work.first(n);
        }

        @Test
        public void second() {
            Work.second(n);
        }
    }

    public static class Broken {
        @BeforeClass
        public static void all() {
            throw new IllegalStateException();
        }

        @Test
        public void never() {}
    }

    public static class Old extends junit.framework.TestCase {
        public void testOld() {
            Work.old();
        }

        public void testBad() {
            Work.bad();
            fail();
        }
    }
}

class Work {
    static void suite() {}
    static void classRule() {}
    static void rule() {}
    static void all() {}
    static void after() {}
    static void each() {}
    static void one() {}
    static void two() {}
    static int fails() { return 2; }
    static boolean aborts() { return false; }
    static void skipped() {}
    static void many() {}
    static void first(int n) {}
    static void second(int n) {}
    static void old() {}
    static void bad() {}
}
