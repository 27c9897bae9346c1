//go:build unix

package maven

import (
	"errors"
	"os/exec"
	"syscall"
)

// ownGroup gives a command a process group, so that the JVMs that Maven starts can be stopped with it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func terminateGroup(pid int) error { return signalGroup(pid, syscall.SIGTERM) }

func killGroup(pid int) error { return signalGroup(pid, syscall.SIGKILL) }

// groupLives tells whether a process of the group is left. Those that have ended but were not waited for count.
func groupLives(pid int) bool { return syscall.Kill(-pid, 0) == nil }

func signalGroup(pid int, s syscall.Signal) error {
	if err := syscall.Kill(-pid, s); !errors.Is(err, syscall.ESRCH) {
		return err
	}
	return nil // it is gone
}
