package winnow.maven;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.model.Dependency;
import org.apache.maven.model.Exclusion;
import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.plugin.PluginParameterExpressionEvaluator;
import org.apache.maven.plugin.descriptor.Parameter;
import org.codehaus.plexus.component.configurator.expression.ExpressionEvaluationException;
import org.codehaus.plexus.util.xml.Xpp3Dom;

/**
 * The configuration of one execution of a mojo, read as Maven will read it a moment later: an element's expression first, then its default. It is
 * edited as text with its expressions, so that Maven evaluates what the user wrote exactly once. Edits are made in a copy and count from apply on.
 */
final class Configuration {
    private final MojoExecution execution;
    private final PluginParameterExpressionEvaluator evaluator;
    private final Xpp3Dom root;

    Configuration(MavenSession session, MojoExecution execution) {
        this.execution = execution;
        this.evaluator = new PluginParameterExpressionEvaluator(session, execution);
        Xpp3Dom given = execution.getConfiguration();
        this.root = given == null ? new Xpp3Dom("configuration") : new Xpp3Dom(given);
    }

    /** Adds a line "parameter path=value" for every value that is text, in the order of the configuration. */
    void describe(Message m) throws ExpressionEvaluationException {
        for (Xpp3Dom child : root.getChildren()) {
            describe(m, child, child.getName(), isFile(child.getName()));
        }
        Xpp3Dom channel = root.getChild("forkNode");
        if (channel != null && channel.getAttribute("implementation") != null) {
            m.add("parameter", "forkNode/implementation=" + channel.getAttribute("implementation")); // it is no text, and has no other value
        }
    }

    private void describe(Message m, Xpp3Dom node, String path, boolean file) throws ExpressionEvaluationException {
        if (node.getChildCount() == 0) {
            add(m, path, evaluate(node), file);
            return;
        }
        for (Xpp3Dom child : node.getChildren()) {
            describe(m, child, path + "/" + child.getName(), file);
        }
    }

    private void add(Message m, String path, Object value, boolean file) {
        if (value instanceof File || file && value instanceof String) {
            m.add("parameter", path + "=" + evaluator.alignToBaseDirectory(new File(value.toString())).getPath());
        } else if (value instanceof String || value instanceof Number || value instanceof Boolean || value instanceof Enum) {
            m.add("parameter", path + "=" + value);
        } else if (value instanceof Collection || value instanceof Object[]) {
            for (Object item : value instanceof Collection ? (Collection<?>) value : Arrays.asList((Object[]) value)) {
                add(m, path, item, file);
            }
        }
    }

    private boolean isFile(String name) {
        Parameter p = execution.getMojoDescriptor() == null ? null : execution.getMojoDescriptor().getParameterMap().get(name);
        return p != null && p.getType() != null && p.getType().startsWith("java.io.File");
    }

    /** The value of a top-level parameter as text, or null. */
    String text(String name) throws ExpressionEvaluationException {
        Xpp3Dom node = root.getChild(name);
        Object value = node == null ? null : evaluate(node);
        return value == null ? null : value.toString();
    }

    /** Tells whether one of several top-level parameters is true. */
    boolean is(String... names) throws ExpressionEvaluationException {
        for (String name : names) {
            if (Boolean.parseBoolean(String.valueOf(text(name)).trim())) {
                return true;
            }
        }
        return false;
    }

    /** The values of a parameter that is a list, whether it is written as elements or as one text. */
    List<String> list(String name) throws ExpressionEvaluationException {
        List<String> all = new ArrayList<>();
        Message values = new Message("values");
        describe(values);
        for (String p : values.all("parameter")) {
            String path = p.substring(0, p.indexOf('='));
            if (path.equals(name) || path.startsWith(name + "/")) {
                all.add(p.substring(path.length() + 1));
            }
        }
        return all;
    }

    /** The file that a top-level parameter names, or null. */
    File file(String name) throws ExpressionEvaluationException {
        String text = text(name);
        return text == null ? null : evaluator.alignToBaseDirectory(new File(text));
    }

    /** The entries of a parameter that is a map: elements named like their keys, or elements with a name and a value. An absent value is empty. */
    Map<String, String> pairs(String name) throws ExpressionEvaluationException {
        Map<String, String> all = new TreeMap<>();
        for (Xpp3Dom e : hasParameter(name) ? children(root.getChild(name)) : children(null)) {
            Xpp3Dom key = e.getChild("name");
            all.put(key == null ? e.getName() : string(key), string(key == null ? e : e.getChild("value")));
        }
        return all;
    }

