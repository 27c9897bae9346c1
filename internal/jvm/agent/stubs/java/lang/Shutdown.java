package java.lang;

/** Stands for a class of the JDK that compilers hide. It is compiled against and not part of the agent. */
final class Shutdown {
    private Shutdown() {}

    static void add(int slot, boolean duringShutdown, Runnable hook) {}
}
