package sqlite

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/internal/digest"
	"winnow/internal/rts"
	"winnow/internal/store"
	"winnow/internal/store/segment"
	"winnow/internal/store/storetest"
)

func TestConformance(t *testing.T) {
	t.Parallel()
	storetest.RunDurable(t, func(t *testing.T, dir string) store.Backend {
		// The name has everything that a URI gives a meaning to.
		return mustOpen(t, filepath.Join(dir, "new", "a b?c#d%41&ä.db"))
	})
}

func encode(recs ...*rts.Recording) []*segment.Encoded {
	var w segment.Writer
	for _, rec := range recs {
		w.Add(rec)
	}
	return []*segment.Encoded{w.Encode()}
}

// TestNoOtherFiles checks that nothing lies beside the store, neither open nor closed.
func TestNoOtherFiles(t *testing.T) {
	path, _ := filledStore(t, 8)
	b := mustOpen(t, path)
	for range 2 {
		files, err := os.ReadDir(filepath.Dir(path))
		if err != nil || len(files) != 1 {
			t.Errorf("%v, %v", files, err)
		}
		mustClose(t, b)
	}
}

// TestCancel checks that a cancelled write changes nothing and does no harm to later ones.
func TestCancel(t *testing.T) {
	path, h := filledStore(t, 8)
	b := mustOpen(t, path)
	defer mustClose(t, b)
	for _, after := range []time.Duration{0, time.Millisecond, 5 * time.Millisecond} {
		ctx, cancel := context.WithTimeout(context.Background(), after)
		err := b.Replace(ctx, encode(large("cancelled", 30_000_000)), nil)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("after %v: %v", after, err)
		}
	}
	if got := answersOf(t, path); !slices.Equal(got, h.Answers()) {
		t.Error("a cancelled write left something behind")
	}
	if err := b.Replace(context.Background(), encode(large("later", 10)), nil); err != nil {
		t.Error(err)
	}
}

// TestFull checks the report of a full disk.
func TestFull(t *testing.T) {
	path, h := filledStore(t, 8)
	b := mustOpen(t, path)
	b.db.SetMaxOpenConns(1) // the limit holds for one connection
	if _, err := b.db.Exec("PRAGMA max_page_count = 40"); err != nil {
		t.Fatal(err)
	}
	err := b.Replace(context.Background(), encode(large("too large", 1_000_000)), nil)
	if err == nil || !strings.Contains(err.Error(), "store "+path+": disk full: free space, nothing was lost") {
		t.Errorf("error is %v", err)
	}
	mustClose(t, b)
	if got := answersOf(t, path); !slices.Equal(got, h.Answers()) {
		t.Error("something was lost")
	}
}

// TestBusy checks that a writer gives up in time if a view stays open, and that it has changed nothing.
func TestBusy(t *testing.T) {
	path, h := filledStore(t, 8)
	b, err := Open(context.Background(), path, Options{Wait: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer mustClose(t, b)
	v, err := b.View(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Replace(context.Background(), encode(large("x", 10)), nil); !errors.Is(err, errBusy) {
		t.Errorf("error is %v", err)
	}
	mustClose(t, v)
	if got := answersOf(t, path); !slices.Equal(got, h.Answers()) {
		t.Error("the write that gave up left something behind")
	}
}

// TestMoved checks that a process whose file was set aside does not write to the file that took its place.
func TestMoved(t *testing.T) {
	path, _ := filledStore(t, 3)
	old := mustOpen(t, path)
	defer mustClose(t, old)
	if _, err := answers(old); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path, path+".damaged-1"); err != nil {
		t.Fatal(err)
	}
	mustClose(t, mustOpen(t, path))
	if err := old.Replace(context.Background(), encode(large("x", 10)), nil); !errors.Is(err, errMoved) {
		t.Errorf("error is %v", err)
	}
	if got := tests(t, path); len(got) != 0 {
		t.Errorf("the new store has %v", got)
	}
}

// twoVersions is a layout with one more version than the current one.
func twoVersions() layout {
	return layout{
		migrations: append(slices.Clone(current.migrations), []string{"CREATE TABLE zone(name TEXT)", "UPDATE run SET seq = seq"}),
		tables:     append(slices.Clone(current.tables), "CREATE TABLE zone(name TEXT)"),
	}
}

// TestMigration opens a store with a newer layout than it was made with.
func TestMigration(t *testing.T) {
	path, h := filledStore(t, 8)
	for range 2 {
		b, err := open(context.Background(), path, Options{}, twoVersions())
		if err != nil {
			t.Fatal(err)
		}
		got, err := answers(b)
		if err != nil || !slices.Equal(got, h.Answers()) {
			t.Errorf("the answers changed: %v", err)
		}
		mustClose(t, b)
	}
	_, err := Open(context.Background(), path, Options{})
	var version *VersionError
	if !errors.As(err, &version) || *version != (VersionError{Path: path, Found: 2, Known: 1}) || errors.Is(err, store.ErrCorrupt) {
		t.Errorf("the older program says: %v", err)
	}
}

// TestFailedMigration checks that a migration is done as a whole or not at all.
func TestFailedMigration(t *testing.T) {
	path, h := filledStore(t, 8)
	bad := twoVersions()
	bad.migrations[1] = append(bad.migrations[1], "CREATE TABLE zone(name TEXT)")
	if _, err := open(context.Background(), path, Options{}, bad); err == nil {
		t.Fatal("no error")
	}
	if got := answersOf(t, path); !slices.Equal(got, h.Answers()) {
		t.Error("the answers changed")
	}
}

func FuzzManifest(f *testing.F) {
	f.Add((&manifest{}).encode())
	f.Add((&manifest{last: 7, runs: 3, segments: []entry{{2, digest.OfString("a")}, {7, digest.OfString("b")}}}).encode())
	f.Add([]byte(manifestMagic))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, b := range [][]byte{b, sealed(b)} {
			m, err := decodeManifest(b)
			if err != nil {
				if m != nil || !errors.Is(err, store.ErrCorrupt) {
					t.Fatalf("%v with a result", err)
				}
			} else if again := m.encode(); !bytes.Equal(again, b) {
				t.Fatalf("re-encoding differs:\n%q\n%q", b, again)
			}
		}
	})
}

// sealed gives bytes the right checksum, so that the fuzzer gets behind it.
func sealed(b []byte) []byte {
	sum := digest.Of(b)
	return append(bytes.Clone(b), sum[:]...)
}
