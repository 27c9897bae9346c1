import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.Test;

/** Tests of which one depends on another. */
public class Chain {
    @Test
    public void first() {
        Link.first();
    }

    @Test(dependsOnMethods = "first")
    public void second() {
        Link.second();
    }

    @Test
    public void free() {
        Link.free();
    }
}

class Apart {
    @BeforeClass
    public void before() {
        Link.before();
    }

    @AfterClass
    public void after() {
        Link.after();
    }

    @Test
    public void apart() {
        Link.apart();
    }
}

class Link {
    static void first() {}
    static void second() {}
    static void free() {}
    static void before() {}
    static void after() {}
    static void apart() {}
}
