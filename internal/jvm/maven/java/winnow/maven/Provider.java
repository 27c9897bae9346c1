package winnow.maven;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.apache.maven.artifact.versioning.ComparableVersion;
import org.apache.maven.model.Dependency;
import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.project.MavenProject;
import org.codehaus.plexus.component.configurator.expression.ExpressionEvaluationException;
import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.repository.RemoteRepository;

/**
 * The jars that Surefire adds to the class path of the tests: its booter, and the provider, which knows the test framework. Surefire finds them
 * while it runs, which is too late for whoever must know all classes before the tests start, so its rules are followed here ahead of it:
 *
 * <ul>
 *   <li>A provider that is a dependency of the plug-in is the one, Surefire's own or another. Otherwise the framework among the dependencies of the project decides.
 *   <li>From 2.22 on the JUnit Platform is known. Up to 3.0.0-M3 TestNG comes before the JUnit Platform, later after it. From 3.6 on the Platform runs all frameworks.
 *   <li>An artifact that the project has is not added in another version.
 *   <li>From 3.0.0-M4 on a missing Jupiter engine, with it a missing Vintage engine, and the launcher are added in the version that the project has of the API.
 *   <li>From 3.6 on missing engines for JUnit 4 and TestNG are added in versions of Surefire's choice.
 * </ul>
 *
 * More than Surefire will add does no harm as long as it hides no other version of the same classes, so what depends on details is added behind the rest.
 */
final class Provider {
    private static final String SUREFIRE = "org.apache.maven.surefire";
    private static final String PLATFORM = "org.junit.platform";
    private static final String PLATFORM_ENGINE = PLATFORM + ":junit-platform-engine";
    private static final String JUPITER = "org.junit.jupiter";
    private static final String JUPITER_API = JUPITER + ":junit-jupiter-api";
    private static final String VINTAGE = "org.junit.vintage";
    private static final String VINTAGE_ENGINE = VINTAGE + ":junit-vintage-engine";
    private static final String TESTNG_ENGINE_VERSION = "1.1.0";
    /** What Surefire 3.6 falls back to when its own choice cannot be read. */
    private static final String DEFAULT_JUNIT = "5.14.1";

    /** What a jar has that brings a provider, by the name that the interface has up to 3.0.0-M4, and later. */
    private static final String[] SERVICES = {
        "META-INF/services/org.apache.maven.surefire.providerapi.SurefireProvider", "META-INF/services/org.apache.maven.surefire.api.provider.SurefireProvider"
    };

    private static final Set<String> EARLIER = new LinkedHashSet<>();

    private final MavenProject project;
    private final MojoExecution mojo;
    private final Configuration configuration;
    private final Resolver resolver;
    private final List<RemoteRepository> plugins;
    private final List<RemoteRepository> libraries;
    private final Map<String, org.apache.maven.artifact.Artifact> test = new LinkedHashMap<>();
    private final Map<String, Artifact> ofPlugin = new LinkedHashMap<>();
    private final String version;

    /** The artifacts are those on the class path of the tests. */
    Provider(MavenProject project, MojoExecution mojo, Configuration configuration, Resolver resolver, Collection<org.apache.maven.artifact.Artifact> onPath) {
        this.project = project;
        this.mojo = mojo;
        this.configuration = configuration;
        this.resolver = resolver;
        this.plugins = project.getRemotePluginRepositories();
        this.libraries = project.getRemoteProjectRepositories();
        for (org.apache.maven.artifact.Artifact a : onPath) {
            test.put(a.getGroupId() + ":" + a.getArtifactId(), a);
        }
        this.version = version();
    }

    /** Surefire looks its parts up in the version of the booter, which a dependency of the plug-in can change. */
    private String version() {
        for (Dependency d : dependencies()) {
            if (SUREFIRE.equals(d.getGroupId()) && "surefire-booter".equals(d.getArtifactId())) {
                return d.getVersion();
            }
        }
        return mojo.getVersion();
    }

    private List<Dependency> dependencies() {
        return mojo.getPlugin() == null ? new ArrayList<>() : mojo.getPlugin().getDependencies();
    }

