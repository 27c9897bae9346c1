package winnow.maven;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.aether.RepositorySystem;
import org.eclipse.aether.RepositorySystemSession;
import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.collection.CollectRequest;
import org.eclipse.aether.graph.Dependency;
import org.eclipse.aether.graph.DependencyNode;
import org.eclipse.aether.graph.Exclusion;
import org.eclipse.aether.repository.RemoteRepository;
import org.eclipse.aether.resolution.ArtifactRequest;
import org.eclipse.aether.resolution.ArtifactResolutionException;
import org.eclipse.aether.resolution.ArtifactResult;
import org.eclipse.aether.resolution.DependencyRequest;
import org.eclipse.aether.resolution.DependencyResolutionException;

/**
 * Finds artifacts through Maven's own repositories, with the user's settings, mirrors, proxies and offline mode. What cannot be found is a problem
 * that is kept, not thrown: Surefire will meet it, too.
 */
final class Resolver {
    private static final String JAR = "jar";

    private final RepositorySystem system;
    private final RepositorySystemSession session;
    private final Set<String> problems = new LinkedHashSet<>();

    Resolver(RepositorySystem system, RepositorySystemSession session) {
        this.system = system;
        this.session = session;
    }

    Set<String> problems() {
        return problems;
    }

    /** A problem that has no artifact. */
    void problem(String text) {
        problems.add(text);
    }

    /** The jar that "group:artifact:version" names, without its dependencies, or null. */
    Artifact jar(List<RemoteRepository> from, String group, String artifact, String version) {
        try {
            Artifact wanted = new DefaultArtifact(group, artifact, JAR, version);
            return system.resolveArtifact(session, new ArtifactRequest(wanted, from, null)).getArtifact();
        } catch (ArtifactResolutionException e) {
            problems.add(String.valueOf(e.getMessage()));
            return null;
        }
    }

    /** A jar and what it needs to run, by group:artifact, in the order of a class path. */
    Map<String, Artifact> closure(List<RemoteRepository> from, String group, String artifact, String version) {
        return closure(from, new Dependency(new DefaultArtifact(group, artifact, JAR, version), "runtime"));
    }

    /** The same for a dependency of a project model. */
    Map<String, Artifact> closure(List<RemoteRepository> from, org.apache.maven.model.Dependency d) {
        String extension = d.getType() == null || d.getType().startsWith("test-") ? JAR : d.getType();
        String classifier = d.getClassifier() == null && "test-jar".equals(d.getType()) ? "tests" : d.getClassifier();
        List<Exclusion> exclusions = new ArrayList<>();
        for (org.apache.maven.model.Exclusion e : d.getExclusions()) {
            exclusions.add(new Exclusion(e.getGroupId(), e.getArtifactId(), "*", "*"));
        }
        Artifact root = new DefaultArtifact(d.getGroupId(), d.getArtifactId(), classifier, extension, d.getVersion());
        return closure(from, new Dependency(root, "runtime", false, exclusions));
    }

    private Map<String, Artifact> closure(List<RemoteRepository> from, Dependency root) {
        // Without a root node optional dependencies of the root stay out.
        CollectRequest collect = new CollectRequest(Collections.singletonList(root), null, from);
        List<ArtifactResult> results;
        try {
            results = system.resolveDependencies(session, new DependencyRequest(collect, (node, parents) -> isNeeded(node))).getArtifactResults();
        } catch (DependencyResolutionException e) {
            problems.add(String.valueOf(e.getMessage()));
            results = e.getResult() == null ? Collections.emptyList() : e.getResult().getArtifactResults();
        }
        Map<String, Artifact> found = new LinkedHashMap<>();
        for (ArtifactResult r : results) {
            if (r.getArtifact() != null && r.getArtifact().getFile() != null) {
                found.put(key(r.getArtifact()), r.getArtifact());
            }
        }
        return found;
    }

    private static boolean isNeeded(DependencyNode node) {
        String scope = node.getDependency() == null ? "" : node.getDependency().getScope();
        return scope.isEmpty() || scope.equals("compile") || scope.equals("runtime");
    }

    static String key(Artifact a) {
        return a.getGroupId() + ":" + a.getArtifactId();
    }
}
