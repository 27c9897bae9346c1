import org.testng.Assert;
import org.testng.SkipException;
import org.testng.TestNG;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

public class Next {
    public static void main(String[] args) {
        TestNG t = new TestNG(false);
        t.setTestClasses(new Class<?>[] {Next.class});
        t.setOutputDirectory(args[0]);
        t.run();
    }

    @BeforeClass
    public void all() {
        Job.all();
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
    static void all() {}
    static void each() {}
    static void one() {}
    static void two() {}
    static void many(int n) {}
    static String skips() { return ""; }
}
