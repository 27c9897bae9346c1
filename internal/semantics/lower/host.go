package lower

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

//go:embed host
var sources embed.FS

// exports lets the driver look at static fields without initializing classes.
const exports = "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED"

// compileHost compiles the classes that run lowered programs.
func compileHost(ctx context.Context, jdk, dir string) error {
	var paths []string
	err := fs.WalkDir(sources, "host", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := sources.ReadFile(path)
		if err != nil {
			return err
		}
		to := filepath.Join(dir, "sources", path)
		paths = append(paths, to)
		return errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, data, 0o644))
	})
	if err != nil {
		return err
	}
	args := append([]string{"-J-XX:TieredStopAtLevel=1", exports, "-proc:none", "-Xlint:none", "-d", filepath.Join(dir, "host")}, paths...)
	if out, err := exec.CommandContext(ctx, filepath.Join(jdk, "bin", "javac"), args...).CombinedOutput(); err != nil {
		return fmt.Errorf("compile what runs lowered programs, with %s: %w\n%s", jdk, err, out)
	}
	return nil
}

// jvmLimit is how long one JVM may take for all its programs, which end by themselves.
const jvmLimit = 5 * time.Minute

// drive runs the driver in a JVM.
func (l *Lab) drive(ctx context.Context, options []string, jar, list, result string) error {
	ctx, cancel := context.WithTimeout(ctx, jvmLimit)
	defer cancel()
	args := append([]string{exports, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx512m", "-XX:-UsePerfData", "-Xshare:auto"}, options...)
	args = append(args, "-cp", l.host()+string(os.PathListSeparator)+jar, "winnow.lab.Driver", jar, list, result)
	cmd := exec.CommandContext(ctx, filepath.Join(l.jdk, "bin", "java"), args...)
	cmd.Dir = filepath.Dir(result)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("run lowered programs on %s: %w\n%s", l.jdk, err, out[:min(len(out), 4000)])
	}
	return nil
}
