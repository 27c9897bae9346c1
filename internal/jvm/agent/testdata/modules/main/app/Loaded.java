package app;

class Loaded {
    static final Object MARK = new Object();

    static int run() {
        return 1;
    }
}
