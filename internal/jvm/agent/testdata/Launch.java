import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs classes on the JUnit Platform. Arguments with an equals sign are configuration parameters. */
public class Launch {
    public static void main(String[] args) {
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
        for (String arg : args) {
            int equals = arg.indexOf('=');
            if (equals > 0) {
                request.configurationParameter(arg.substring(0, equals), arg.substring(equals + 1));
            } else {
                request.selectors(selectClass(arg));
            }
        }
        Launcher launcher = LauncherFactory.create();
        launcher.execute(request.build());
    }
}
