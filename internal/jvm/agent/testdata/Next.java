import org.testng.Assert;
import org.testng.SkipException;
import org.testng.TestNG;
import org.testng.annotations.AfterClass;
import org.testng.annotations.AfterMethod;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

public class Next {
    /** Runs classes; the first argument is a directory for reports. */
    public static void main(String[] args) throws Exception {
        TestNG t = new TestNG(false);
        Class<?>[] classes = new Class<?>[args.length - 1];
        for (int i = 1; i < args.length; i++) {
            classes[i - 1] = Class.forName(args[i]);
        }
        t.setTestClasses(classes);
        t.setOutputDirectory(args[0]);
        t.run();
    }

    private final int made = Job.made();

    @BeforeClass
    public void all() {
        Job.all();
    }

    @AfterClass
    public void after() {
        Job.after();
    }

    @AfterMethod
    public void eachAfter() {
        Job.eachAfter();
    }

    @BeforeMethod
    public void each() {
        Job.each();
    }

    @Test
    public void one() {
        Job.one();
    }

    @Test
    public void two() {
        Job.two();
        Assert.fail();
    }

    @DataProvider
    public Object[][] data() {
        return new Object[][] {{1}, {2}};
    }

    @Test(dataProvider = "data")
    public void many(int n) {
        Job.many(n);
    }

    @Test
    public void skips() {
        throw new SkipException(Job.skips());
    }
}

class Job {
    static int made() { return 1; }
    static void all() {}
    static void after() {}
    static void each() {}
    static void eachAfter() {}
    static void one() {}
    static void two() {}
    static void many(int n) {}
    static String skips() { return ""; }
}
