package subject

import (
	"context"
	"fmt"
	"os/exec"
)

// copyGoal is the goal with which Maven gets a published file.
const copyGoal = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy"

// CopyArtifact copies an artifact, GROUP:ARTIFACT:VERSION:jar:CLASSIFIER, to a directory. Maven gets it from wherever the user's settings say.
func CopyArtifact(ctx context.Context, name, dir string) error {
	cmd := exec.CommandContext(ctx, "mvn", "-q", "-B", copyGoal, "-Dartifact="+name, "-DoutputDirectory="+dir)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s cannot be had: %w\n%s", name, err, out)
	}
	return nil
}