    /** The files of the jars, in the order of the class path. */
    Set<String> files() throws ExpressionEvaluationException {
        for (Dependency d : dependencies()) {
            ofPlugin.putAll(resolver.closure(plugins, d));
        }
        Set<String> files = new LinkedHashSet<>();
        add(files, resolver.closure(plugins, SUREFIRE, "surefire-booter", version));
        for (String name : names()) {
            Map<String, Artifact> added = resolver.closure(plugins, SUREFIRE, name, version);
            if (name.equals("surefire-junit-platform") && !isOld()) {
                platform(added);
            }
            added.keySet().removeAll(test.keySet());
            add(files, added);
        }
        add(files, ofPlugin);
        return isOld() ? withEarlier(files) : files;
    }

    /** Old versions keep the jars of a provider for all modules of a build, as the first module had them. */
    private static Set<String> withEarlier(Set<String> files) {
        synchronized (EARLIER) {
            EARLIER.addAll(files);
            files.addAll(EARLIER);
            return files;
        }
    }

    private static void add(Set<String> files, Map<String, Artifact> artifacts) {
        for (Artifact a : artifacts.values()) {
            files.add(a.getFile().getAbsolutePath());
        }
    }

    private List<String> names() throws ExpressionEvaluationException {
        List<String> names = new ArrayList<>();
        for (Dependency d : dependencies()) {
            String name = d.getArtifactId();
            if (SUREFIRE.equals(d.getGroupId()) && (name.startsWith("surefire-junit") || name.equals("surefire-testng"))) {
                names.add(name);
            }
        }
        if (names.isEmpty() && !isForeign()) {
            names.add(detected());
        }
        return names;
    }

    /** Whether a dependency of the plug-in is a provider that is not Surefire's. */
    private boolean isForeign() {
        for (Artifact a : ofPlugin.values()) {
            if (!"jar".equals(a.getExtension())) {
                continue;
            }
            try (ZipFile jar = new ZipFile(a.getFile())) {
                for (String service : SERVICES) {
                    if (jar.getEntry(service) != null) {
                        return true;
                    }
                }
            } catch (IOException e) {
                resolver.problem(a.getFile() + ": " + e);
            }
        }
        return false;
    }

    private String detected() throws ExpressionEvaluationException {
        boolean platform = platformVersion() != null && isAtLeast(version, "2.22.0") && (isOld() || artifact(PLATFORM + ":junit-platform-runner") == null);
        boolean testng = artifact(orElse("testNGArtifactName", "org.testng:testng")) != null;
        org.apache.maven.artifact.Artifact junit = artifact(orElse("junitArtifactName", "junit:junit"));
        org.apache.maven.artifact.Artifact dep = artifact("junit:junit-dep");
        if (runsAll() || platform && !(testng && isOld())) {
            return "surefire-junit-platform";
        } else if (testng) {
            return "surefire-testng";
        } else if (choosesTests() && (isAtLeast(junit, "4.7") || isAtLeast(dep, "4.7"))) {
            return "surefire-junit47";
        }
        return dep != null || isAtLeast(junit, "4.0") ? "surefire-junit4" : "surefire-junit3";
    }

    private boolean choosesTests() throws ExpressionEvaluationException {
        String parallel = configuration.text("parallel");
        return parallel != null && !parallel.trim().isEmpty() || configuration.text("groups") != null || configuration.text("excludedGroups") != null;
    }

    private String orElse(String parameter, String fallback) throws ExpressionEvaluationException {
        String text = configuration.text(parameter);
        return text == null ? fallback : text;
    }

    /** An artifact of the project; a test framework that tests itself is the project's own. */
    private org.apache.maven.artifact.Artifact artifact(String key) {
        org.apache.maven.artifact.Artifact own = project.getArtifact();
        if (own != null && key.equals(own.getGroupId() + ":" + own.getArtifactId())) {
            return own;
        }
        return project.getArtifactMap().get(key);
    }

    /** The version of the JUnit Platform, or null without one. */
    private String platformVersion() throws ExpressionEvaluationException {
        if (!isOld() && ofPlugin.containsKey(PLATFORM_ENGINE)) {
            return ofPlugin.get(PLATFORM_ENGINE).getBaseVersion();
        }
        String key = isOld() ? orElse("junitPlatformArtifactName", PLATFORM_ENGINE) : PLATFORM + ":junit-platform-commons";
        org.apache.maven.artifact.Artifact found = artifact(key);
        return found == null ? null : found.getBaseVersion();
    }

