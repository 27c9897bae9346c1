package winnow.maven;

import java.io.BufferedReader;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.RandomAccessFile;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The two named pipes beside this extension's jar. Messages of all threads go out whole through "requests"; one thread reads "answers" and hands
 * each to the thread that asked. When the other end is gone, the user's command is gone, so this JVM ends too and takes the directory with it.
 */
final class Exchange {
    private static final long PATIENCE_SECONDS = 60;

    private final File dir;
    private final RandomAccessFile out;
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<String, BlockingQueue<Message>> waiting = new ConcurrentHashMap<>();
    private volatile boolean closed;

    private Exchange(File dir, RandomAccessFile out) {
        this.dir = dir;
        this.out = out;
    }

    /** The directory of the jar that this class was loaded from. */
    static File home() throws URISyntaxException {
        return new File(Exchange.class.getProtectionDomain().getCodeSource().getLocation().toURI()).getParentFile();
    }

    /**
     * Opens the pipes, or returns null if they belong to another process: a build that starts Maven with this extension a second time gets no
     * second voice in the same pipe.
     */
    static Exchange open(File dir) throws IOException {
        if (!new File(dir, "taken").createNewFile()) {
            return null;
        }
        // Opened for both directions because a pipe that is opened for writing alone waits for its reader.
        Exchange e = new Exchange(dir, new RandomAccessFile(new File(dir, "requests"), "rw"));
        Thread reader = new Thread(e::read, "winnow");
        reader.setDaemon(true);
        reader.start();
        return e;
    }

    synchronized void send(Message m) throws IOException {
        out.write(m.encode().getBytes(StandardCharsets.UTF_8));
    }

    /** Sends a message and waits for its answer, however long the other end thinks. */
    Message ask(Message m) throws IOException, InterruptedException {
        return ask(m, Long.MAX_VALUE);
    }

    /** The first exchange of words; only here silence means that nobody listens. */
    Message greet(Message m) throws IOException, InterruptedException {
        Message answer = ask(m, PATIENCE_SECONDS);
        if (answer == null) {
            throw new IOException("no answer within " + PATIENCE_SECONDS + " s");
        }
        return answer;
    }

    private Message ask(Message m, long seconds) throws IOException, InterruptedException {
        String id = String.valueOf(ids.incrementAndGet());
        BlockingQueue<Message> answer = new ArrayBlockingQueue<>(1);
        waiting.put(id, answer);
        try {
            send(m.add("id", id));
            return answer.poll(seconds, TimeUnit.SECONDS);
        } finally {
            waiting.remove(id);
        }
    }

    /** Wakes the reader, so that it ends: a JVM that exits waits 0.3 s for a thread that is in a system call. */
    void close() {
        closed = true;
        try (RandomAccessFile answers = new RandomAccessFile(new File(dir, "answers"), "rw")) {
            answers.write('\n');
        } catch (IOException e) {
            // The other end is gone, and the pipe with it.
        }
    }

    private void read() {
        try (BufferedReader in = new BufferedReader(
                new InputStreamReader(new FileInputStream(new File(dir, "answers")), StandardCharsets.UTF_8))) {
            for (Message m = Message.read(in); m != null && !closed; m = Message.read(in)) {
                BlockingQueue<Message> answer = waiting.get(String.valueOf(m.get("id")));
                if (answer != null) {
                    answer.offer(m);
                }
            }
        } catch (IOException e) {
            System.err.println("winnow: " + e);
        }
        if (!closed) {
            abandon();
        }
    }

    private void abandon() {
        System.err.println("winnow: the command that started this build is gone; the build ends");
        for (String name : new String[] {"requests", "answers", "taken", "extension.jar"}) {
            new File(dir, name).delete();
        }
        dir.delete();
        System.exit(1);
    }
}
