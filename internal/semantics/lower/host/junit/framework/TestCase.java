package junit.framework;

public abstract class TestCase implements Test {
    private String name;

    public String getName() {
        return name;
    }

    public void setName(String name) {
        this.name = name;
    }

    public abstract void check();
}
