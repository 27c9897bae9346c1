//go:build !unix

package maven

import (
	"errors"
	"os/exec"
)

// Without named pipes no process is ever started; see openPipes.

func ownGroup(*exec.Cmd) {}

func terminateGroup(int) error { return errors.ErrUnsupported }

func killGroup(int) error { return errors.ErrUnsupported }

func groupLives(int) bool { return false }
