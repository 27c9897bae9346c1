package winnow.maven;

import java.io.File;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.execution.ExecutionEvent;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.model.Plugin;
import org.apache.maven.model.PluginExecution;
import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.project.MavenProject;
import org.apache.maven.toolchain.Toolchain;
import org.apache.maven.toolchain.ToolchainManager;
import org.codehaus.plexus.component.configurator.expression.ExpressionEvaluationException;
import org.codehaus.plexus.util.xml.Xpp3Dom;

/** What an execution that runs tests is about to do, told as facts: what follows from them is decided at the other end. */
final class TestRun {
    private final MavenSession session;
    private final MavenProject project;
    private final MojoExecution mojo;
    private final ToolchainManager toolchains;
    final Configuration configuration;

    TestRun(ExecutionEvent event, ToolchainManager toolchains) {
        this.project = event.getProject();
        this.session = sessionOf(event);
        this.mojo = event.getMojoExecution();
        this.toolchains = toolchains;
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
        m.add("root", session.getTopLevelProject() == null ? null : session.getTopLevelProject().getBasedir());
        m.add("source", mojo.getSource());
        m.add("classes", configuration.file("classesDirectory"));
        m.add("test-classes", configuration.file("testClassesDirectory"));
        for (String element : classPath()) {
            m.add("class-path", element);
        }
        m.add("jvm", jvm());
        configuration.describe(m);
        userProperties(m);
        plugins(m);
        return m;
    }

    /** User properties become system properties of the tests. */
    private void userProperties(Message m) {
        Map<String, String> sorted = new TreeMap<>();
        for (String name : session.getUserProperties().stringPropertyNames()) {
            sorted.put(name, session.getUserProperties().getProperty(name));
        }
        for (Map.Entry<String, String> e : sorted.entrySet()) {
            m.add("user-property", e.getKey() + "=" + e.getValue());
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

    /** The class path in Surefire's order: tests, classes, dependencies, additional elements. */
    private Set<String> classPath() throws ExpressionEvaluationException {
        Set<String> path = new LinkedHashSet<>();
        addFile(path, configuration.file("testClassesDirectory"));
        addFile(path, configuration.file("classesDirectory"));
        Message values = new Message("values");
        configuration.describe(values);
        List<Pattern> excluded = new ArrayList<>();
        List<String> additional = new ArrayList<>();
        for (String p : values.all("parameter")) {
            int equals = p.indexOf('=');
            String name = p.substring(0, equals);
            String value = p.substring(equals + 1);
            if (isListOf(name, "classpathDependencyExcludes")) {
                excluded.addAll(patterns(value));
            } else if (isListOf(name, "additionalClasspathElements")) {
                additional.addAll(elements(value));
            }
        }
        dependencies(path, excluded, configuration.text("classpathDependencyScopeExclude"));
        path.addAll(additional);
        return path;
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

    private static boolean isListOf(String path, String name) {
        return path.equals(name) || path.startsWith(name + "/");
    }

    private void dependencies(Set<String> path, List<Pattern> excluded, String scope) {
        for (Artifact a : project.getArtifacts()) {
            if (a.getArtifactHandler().isAddedToClasspath() && !matches(a, excluded) && !inScope(a, scope)) {
                addFile(path, a.getFile());
            }
        }
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

    /** The program that will run the tests: configured, of a toolchain, or the one that runs Maven; null if that cannot be told. */
    private String jvm() throws ExpressionEvaluationException {
        String given = configuration.text("jvm");
        if (given != null && !given.trim().isEmpty()) {
            return given;
        }
        String own = new File(new File(System.getProperty("java.home"), "bin"), "java").getPath();
        try {
            Toolchain toolchain = toolchain();
            String java = toolchain == null ? null : toolchain.findTool("java");
            return java != null ? java : own;
        } catch (RuntimeException e) {
            // Maven 4 tells a toolchain only to a mojo that is already set up.
            return choosesToolchain() ? null : own;
        }
    }

    private boolean choosesToolchain() {
        for (Plugin plugin : project.getBuildPlugins()) {
            if (plugin.getArtifactId().contains("toolchain")) {
                return true;
            }
        }
        return false;
    }

    private Toolchain toolchain() {
        if (toolchains == null) {
            return null;
        }
        Xpp3Dom wanted = mojo.getConfiguration() == null ? null : mojo.getConfiguration().getChild("jdkToolchain");
        if (wanted == null || wanted.getChildCount() == 0) {
            return toolchains.getToolchainFromBuildContext("jdk", session);
        }
        Map<String, String> requirements = new HashMap<>();
        for (Xpp3Dom r : wanted.getChildren()) {
            requirements.put(r.getName(), r.getValue());
        }
        List<Toolchain> found = toolchains.getToolchains(session, "jdk", requirements);
        return found.isEmpty() ? null : found.get(0);
    }
}
