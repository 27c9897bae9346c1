import java.util.concurrent.locks.LockSupport;
import junit.framework.TestCase;
import junit.framework.TestResult;

/** Measures what a test costs that does nothing: arguments are how many, and how many idle threads there are. */
public class Bench extends TestCase {
    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        for (int i = args.length > 1 ? Integer.parseInt(args[1]) : 0; i > 0; i--) {
            Thread t = new Thread(LockSupport::park);
            t.setDaemon(true);
            t.start();
        }
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
