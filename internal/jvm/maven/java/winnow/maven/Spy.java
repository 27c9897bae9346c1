package winnow.maven;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import javax.inject.Inject;
import javax.inject.Named;
import javax.inject.Singleton;
import org.apache.maven.eventspy.EventSpy;
import org.apache.maven.execution.ExecutionEvent;
import org.apache.maven.execution.MavenExecutionRequest;
import org.apache.maven.execution.MavenExecutionResult;
import org.apache.maven.execution.scope.internal.MojoExecutionScope;
import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.project.MavenProject;
import org.apache.maven.rtinfo.RuntimeInformation;
import org.apache.maven.toolchain.ToolchainManager;
import org.codehaus.plexus.classworlds.realm.ClassRealm;
import org.eclipse.aether.RepositorySystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches a build and tells the other end of the exchange what happens. Before tests run it asks what to do, at the one moment when test classes
 * are compiled, dependencies are resolved and the mojo's configuration can still be edited: the event that announces the mojo.
 *
 * <p>An EventSpy is added to the listeners of a build, so no listener of the user's is replaced. Maven drops what it throws; a build that must not
 * go on is stopped by {@link Gate}.
 */
@Named("winnow")
@Singleton
public final class Spy implements EventSpy {
    private static final String PROPERTY = "maven.ext.class.path";
    private static final String COMMAND_LINE = "MAVEN_CMD_LINE_ARGS";

    private final Logger log = LoggerFactory.getLogger("winnow");
    private final List<RuntimeInformation> runtimes;
    private final List<ToolchainManager> toolchains;
    private final List<RepositorySystem> repositories;
    private final List<MojoExecutionScope> scopes;
    private final Map<MojoExecution, String> refused = Collections.synchronizedMap(new IdentityHashMap<>());
    private volatile Exchange exchange;
    private volatile Message welcome;

    /** Lists, because Sisu fills a list with what there is and a version of Maven may lack a component. */
    @Inject
    public Spy(List<RuntimeInformation> runtimes, List<ToolchainManager> toolchains, List<RepositorySystem> repositories, List<MojoExecutionScope> scopes) {
        this.runtimes = runtimes;
        this.toolchains = toolchains;
        this.repositories = repositories;
        this.scopes = scopes;
    }

    @Override
    public void init(Context context) throws Exception {
        File home = Exchange.home();
        exchange = Exchange.open(home);
        if (exchange == null) {
            log.warn("winnow: {} is in use by another Maven process; this one runs as if it were not there", home);
            return;
        }
        Message hello = new Message("hello").add("protocol", 1);
        hello.add("maven", first(runtimes) == null ? null : first(runtimes).getMavenVersion());
        hello.add("maven-home", System.getProperty("maven.home"));
        hello.add("java-home", System.getProperty("java.home"));
        hello.add("java", System.getProperty("java.version"));
        hello.add("daemon", System.getProperty("mvnd.home"));
        hello.add("daemon", System.getProperty("mvnd.daemonStorage"));
        welcome = exchange.greet(hello);
    }

    @Override
    public void onEvent(Object event) {
        if (exchange == null || welcome == null) {
            return;
        }
        try {
            if (event instanceof ExecutionEvent) {
                execution((ExecutionEvent) event);
            } else if (event instanceof MavenExecutionRequest) {
                hide(((MavenExecutionRequest) event).getUserProperties());
            } else if (event instanceof MavenExecutionResult) {
                result((MavenExecutionResult) event);
            }
        } catch (Exception | LinkageError e) {
            problem(e, null);
        }
    }

    @Override
    public void close() {
        if (exchange != null) {
            exchange.close();
        }
    }

    /** User properties become system properties of the tests, so the one that brought this extension in is put back as the user had it. */
    private void hide(Properties user) {
        String own = welcome.get("user-value");
        if (own == null) {
            user.remove(PROPERTY);
        } else {
            user.setProperty(PROPERTY, own);
        }
    }

    private void execution(ExecutionEvent event) throws Exception {
        Message m = new Message("event").add("type", event.getType());
        MojoExecution mojo = event.getMojoExecution();
        name(m, event.getProject(), mojo);
        cause(m, event.getException());
        exchange.send(m);
        if (event.getType() == ExecutionEvent.Type.MojoStarted && mojo != null && TestRun.isOne(mojo)) {
            ask(event);
        }
    }

