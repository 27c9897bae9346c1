package winnow.maven;

import java.io.File;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.execution.ExecutionEvent;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.model.Dependency;
import org.apache.maven.model.DependencyManagement;
import org.apache.maven.model.InputLocation;
import org.apache.maven.model.Plugin;
import org.apache.maven.model.PluginExecution;
import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.project.MavenProject;
import org.codehaus.plexus.component.configurator.expression.ExpressionEvaluationException;
import org.eclipse.aether.RepositorySystem;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.repository.LocalRepositoryManager;

/** What an execution that runs tests is about to do, told as facts: what follows from them is decided at the other end. */
final class TestRun {
    private final MavenSession session;
    private final MavenProject project;
    private final MojoExecution mojo;
    private final Toolchains toolchains;
    private final RepositorySystem repositories;
    final Configuration configuration;

    TestRun(ExecutionEvent event, Toolchains toolchains, RepositorySystem repositories) {
        this.project = event.getProject();
        this.session = sessionOf(event);
        this.mojo = event.getMojoExecution();
        this.toolchains = toolchains;
        this.repositories = repositories;
        this.configuration = new Configuration(session, mojo);
    }

    /** Expressions are evaluated for the session's current project; in a parallel build that must be this one. */
    private static MavenSession sessionOf(ExecutionEvent event) {
        MavenSession session = event.getSession();
        if (session.getCurrentProject() != event.getProject()) {
            session = session.clone();
            session.setCurrentProject(event.getProject());
        }
        return session;
    }

    static boolean isOne(MojoExecution mojo) {
        String goal = String.valueOf(mojo.getGoal());
        switch (String.valueOf(mojo.getArtifactId())) {
            case "maven-surefire-plugin":
                return goal.equals("test");
            case "maven-failsafe-plugin":
                return goal.equals("integration-test");
            case "tycho-surefire-plugin":
                return goal.endsWith("test");
            default:
                return false;
        }
    }

    Message describe() throws Exception {
        Message m = new Message("ask");
        Spy.name(m, project, mojo);
        m.add("basedir", project.getBasedir());
        m.add("packaging", project.getPackaging());
        // The top-level project of a session is another one if the user has selected modules.
        m.add("root", session.getExecutionRootDirectory());
        m.add("source", mojo.getSource());
        m.add("classes", configuration.file("classesDirectory"));
        m.add("test-classes", configuration.file("testClassesDirectory"));
        paths(m);
        new TestJvm(session, project, mojo, configuration, toolchains).describe(m);
        configuration.describe(m);
        plugins(m);
        reactor(m);
        poms(m);
        return m;
    }

    /** The POMs of the local repository that make this module what it is: those of its parents, those from which it has managed dependencies, and those of its dependencies. */
    private void poms(Message m) {
        Set<String> files = new TreeSet<>();
        for (MavenProject p = project.getParent(); p != null; p = p.getParent()) {
            addFile(files, p.getFile());
            addPom(files, p.getGroupId(), p.getArtifactId(), p.getVersion());
        }
        DependencyManagement managed = project.getDependencyManagement();
        for (Dependency d : managed == null ? Collections.<Dependency>emptyList() : managed.getDependencies()) {
            InputLocation at = d.getLocation("");
            String[] id = String.valueOf(at == null || at.getSource() == null ? null : at.getSource().getModelId()).split(":");
            if (id.length == 3) {
                addPom(files, id[0], id[1], id[2]);
            }
        }
        for (Artifact a : project.getArtifacts()) {
            addPom(files, a.getGroupId(), a.getArtifactId(), a.getVersion());
        }
        for (String file : files) {
            m.add("read", file);
        }
    }

    private void addPom(Set<String> files, String group, String artifact, String version) {
        LocalRepositoryManager local = session.getRepositorySession().getLocalRepositoryManager();
        File pom = new File(local.getRepository().getBasedir(), local.getPathForLocalArtifact(new DefaultArtifact(group, artifact, "pom", version)));
        addFile(files, pom.exists() ? pom : null); // one of the reactor is not there
    }

    /** What the build was asked for, and its modules with what they do. */
    private void reactor(Message m) {
        for (String task : session.getGoals()) {
            m.add("task", task);
        }
        for (MavenProject p : session.getAllProjects() == null ? session.getProjects() : session.getAllProjects()) {
            m.add("module-directory", p.getBasedir());
        }
        for (MavenProject p : session.getProjects()) {
            bound(m, p, p == project ? "" : "check");
        }
    }

    /** Goals with some text in their name that a life cycle runs in a module, each with the parts that name it between tabs. */
    private static void bound(Message m, MavenProject p, String text) {
        for (Plugin plugin : p.getBuildPlugins()) {
            for (PluginExecution execution : plugin.getExecutions()) {
                for (String goal : execution.getGoals()) {
                    String[] parts = {p.getBasedir().getPath(), plugin.getGroupId(), plugin.getArtifactId(), plugin.getVersion(), goal, execution.getId(), execution.getPhase()};
                    m.add("bound", goal.contains(text) ? join(parts) : null);
                }
            }
        }
    }

