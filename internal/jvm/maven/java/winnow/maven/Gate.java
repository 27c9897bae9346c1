package winnow.maven;

import javax.inject.Inject;
import javax.inject.Named;
import javax.inject.Singleton;
import org.apache.maven.execution.MojoExecutionEvent;
import org.apache.maven.execution.MojoExecutionListener;
import org.apache.maven.plugin.MojoExecutionException;

/** Stops an execution that the other end refused. It comes too late to edit a configuration, but what it throws counts. */
@Named("winnow")
@Singleton
public final class Gate implements MojoExecutionListener {
    private final Spy spy;

    @Inject
    public Gate(Spy spy) {
        this.spy = spy;
    }

    @Override
    public void beforeMojoExecution(MojoExecutionEvent event) throws MojoExecutionException {
        String reason = spy.refusal(event.getExecution());
        if (reason != null) {
            throw new MojoExecutionException("winnow: " + reason);
        }
    }

    @Override
    public void afterMojoExecutionSuccess(MojoExecutionEvent event) {
    }

    @Override
    public void afterExecutionFailure(MojoExecutionEvent event) {
    }
}
