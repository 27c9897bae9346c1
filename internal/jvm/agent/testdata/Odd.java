import org.junit.BeforeClass;
import org.junit.Test;
import org.junit.experimental.categories.Categories;
import org.junit.experimental.categories.Category;
import org.junit.experimental.runners.Enclosed;
import org.junit.experimental.theories.DataPoints;
import org.junit.experimental.theories.Theories;
import org.junit.experimental.theories.Theory;
import org.junit.runner.Description;
import org.junit.runner.RunWith;
import org.junit.runner.Runner;
import org.junit.runner.notification.RunNotifier;
import org.junit.runners.Suite;

/** What JUnit 4 can be made to do. */
@RunWith(Enclosed.class)
public class Odd {
    interface Fast {}

    public static class In {
        @BeforeClass
        public static void all() {
            Deed.all();
        }

        @Test
        public void one() {
            Deed.one();
        }

        @Test
        @Category(Fast.class)
        public void two() {
            Deed.two();
        }
    }

    public static class Down extends In {
        @Test
        public void own() {
            Deed.own();
        }
    }

    @RunWith(Categories.class)
    @Categories.IncludeCategory(Fast.class)
    @Suite.SuiteClasses(In.class)
    public static class OnlyFast {}

    /** Tests whose methods have parameters. */
    @RunWith(Theories.class)
    public static class Holds {
        @DataPoints public static int[] some = {1, 2};

        @Theory
        public void always(int n) {
            Deed.always();
        }

        @Theory
        public void often(int n) {
            Deed.often();
        }
    }

    /** Runs one test, which nobody can take out. */
    public static class Alone extends Runner {
        private final Description d;

        public Alone(Class<?> c) {
            d = Description.createTestDescription(c, "alone");
        }

        @Override
        public Description getDescription() {
            return d;
        }

        @Override
        public void run(RunNotifier n) {
            n.fireTestStarted(d);
            Deed.alone();
            n.fireTestFinished(d);
        }
    }

    @RunWith(Alone.class)
    public static class Custom {}
}

class Deed {
    static void all() {}
    static void one() {}
    static void two() {}
    static void own() {}
    static void alone() {}
    static void always() {}
    static void often() {}
}
