//go:build unix

package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"winnow/internal/store"
)

func init() {
	children["full"] = writeOverLimit
	children["readonly"] = useWithoutPermission
}

// writeOverLimit appends more than the system lets this process write to one file, and then something that fits.
func writeOverLimit(args []string) error {
	ctx := context.Background()
	b, err := Open(ctx, args[0], Options{})
	if err != nil {
		return err
	}
	before, err := answers(b)
	if err != nil {
		return err
	}
	info, err := os.Stat(args[0])
	if err != nil {
		return err
	}
	signal.Ignore(syscall.SIGXFSZ) // the write fails instead
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		return err
	}
	limit := syscall.Rlimit{Cur: uint64(info.Size()) + 300_000, Max: old.Max}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	fmt.Println("full:", b.Replace(ctx, encode(large("too large", 4_000_000)), nil))
	after, err := answers(b)
	if err != nil || !slices.Equal(before, after) {
		return fmt.Errorf("the answers changed: %v", err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		return err
	}
	if err := b.Replace(ctx, encode(large("fits", 4_000_000)), nil); err != nil {
		return err
	}
	fmt.Println("then: fits")
	return b.Close()
}

func TestWriteError(t *testing.T) {
	path, h := filledStore(t, 8)
	out, err := child(t, "full", path).Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{path, "disk full: free space, nothing was lost", "then: fits"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%q is missing from:\n%s", want, out)
		}
	}
	if _, err := os.Stat(path + "-journal"); err == nil {
		t.Error("a journal is left behind")
	}
	got := answersOf(t, path)
	for _, line := range h.Answers() {
		if !slices.Contains(got, line) {
			t.Errorf("lost: %s", line)
		}
	}
	if !slices.Contains(tests(t, path), "fits") {
		t.Error("what was stored when there was space again is missing")
	}
}

// useWithoutPermission uses a store as a user who may not write to it.
func useWithoutPermission(args []string) error {
	if os.Getuid() == 0 {
		if err := syscall.Setuid(65534); err != nil { // permissions do not bind the superuser
			return err
		}
	}
	ctx := context.Background()
	b, err := Open(ctx, args[0], Options{})
	if err != nil {
		fmt.Println("open:", errors.Is(err, store.ErrReadOnly), err)
		return nil
	}
	lines, err := answers(b)
	if errors.Is(err, store.ErrCorrupt) {
		_, _, err := Recover(ctx, args[0])
		fmt.Println("recover:", errors.Is(err, store.ErrReadOnly), err)
		return nil
	}
	if err != nil {
		return err
	}
	fmt.Println("answers:", len(lines))
	for _, err := range []error{
		b.Replace(ctx, encode(large("new", 10)), nil),
		b.AddRun(ctx, store.Run{}),
	} {
		if !errors.Is(err, store.ErrReadOnly) {
			return fmt.Errorf("a store without permission took a change: %w", err)
		}
	}
	fmt.Println("refused")
	return b.Close()
}

func TestReadOnly(t *testing.T) {
	const readable, closed, damaged = "answers: %d\nrefused\n", "open: true ", "recover: true "
	for name, c := range map[string]struct {
		file, folder os.FileMode
		prepare      func(t *testing.T, path string)
		want         string
	}{
		"file":            {0o444, 0o777, nil, readable},
		"folder":          {0o666, 0o555, nil, readable},
		"both":            {0o444, 0o555, nil, readable},
		"half written":    {0o444, 0o555, hotJournal, closed},
		"half in folder":  {0o666, 0o555, hotJournal, closed},
		"damaged file":    {0o444, 0o777, loseBlock, damaged},
		"damaged folder":  {0o666, 0o555, loseBlock, damaged},
		"nothing there":   {0o444, 0o555, remover, closed},
		"empty file":      {0o444, 0o555, emptier, closed},
		"no folder there": {0o444, 0o555, nil, closed},
	} {
		t.Run(name, func(t *testing.T) {
			path, h := filledStore(t, 8)
			if c.prepare != nil {
				c.prepare(t, path)
			}
			use := path
			if name == "no folder there" {
				use = filepath.Join(filepath.Dir(path), "new", "store.db")
			}
			forbid(t, path, c.file, c.folder)
			out, err := child(t, "readonly", use).Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			want := strings.ReplaceAll(c.want, "%d", fmt.Sprint(len(h.Answers())))
			if !strings.HasPrefix(string(out), want) {
				t.Errorf("got %q, want %q", out, want)
			}
		})
	}
}

func remover(t *testing.T, path string) {
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

func emptier(t *testing.T, path string) {
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
}

// forbid sets permissions for the time of a test.
func forbid(t *testing.T, path string, file, folder os.FileMode) {
	t.Helper()
	for _, p := range []string{path, path + "-journal"} {
		if err := os.Chmod(p, file); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
	}
	dir := filepath.Dir(path)
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, folder); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.Chmod(dir, 0o777); err != nil {
			t.Error(err)
		}
	})
}
