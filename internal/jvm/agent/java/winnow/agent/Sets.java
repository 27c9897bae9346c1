package winnow.agent;

/**
 * Surefire's test sets, where a provider runs one class after the other: JUnit 3, and JUnit 4 before 4.13, do not report groups themselves, and the objects of
 * JUnit 3's tests are made before the first of them runs.
 */
final class Sets {
    private final Recorder recorder;
    private Node running;

    Sets(Recorder recorder) {
        this.recorder = recorder;
    }

    /** The set is a class, or has a name. A set that comes while another runs ends it: not every version of Surefire tells the end. */
    synchronized void started(Object set) throws Exception {
        if (recorder.insideTest()) {
            return; // of Surefire itself
        }
        end();
        String type = set instanceof Class ? ((Class<?>) set).getName() : String.valueOf(Ask.call(set, "org.apache.maven.surefire.junit.SurefireTestSet", "getName"));
        Node n = new Node(Node.JUNIT4, Node.CONTAINER, "set:" + type, type, "");
        recorder.begin(n);
        running = n;
    }

    synchronized void finished() {
        if (running != null && running.thread == Thread.currentThread() && !recorder.insideTest()) {
            end();
        }
    }

    private void end() {
        if (running != null) {
            recorder.end(running);
            running = null;
        }
    }
}