    static void name(Message m, MavenProject project, MojoExecution mojo) {
        if (project != null) {
            m.add("module", project.getGroupId() + ":" + project.getArtifactId() + ":" + project.getVersion());
        }
        if (mojo != null) {
            m.add("mojo", mojo.getGroupId() + ":" + mojo.getArtifactId() + ":" + mojo.getVersion());
            m.add("goal", mojo.getGoal());
            m.add("execution", mojo.getExecutionId());
            m.add("phase", mojo.getLifecyclePhase());
        }
    }

    private static void cause(Message m, Throwable e) {
        int depth = 0;
        for (; e != null && depth < 20; e = e.getCause(), depth++) {
            m.add("exception", e.getClass().getName());
            m.add("text", String.valueOf(e.getMessage()));
        }
    }

    private void result(MavenExecutionResult result) throws Exception {
        Message m = new Message("event").add("type", "Result");
        for (Throwable e : result.getExceptions()) {
            cause(m, e);
        }
        exchange.send(m);
    }

    private void ask(ExecutionEvent event) {
        MojoExecution mojo = event.getMojoExecution();
        try {
            TestRun run = new TestRun(event, new Toolchains(first(toolchains), first(scopes)), first(repositories));
            Message request = run.describe();
            for (ClassRealm realm : realms().values()) {
                request.add("realm", realm.getId());
                for (URL jar : realm.getURLs()) {
                    request.add("read", jar.getProtocol().equals("file") ? new File(jar.toURI()) : null);
                }
            }
            obey(exchange.ask(request), run.configuration, mojo);
        } catch (IOException | InterruptedException e) {
            refused.put(mojo, "no answer: " + e);
        } catch (Exception | LinkageError e) {
            // The configuration is as it was, so the tests run as without this extension.
            problem(e, event);
            if (welcome.get("no-tests") != null) {
                refused.put(mojo, "no test may run, and this execution cannot be described");
            }
        }
    }

    private static <T> T first(List<T> all) {
        return all.isEmpty() ? null : all.get(0);
    }

    /** The extensions and plug-ins that have a class loader. */
    private static TreeMap<String, ClassRealm> realms() {
        TreeMap<String, ClassRealm> all = new TreeMap<>();
        ClassLoader loader = EventSpy.class.getClassLoader();
        if (loader instanceof ClassRealm) {
            for (ClassRealm realm : ((ClassRealm) loader).getWorld().getRealms()) {
                all.put(realm.getId(), realm);
            }
        }
        return all;
    }

    private void obey(Message answer, Configuration configuration, MojoExecution mojo) throws Exception {
        String reason = answer.get("reason");
        switch (String.valueOf(answer.kind())) {
            case "run":
                configuration.prependOptions(answer.all("option"));
                set(answer, configuration);
                commandLine(configuration);
                configuration.apply();
                break;
            case "unchanged":
                log.warn("winnow: these tests run as without winnow: {}", reason);
                break;
            case "skip":
                log.info("winnow: {}", reason);
                configuration.skip();
                configuration.apply();
                break;
            default:
                refused.put(mojo, String.valueOf(reason));
        }
    }

    private static void set(Message answer, Configuration configuration) {
        for (String parameter : answer.all("set")) {
            int equals = parameter.indexOf('=');
            configuration.set(parameter.substring(0, equals), parameter.substring(equals + 1));
        }
    }

    /** Maven's start script hands its arguments to every child as a variable; the tests get it as it would be without this extension. */
    private void commandLine(Configuration configuration) {
        String line = System.getenv(COMMAND_LINE);
        String added = welcome.get("argument");
        if (line == null || added == null || !line.contains(added)) {
            return;
        }
        String original = line.replace(added, "");
        // A dollar sign would be evaluated as the start of an expression.
        if (original.indexOf('$') < 0) {
            configuration.environment(COMMAND_LINE, original);
        }
    }

    /** The reason why an execution must not start, or null. */
    String refusal(MojoExecution mojo) {
        return refused.get(mojo);
    }

    private void problem(Throwable e, ExecutionEvent event) {
        log.warn("winnow: {}", e.toString());
        try {
            Message m = new Message("event").add("type", "Problem");
            if (event != null) {
                name(m, event.getProject(), event.getMojoExecution());
            }
            cause(m, e);
            exchange.send(m);
        } catch (IOException gone) {
            log.warn("winnow: {}", gone.toString());
        }
    }
}
