package winnow.agent;

import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandles;
import java.util.Collections;

/**
 * What needs Java 9 at least; Java 8 never loads it. Calling this by reflection would make the JVM spin dozens of method handles, which takes longer than
 * everything else at the start together.
 */
final class Modules {
    private Modules() {}

    /** Defines a class in java.lang. The package is opened to the agent's own module for it, and to no other. */
    static void defineInJavaLang(Instrumentation instrumentation, byte[] bytes) throws IllegalAccessException {
        instrumentation.redefineModule(
                Object.class.getModule(),
                Collections.emptySet(),
                Collections.emptyMap(),
                Collections.singletonMap("java.lang", Collections.singleton(Modules.class.getModule())),
                Collections.emptySet(),
                Collections.emptyMap());
        MethodHandles.privateLookupIn(Object.class, MethodHandles.lookup()).defineClass(bytes);
    }

    /** Access to the private members of a class of the program. */
    static MethodHandles.Lookup privateLookup(Class<?> c) throws IllegalAccessException {
        Modules.class.getModule().addReads(c.getModule());
        return MethodHandles.privateLookupIn(c, MethodHandles.lookup());
    }

    static long pid() {
        return ProcessHandle.current().pid();
    }
}
