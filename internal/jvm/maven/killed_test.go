package maven

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"winnow/internal/jvm/jvmtest"
)

// killedVariable makes the test binary run Maven in the current directory, to be killed.
const killedVariable = "WINNOW_MAVEN_KILLED_TEST"

func TestMain(m *testing.M) {
	if temp := os.Getenv(killedVariable); temp != "" {
		s := &script{answer: Answer{Action: WithOptions, Options: []string{"-Dx=y"}}}
		_, err := Run(context.Background(), Options{Args: []string{"-B", "test"}, Temp: temp, Stdout: os.Stdout, Stderr: os.Stderr, Handler: s})
		fmt.Fprintln(os.Stderr, "not killed:", err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// TestKilled kills the process that started Maven while tests run: Maven, the tests' JVM and the directory of the exchange go too.
func TestKilled(t *testing.T) {
	jvmtest.Maven(t, "")
	dir, temp := t.TempDir(), t.TempDir()
	project{files: map[string]string{"src/test/java/p/ATest.java": sleeping}}.write(t, dir)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Dir, cmd.Env = dir, append(environment(t), killedVariable+"="+temp)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pid := waitForFile(filepath.Join(dir, "target", "pid"))
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil || pid == "" {
		t.Fatalf("%v, tests in process %q", err, pid)
	}
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if left, err := os.ReadDir(temp); err == nil && len(left) == 0 && !alive(pid) {
			return
		}
	}
	left, err := os.ReadDir(temp)
	t.Errorf("after a minute the tests' JVM lives: %v; files left: %v, %v", alive(pid), left, err)
}