    private String string(Xpp3Dom node) throws ExpressionEvaluationException {
        Object value = node == null ? null : evaluate(node);
        return value == null ? "" : value.toString();
    }

    /** The elements of a parameter that lists dependencies, if the mojo has that parameter. */
    List<Dependency> dependencies(String name) throws ExpressionEvaluationException {
        List<Dependency> all = new ArrayList<>();
        for (Xpp3Dom e : hasParameter(name) ? children(root.getChild(name)) : children(null)) {
            all.add(dependency(e));
        }
        return all;
    }

    private Dependency dependency(Xpp3Dom e) throws ExpressionEvaluationException {
        Dependency d = new Dependency();
        d.setGroupId(string(e.getChild("groupId")));
        d.setArtifactId(string(e.getChild("artifactId")));
        d.setVersion(string(e.getChild("version")));
        d.setClassifier(e.getChild("classifier") == null ? null : string(e.getChild("classifier")));
        String type = string(e.getChild("type"));
        d.setType(type.isEmpty() ? "jar" : type);
        for (Xpp3Dom x : children(e.getChild("exclusions"))) {
            Exclusion exclusion = new Exclusion();
            exclusion.setGroupId(string(x.getChild("groupId")));
            exclusion.setArtifactId(string(x.getChild("artifactId")));
            d.addExclusion(exclusion);
        }
        return d;
    }

    private static Xpp3Dom[] children(Xpp3Dom node) {
        return node == null ? new Xpp3Dom[0] : node.getChildren();
    }

    /** An element of the configuration can be meant for another goal or version of the plug-in. */
    private boolean hasParameter(String name) {
        return execution.getMojoDescriptor() == null || execution.getMojoDescriptor().getParameterMap().containsKey(name);
    }

    private Object evaluate(Xpp3Dom node) throws ExpressionEvaluationException {
        Object value = isEmpty(node.getValue()) ? null : evaluator.evaluate(node.getValue());
        String fallback = node.getAttribute("default-value");
        return value == null && fallback != null ? evaluator.evaluate(fallback) : value;
    }

    /**
     * Puts options before the JVM options of the tests. What stood there stays as written: a value such as "${argLine}" whose property does
     * not exist meant no options and must not become text, and "@{argLine}" is left to Surefire.
     */
    void prependOptions(List<String> options) throws ExpressionEvaluationException {
        Xpp3Dom node = child("argLine");
        Object value = evaluate(node);
        String line = quote(options);
        if (value != null && !isEmpty(value.toString())) {
            Object own = isEmpty(node.getValue()) ? null : evaluator.evaluate(node.getValue());
            line += " " + (own == null ? node.getAttribute("default-value") : node.getValue());
        }
        node.setValue(line);
    }

    /** Sets a top-level parameter. */
    void set(String name, String value) {
        child(name).setValue(value);
    }

    /** Makes the mojo run no test: by the parameter that all have for that, or, where it is missing, by every other one. Some of those are deprecated. */
    void skip() {
        if (hasParameter("skipTests")) {
            set("skipTests", "true");
            return;
        }
        for (String name : new String[] {"skip", "skipITs", "skipExec"}) {
            if (hasParameter(name)) {
                set(name, "true");
            }
        }
    }

    /** Sets an environment variable of the tests unless the configuration has one of that name. */
    void environment(String name, String value) {
        Xpp3Dom all = child("environmentVariables");
        if (all.getChild(name) == null) {
            Xpp3Dom one = new Xpp3Dom(name);
            one.setValue(value);
            all.addChild(one);
        }
    }

    /** Hands the edited configuration to Maven. */
    void apply() {
        execution.setConfiguration(root);
    }

    private Xpp3Dom child(String name) {
        Xpp3Dom node = root.getChild(name);
        if (node == null) {
            root.addChild(new Xpp3Dom(name));
            node = root.getChild(name);
        }
        return node;
    }

    /** Surefire splits the line at spaces outside quotes. */
    private static String quote(List<String> options) {
        StringBuilder line = new StringBuilder();
        for (String option : options) {
            line.append(line.length() == 0 ? "" : " ");
            line.append(option.indexOf(' ') < 0 ? option : '"' + option + '"');
        }
        return line.toString();
    }

    private static boolean isEmpty(String s) {
        return s == null || s.trim().isEmpty();
    }
}
