//go:build !linux

package classpath

import (
	"os"
	"testing"
)

// asNobody calls f with the permissions of the user of the test, who must not be root.
func asNobody(t *testing.T, _ string, f func()) {
	t.Helper()
	if os.Getuid() == 0 {
		t.Skip("needs a user whose permissions are checked: root reads everything")
	}
	f()
}
