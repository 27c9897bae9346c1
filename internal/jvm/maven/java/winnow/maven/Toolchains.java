package winnow.maven;

import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.execution.scope.internal.MojoExecutionScope;
import org.apache.maven.project.MavenProject;
import org.apache.maven.toolchain.Toolchain;
import org.apache.maven.toolchain.ToolchainManager;
import org.codehaus.plexus.util.xml.Xpp3Dom;

/** The toolchain that Surefire will find. Either part can be missing in a version of Maven. */
final class Toolchains {
    private final ToolchainManager manager;
    private final MojoExecutionScope scope;

    Toolchains(ToolchainManager manager, MojoExecutionScope scope) {
        this.manager = manager;
        this.scope = scope;
    }

    /** The java program of the toolchain that the module has chosen, or of one that fulfils the requirements, or null if there is none. */
    String java(MavenSession session, MavenProject project, Xpp3Dom requirements) throws ReflectiveOperationException {
        if (manager == null) {
            return null;
        }
        Toolchain found = requirements == null || requirements.getChildCount() == 0 ? chosen(session, project) : matching(session, requirements);
        return found == null ? null : found.findTool("java");
    }

    private Toolchain matching(MavenSession session, Xpp3Dom requirements) {
        Map<String, String> wanted = new HashMap<>();
        for (Xpp3Dom r : requirements.getChildren()) {
            wanted.put(r.getName(), r.getValue());
        }
        List<Toolchain> found = manager.getToolchains(session, "jdk", wanted);
        return found.isEmpty() ? null : found.get(0);
    }

    private Toolchain chosen(MavenSession session, MavenProject project) throws ReflectiveOperationException {
        try {
            return manager.getToolchainFromBuildContext("jdk", session);
        } catch (RuntimeException e) {
            // Maven 4 asks its container for the project, which it has only inside the scope of a mojo.
            return inScope(session, project);
        }
    }

    private Toolchain inScope(MavenSession session, MavenProject project) throws ReflectiveOperationException {
        if (scope == null) {
            throw new ReflectiveOperationException("no scope of mojos");
        }
        scope.enter();
        try {
            seed(session, project);
            return manager.getToolchainFromBuildContext("jdk", session);
        } finally {
            leave();
        }
    }

    /** Puts the project into the scope as Maven 4 does. Its classes are not there when this is compiled. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    private void seed(MavenSession session, MavenProject project) throws ReflectiveOperationException {
        Class type = Class.forName("org.apache.maven.api.Project", true, MavenSession.class.getClassLoader());
        Object api = MavenSession.class.getMethod("getSession").invoke(session);
        Class<?> inner = Class.forName("org.apache.maven.internal.impl.InternalMavenSession", true, MavenSession.class.getClassLoader());
        Method getProject = inner.getMethod("getProject", MavenProject.class);
        scope.seed(type, getProject.invoke(api, project));
        scope.seed(MavenProject.class, project);
    }

    private void leave() throws ReflectiveOperationException {
        try {
            scope.exit();
        } catch (Exception e) {
            throw new ReflectiveOperationException(e);
        }
    }
}
