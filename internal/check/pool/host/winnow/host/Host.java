package winnow.host;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;

/** Answers requests until the end of its input: compile, find sequences, run tests. The Go side has the same frames in wire.go. */
public final class Host {
    private static final int COMPILE = 1;
    private static final int SEQUENCES = 2;
    private static final int RUN = 3;

    private Host() {}

    public static void main(String[] args) throws Exception {
        Wire wire = new Wire(new DataInputStream(new BufferedInputStream(System.in, 1 << 16)), new DataOutputStream(new BufferedOutputStream(System.out, 1 << 16)));
        silence();
        Probes probes = new Probes(args);
        Compiling compiling = new Compiling(args);
        ClassLoader around = around(args);
        wire.put(probes.hooked() ? 1 : 0).flush();
        for (int kind = wire.kind(); kind >= 0; kind = wire.kind()) {
            if (kind == COMPILE) {
                compiling.answer(wire);
            } else if (kind == SEQUENCES) {
                new Sequences(wire, around).answer();
            } else if (kind == RUN) {
                new Running(wire, probes, around).answer();
            } else {
                throw new IOException("request " + kind);
            }
            wire.flush();
        }
        Runtime.getRuntime().halt(0); // threads that a program left do not matter
    }

    /** What programs see beside themselves: the JDK and the class path of the pool. */
    private static ClassLoader around(String[] classPath) throws IOException {
        URL[] urls = new URL[classPath.length];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = new File(classPath[i]).toURI().toURL();
        }
        return new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
    }

    /** What programs print must not get between the frames. */
    private static void silence() {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
        System.setOut(nowhere);
        System.setErr(nowhere);
        System.setIn(new ByteArrayInputStream(new byte[0]));
    }
}
