import junit.framework.TestCase;
import junit.framework.TestResult;

/** Measures what a test costs that does nothing: arguments are how many, and how many methods are entered in each. */
public class Bench extends TestCase {
    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        TestResult result = new TestResult();
        Bench test = new Bench();
        test.setName("bench");
        long start = 0;
        for (int i = -n; i < n; i++) {
            if (i == 0) {
                start = System.nanoTime();
            }
            result.startTest(test);
            work();
            result.endTest(test);
        }
        System.out.println((System.nanoTime() - start) / n);
    }

    static void work() {}
}