    /** Completes what the provider for the JUnit Platform needs. */
    private void platform(Map<String, Artifact> added) throws ExpressionEvaluationException {
        org.apache.maven.artifact.Artifact api = test.get(JUPITER_API);
        if (ofPlugin.containsKey(PLATFORM_ENGINE)) {
            added.putAll(ofPlugin);
        } else if (api != null && !test.containsKey(JUPITER + ":junit-jupiter-engine")) {
            engine(added, JUPITER, "junit-jupiter-engine", api.getBaseVersion());
            if (!runsAll() && (test.containsKey("junit:junit") || test.containsKey("junit:junit-dep")) && !has(VINTAGE_ENGINE)) {
                engine(added, VINTAGE, "junit-vintage-engine", api.getBaseVersion());
            }
        }
        if (runsAll()) {
            otherEngines(added, api);
        }
        String platform = platformVersion();
        if (platform != null) {
            // A project can have the API in a newer version than the rest of the platform; from 6 on both have the same versions.
            align(added, runsAll() && isAtLeast(api, "6.0.0") ? api.getBaseVersion() : platform);
        }
    }

    private void otherEngines(Map<String, Artifact> added, org.apache.maven.artifact.Artifact api) throws ExpressionEvaluationException {
        if (test.containsKey("junit:junit") && !has(VINTAGE_ENGINE)) {
            engine(added, VINTAGE, "junit-vintage-engine", api == null ? junitOfSurefire() : api.getBaseVersion());
        }
        if (artifact(orElse("testNGArtifactName", "org.testng:testng")) != null && !has("org.junit.support:testng-engine")) {
            engine(added, "org.junit.support", "testng-engine", TESTNG_ENGINE_VERSION);
        }
    }

    /** From 3.6 on the JUnit Platform runs the tests of all frameworks. */
    private boolean runsAll() {
        return isAtLeast(version, "3.6.0-M1");
    }

    private boolean has(String key) {
        return test.containsKey(key) || ofPlugin.containsKey(key);
    }

    /** Of an artifact that both have, the higher version is kept. */
    private void engine(Map<String, Artifact> added, String group, String artifact, String wanted) {
        for (Map.Entry<String, Artifact> e : resolver.closure(libraries, group, artifact, wanted).entrySet()) {
            Artifact before = added.get(e.getKey());
            if (before == null || !runsAll() || isAtLeast(e.getValue().getVersion(), before.getVersion())) {
                added.put(e.getKey(), e.getValue());
            }
        }
    }

    /** Takes the launcher and what it needs in the version of the project's platform. */
    private void align(Map<String, Artifact> added, String platform) {
        for (Map.Entry<String, Artifact> e : resolver.closure(libraries, PLATFORM, "junit-platform-launcher", platform).entrySet()) {
            if (added.containsKey(e.getKey()) && !test.containsKey(e.getKey())) {
                added.put(e.getKey(), e.getValue());
            }
        }
    }

    /** The version of JUnit that Surefire 3.6 takes for a project without one; it is in a file inside its jar. */
    private String junitOfSurefire() {
        Artifact common = resolver.jar(plugins, SUREFIRE, "maven-surefire-common", version);
        if (common == null || common.getFile() == null) {
            return DEFAULT_JUNIT;
        }
        try (ZipFile jar = new ZipFile(common.getFile())) {
            ZipEntry entry = jar.getEntry("surefire.junit.version.properties");
            Properties p = new Properties();
            if (entry != null) {
                try (InputStream in = jar.getInputStream(entry)) {
                    p.load(in);
                }
            }
            return p.getProperty("junit.version", DEFAULT_JUNIT);
        } catch (IOException e) {
            resolver.problem(e.toString());
            return DEFAULT_JUNIT;
        }
    }

    private boolean isOld() {
        return !isAtLeast(version, "3.0.0-M4");
    }

    private static boolean isAtLeast(org.apache.maven.artifact.Artifact a, String first) {
        return a != null && isAtLeast(a.getBaseVersion(), first);
    }

    private static boolean isAtLeast(String version, String first) {
        return version != null && new ComparableVersion(version).compareTo(new ComparableVersion(first)) >= 0;
    }
}
