package winnow.maven;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.model.Plugin;
import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.project.MavenProject;
import org.codehaus.plexus.component.configurator.expression.ExpressionEvaluationException;

/** The JVM that will run the tests: the program, its options, and the system properties that Surefire sets in it. */
final class TestJvm {
    private final MavenSession session;
    private final MavenProject project;
    private final MojoExecution mojo;
    private final Configuration configuration;
    private final Toolchains toolchains;

    TestJvm(MavenSession session, MavenProject project, MojoExecution mojo, Configuration configuration, Toolchains toolchains) {
        this.session = session;
        this.project = project;
        this.mojo = mojo;
        this.configuration = configuration;
        this.toolchains = toolchains;
    }

    void describe(Message m) throws ExpressionEvaluationException {
        program(m);
        m.add("arg-line", argLine());
        m.add("working-directory", workingDirectory());
        for (Map.Entry<String, String> e : systemProperties(m).entrySet()) {
            m.add("system-property", e.getKey() + "=" + e.getValue());
        }
        for (Map.Entry<String, String> e : sorted(session.getUserProperties()).entrySet()) {
            m.add("user-property", e.getKey() + "=" + e.getValue());
        }
    }

    /** The program is configured, or of a toolchain, or the one that runs Maven; if it cannot be told, the message says why. */
    private void program(Message m) throws ExpressionEvaluationException {
        String given = configuration.text("jvm");
        if (given != null && !given.trim().isEmpty()) {
            m.add("jvm", given);
            return;
        }
        String own = new File(new File(System.getProperty("java.home"), "bin"), "java").getPath();
        try {
            String java = toolchains.java(session, project, mojo.getConfiguration() == null ? null : mojo.getConfiguration().getChild("jdkToolchain"));
            m.add("jvm", java == null ? own : java);
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            if (choosesToolchain()) {
                m.add("jvm-problem", "the build chooses a toolchain, which this Maven does not tell: " + e);
            } else {
                m.add("jvm", own);
            }
        }
    }

    private boolean choosesToolchain() {
        for (Plugin plugin : project.getBuildPlugins()) {
            if (plugin.getArtifactId().contains("toolchain")) {
                return true;
            }
        }
        return mojo.getConfiguration() != null && mojo.getConfiguration().getChild("jdkToolchain") != null;
    }

    /** Late expressions are replaced from the properties that the project has now, with those that plug-ins have set; others stay. */
    private String argLine() throws ExpressionEvaluationException {
        String line = configuration.text("argLine");
        if (line == null) {
            return null;
        }
        Properties properties = project.getModel().getProperties();
        String out = line.trim();
        for (String name : properties.stringPropertyNames()) {
            String field = "@{" + name + "}";
            if (line.contains(field)) {
                out = out.replace(field, properties.getProperty(name));
            }
        }
        return out.replaceAll("\\s", " ");
    }

    private File workingDirectory() throws ExpressionEvaluationException {
        File given = configuration.file("workingDirectory");
        return given == null ? project.getBasedir() : given;
    }

    /** Each source hides those before it: the list, the file, the variables, the user's properties, and two of Surefire's own. */
    private Map<String, String> systemProperties(Message m) throws ExpressionEvaluationException {
        Map<String, String> all = new TreeMap<>(configuration.pairs("systemProperties"));
        File file = configuration.file("systemPropertiesFile");
        if (file != null) {
            try (InputStream in = new FileInputStream(file)) {
                Properties p = new Properties();
                p.load(in);
                all.putAll(sorted(p));
            } catch (IOException | IllegalArgumentException e) {
                m.add("system-property-problem", e);
            }
        }
        all.putAll(configuration.pairs("systemPropertyVariables"));
        if (!"false".equals(configuration.text("promoteUserPropertiesToSystemProperties"))) {
            all.putAll(sorted(session.getUserProperties()));
        }
        all.put("basedir", project.getBasedir().getAbsolutePath());
        all.put("localRepository", session.getRepositorySession().getLocalRepository().getBasedir().getAbsolutePath());
        return all;
    }

    private static Map<String, String> sorted(Properties p) {
        Map<String, String> all = new TreeMap<>();
        for (String name : p.stringPropertyNames()) {
            all.put(name, p.getProperty(name));
        }
        return all;
    }
}