    /** The plug-ins of the build with their goals, for what follows the tests, such as a check of a coverage figure. */
    private void plugins(Message m) {
        for (Plugin plugin : project.getBuildPlugins()) {
            List<String> goals = new ArrayList<>();
            for (PluginExecution execution : plugin.getExecutions()) {
                goals.addAll(execution.getGoals());
            }
            m.add("plugin", plugin.getKey() + ":" + plugin.getVersion() + " " + String.join(",", goals));
        }
    }

    private void paths(Message m) throws ExpressionEvaluationException {
        Resolver resolver = new Resolver(repositories, session.getRepositorySession());
        List<Artifact> artifacts = dependencies();
        Set<String> path = classPath(artifacts);
        addDependencies(path, resolver);
        for (String element : path) {
            m.add("class-path", element);
        }
        if (repositories == null) {
            m.add("provider-problem", "this Maven has no repository system");
        } else if (isSurefire() && !configuration.is("skip", "skipTests", "skipExec")) {
            for (String element : new Provider(project, mojo, configuration, resolver, artifacts).files()) {
                m.add("provider-path", path.contains(element) ? null : element);
            }
        }
        for (String problem : resolver.problems()) {
            m.add("provider-problem", problem);
        }
    }

    private boolean isSurefire() {
        return mojo.getArtifactId().equals("maven-surefire-plugin");
    }

    /** The class path in Surefire's order: tests, classes, dependencies, additional elements. */
    private Set<String> classPath(List<Artifact> artifacts) throws ExpressionEvaluationException {
        Set<String> path = new LinkedHashSet<>();
        addFile(path, configuration.file("testClassesDirectory"));
        addFile(path, configuration.file("classesDirectory"));
        for (Artifact a : artifacts) {
            addFile(path, a.getArtifactHandler().isAddedToClasspath() ? a.getFile() : null);
        }
        for (String value : configuration.list("additionalClasspathElements")) {
            path.addAll(elements(value));
        }
        return path;
    }

    private static String join(String[] parts) {
        StringBuilder out = new StringBuilder();
        for (String part : parts) {
            out.append(out.length() == 0 ? "" : "\t").append(part == null ? "" : part);
        }
        return out.toString();
    }

    /** Dependencies that only the tests of this execution have, in the order in which Surefire's table gives them. */
    private void addDependencies(Set<String> path, Resolver resolver) throws ExpressionEvaluationException {
        Map<String, org.eclipse.aether.artifact.Artifact> found = new HashMap<>();
        for (Dependency d : configuration.dependencies("additionalClasspathDependencies")) {
            for (org.eclipse.aether.artifact.Artifact a : resolver.closure(project.getRemoteProjectRepositories(), d).values()) {
                String classifier = a.getClassifier().isEmpty() ? "" : ":" + a.getClassifier();
                found.putIfAbsent(a.getGroupId() + ":" + a.getArtifactId() + ":" + a.getExtension() + classifier, a);
            }
        }
        for (org.eclipse.aether.artifact.Artifact a : found.values()) {
            addFile(path, a.getFile());
        }
    }

    /** Surefire splits an element at commas. */
    private static List<String> elements(String value) {
        List<String> all = new ArrayList<>();
        for (String one : value.split(",")) {
            if (!one.isEmpty()) {
                all.add(one);
            }
        }
        return all;
    }

    private List<Artifact> dependencies() throws ExpressionEvaluationException {
        List<Pattern> excluded = new ArrayList<>();
        for (String value : configuration.list("classpathDependencyExcludes")) {
            excluded.addAll(patterns(value));
        }
        String scope = configuration.text("classpathDependencyScopeExclude");
        List<Artifact> all = new ArrayList<>();
        for (Artifact a : project.getArtifacts()) {
            if (!matches(a, excluded) && !inScope(a, scope)) {
                all.add(a);
            }
        }
        return all;
    }

    private static void addFile(Set<String> path, File file) {
        if (file != null) {
            path.add(file.getAbsolutePath());
        }
    }

    /** An exclude is group:artifact[:type[:classifier]] in which a star stands for any text. */
    private static List<Pattern> patterns(String value) {
        List<Pattern> all = new ArrayList<>();
        for (String one : value.split(",")) {
            String[] parts = one.trim().split("\\*", -1);
            StringBuilder regex = new StringBuilder();
            for (int i = 0; i < parts.length; i++) {
                regex.append(i == 0 ? "" : ".*").append(Pattern.quote(parts[i]));
            }
            all.add(Pattern.compile(regex + "(:.*)?"));
        }
        return all;
    }

    private static boolean matches(Artifact a, List<Pattern> excluded) {
        for (Pattern p : excluded) {
            if (p.matcher(a.getDependencyConflictId()).matches()) {
                return true;
            }
        }
        return false;
    }

    private static final Map<String, String> SCOPES = scopes();

    /** The scopes that a scope of a dependency filter includes. */
    private static Map<String, String> scopes() {
        Map<String, String> m = new HashMap<>();
        m.put("compile", "compile provided system");
        m.put("runtime", "compile runtime");
        m.put("compile+runtime", "compile provided system runtime");
        m.put("runtime+system", "compile runtime system");
        m.put("test", "compile provided system runtime test");
        m.put("provided", "provided");
        m.put("system", "system");
        return Collections.unmodifiableMap(m);
    }

    private static boolean inScope(Artifact a, String scope) {
        String included = scope == null ? "" : SCOPES.getOrDefault(scope.trim(), "");
        return (" " + included + " ").contains(" " + a.getScope() + " ");
    }
}
