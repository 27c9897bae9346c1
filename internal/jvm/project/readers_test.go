package project

import (
	"os/exec"
	"runtime"
	"testing"
	"time"

	"winnow/internal/testenv"
)

// TestKillWith: what was started with an argument is killed, and nothing else.
func TestKillWith(t *testing.T) {
	if runtime.GOOS != "linux" {
		testenv.Missing(t, "Linux", nil)
	}
	start := func(argument string) chan error {
		cmd := exec.Command("sh", "-c", "sleep 60; :", "sh", argument)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		t.Cleanup(func() { _ = cmd.Process.Kill() })
		return ended
	}
	const argument = "-javaagent:/x/agent.jar=/x/plan of TestKillWith"
	one := start(argument)
	other := start(argument + "2")
	killWith(argument)
	select {
	case err := <-one:
		if err == nil {
			t.Error("it came to its end")
		}
	case <-time.After(20 * time.Second):
		t.Error("it was not killed")
	}
	select {
	case err := <-other:
		t.Errorf("another process ended: %v", err)
	default:
	}
}
