//go:build unix

package cli

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
)

// TestAlone: a second command waits for the first, and says so; an interrupt ends the waiting.
func TestAlone(t *testing.T) {
	var said bytes.Buffer
	s := &session{app: &app{Machine: Machine{Err: &said}}, w: &workspace{location: filepath.Join(t.TempDir(), "store.db")}}
	first, err := s.alone(t.Context())
	if err != nil || said.Len() > 0 {
		t.Fatalf("%v, said %q", err, &said)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.alone(ctx); err == nil || !strings.Contains(said.String(), "another winnow") {
		t.Errorf("beside the first: %v, said %q", err, &said)
	}
	first()
	second, err := s.alone(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	second()
	s.w.location = filepath.Join(t.TempDir(), "none", "store.db")
	if release, err := s.alone(t.Context()); err != nil || release == nil {
		t.Errorf("without a directory: %v", err)
	}
}
