package sqlite

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"winnow/internal/digest"
	"winnow/internal/store"
	"winnow/internal/store/storetest"
)

var damages = flag.Int("sqlite.damages", 300, "number of random damages")

// A spoil changes the bytes of a file.
type spoil func(r *rand.Rand, b []byte) []byte

var spoils = []struct {
	name string
	do   spoil
}{
	{"flip", func(r *rand.Rand, b []byte) []byte { return flip(r, b, len(b)) }},
	{"flip in the header", func(r *rand.Rand, b []byte) []byte { return flip(r, b, 100) }},
	{"flip in the first pages", func(r *rand.Rand, b []byte) []byte { return flip(r, b, 6*pageSize) }},
	{"zeros", func(r *rand.Rand, b []byte) []byte {
		at := 512 * r.IntN(len(b)/512)
		clear(b[at : at+512])
		return b
	}},
	{"swapped pages", func(r *rand.Rand, b []byte) []byte {
		i, j := r.IntN(len(b)/pageSize), r.IntN(len(b)/pageSize)
		page := slices.Clone(b[i*pageSize : (i+1)*pageSize])
		copy(b[i*pageSize:], b[j*pageSize:(j+1)*pageSize])
		copy(b[j*pageSize:], page)
		return b
	}},
	{"cut", func(r *rand.Rand, b []byte) []byte { return b[:r.IntN(len(b))] }},
	{"longer", func(r *rand.Rand, b []byte) []byte { return append(b, make([]byte, r.IntN(3*pageSize))...) }},
}

func flip(r *rand.Rand, b []byte, limit int) []byte {
	for range 1 + r.IntN(3) {
		b[r.IntN(min(limit, len(b)))] ^= byte(1 + r.IntN(255))
	}
	return b
}

// wholeFile returns the bytes of a store that is large enough to be damaged in many ways.
func wholeFile(t *testing.T) ([]byte, storetest.History) {
	t.Helper()
	path, h := filledStore(t, 11)
	b := mustOpen(t, path)
	filler := large("filler#0", 100_000)
	if err := b.Replace(context.Background(), encode(filler), nil); err != nil {
		t.Fatal(err)
	}
	mustClose(t, b)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return raw, append(h, filler)
}

// TestDamage spoils the file at random. What still works gives the old answers; the rest says that it is damaged; and
// recovering gives a working store without new proofs.
func TestDamage(t *testing.T) {
	t.Parallel()
	raw, h := wholeFile(t)
	path := filepath.Join(t.TempDir(), "store.db")
	seen := map[string]int{}
	for i := range *damages {
		kind := spoils[i%len(spoils)]
		r := rand.New(rand.NewPCG(*seed, uint64(i)))
		where := fmt.Sprintf("seed %d, damage %d (%s)", *seed, i, kind.name)
		if err := os.WriteFile(path, kind.do(r, slices.Clone(raw)), 0o666); err != nil {
			t.Fatal(err)
		}
		result, err := useDamaged(path, h)
		if err != nil {
			t.Fatalf("%s: %v", where, err)
		}
		seen[result]++
		if err := afterRecovery(path, h, seen); err != nil {
			t.Fatalf("%s: %v", where, err)
		}
	}
	t.Logf("of %d damages: %v", *damages, seen)
	if seen["works"] == 0 || seen["corrupt"] == 0 || seen["some kept"] == 0 || seen["nothing kept"] == 0 {
		t.Errorf("the damages are not varied enough: %v", seen)
	}
}

// useDamaged opens, reads and writes a store. It returns an error if anything but the old answers, an
// ErrCorrupt or a VersionError comes of it.
func useDamaged(path string, h storetest.History) (string, error) {
	b, err := Open(context.Background(), path, Options{})
	if err != nil {
		return classify(err)
	}
	result, err := classify(use(b, h))
	return result, errors.Join(err, b.Close())
}

var errChanged = errors.New("the answers changed")

func use(b *Backend, h storetest.History) error {
	got, err := answers(b)
	if err != nil {
		return err
	}
	if !slices.Equal(got, h.Answers()) && len(got) > 0 { // a file cut to nothing is an empty store
		return errChanged
	}
	before := len(got)
	if runs, err := b.Runs(context.Background(), 9); err != nil {
		return err
	} else if before > 0 && (len(runs) != 3 || runs[0].Tests != 2 || runs[2].Tests != 0) {
		return errChanged
	}
	if err := store.New(b).Append(context.Background(), large("appended", 30_000)); err != nil {
		return err
	}
	if got, err = answers(b); err == nil && len(got) < before {
		return errChanged
	}
	return err
}

func classify(err error) (string, error) {
	var version *VersionError
	switch {
	case err == nil:
		return "works", nil
	case errors.Is(err, store.ErrCorrupt):
		return "corrupt", nil
	case errors.As(err, &version):
		return "version", nil
	}
	return "", err
}

// afterRecovery recovers the store and checks the result.
func afterRecovery(path string, h storetest.History, seen map[string]int) (err error) {
	report, aside, err := Recover(context.Background(), path)
	var version *VersionError
	if errors.As(err, &version) {
		aside, err = SetAside(path)
	}
	if err != nil {
		return err
	}
	if aside != "" {
		if _, err := os.Stat(aside); err != nil {
			return err
		}
		if err := os.Remove(aside); err != nil {
			return err
		}
	}
	switch {
	case aside == "":
		seen["whole"]++
	case report.Nothing || report.Kept == 0:
		seen["nothing kept"]++
	default:
		seen["some kept"]++
	}
	return judgeRecovered(path, h)
}

func judgeRecovered(path string, h storetest.History) (err error) {
	b, err := Open(context.Background(), path, Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	if _, err := answers(b); err != nil {
		return err
	}
	v, err := store.New(b).View(context.Background())
	if err != nil {
		return err
	}
	after, err := storetest.Statements(v)
	if err := errors.Join(err, v.Close()); err != nil {
		return err
	}
	before := append(h.Statements(), storetest.History{large("appended", 30_000)}.Statements()...)
	for _, p := range storetest.NewProofs(before, after) {
		return errors.New("new proof " + p)
	}
	return store.New(b).Append(context.Background(), large("after recovery", 10))
}

// TestLostPart removes rows behind SQLite's back and checks what Open, View and Recover say.
func TestLostPart(t *testing.T) {
	for name, c := range map[string]struct {
		statement string
		nothing   bool
	}{
		"segment":       {"DELETE FROM segment WHERE seq = (SELECT min(seq) FROM segment)", false},
		"last segment":  {"DELETE FROM segment WHERE seq = (SELECT max(seq) FROM segment)", false},
		"block":         {"DELETE FROM block WHERE segment = (SELECT min(segment) FROM block) AND n = 0", false},
		"index":         {"UPDATE segment SET idx = zeroblob(300) WHERE seq = (SELECT min(seq) FROM segment)", false},
		"name":          {"UPDATE segment SET id = zeroblob(16) WHERE seq = (SELECT min(seq) FROM segment)", true},
		"manifest":      {"DELETE FROM manifest", true},
		"manifest byte": {"UPDATE manifest SET data = CAST(substr(data, 1, 20) || x'07' || substr(data, 22) AS BLOB)", true},
		"and suspects":  {"UPDATE segment SET idx = x'' WHERE seq = (SELECT min(seq) FROM segment); DELETE FROM suspects", true},
		"table":         {"DROP TABLE block", false},
		"all segments":  {"DROP TABLE segment", false},
	} {
		t.Run(name, func(t *testing.T) {
			path, h := filledStore(t, 4)
			b := mustOpen(t, path)
			if _, err := b.db.Exec(c.statement); err != nil {
				t.Fatal(err)
			}
			mustClose(t, b)
			if result, err := useDamaged(path, h); err != nil || result != "corrupt" {
				t.Errorf("the store says %q, %v", result, err)
			}
			report, aside, err := Recover(context.Background(), path)
			if err != nil || aside != path+".damaged-1" || report.Nothing != c.nothing {
				t.Errorf("recovered: %+v, %q, %v", report, aside, err)
			}
			if err := judgeRecovered(path, h); err != nil {
				t.Error(err)
			}
			if result, err := useDamaged(aside, h); err != nil || result != "corrupt" {
				t.Errorf("the file set aside says %q, %v", result, err)
			}
		})
	}
}

// loseBlock removes the first block of the first segment.
func loseBlock(t *testing.T, path string) {
	t.Helper()
	b := mustOpen(t, path)
	if _, err := b.db.Exec("DELETE FROM block WHERE segment = (SELECT min(segment) FROM block) AND n = 0"); err != nil {
		t.Fatal(err)
	}
	mustClose(t, b)
}

// TestRecoverKeepsRuns checks that the run summaries are taken over if they can be read.
func TestRecoverKeepsRuns(t *testing.T) {
	path, _ := filledStore(t, 4)
	loseBlock(t, path)
	if _, _, err := Recover(context.Background(), path); err != nil {
		t.Fatal(err)
	}
	b := mustOpen(t, path)
	defer mustClose(t, b)
	runs, err := b.Runs(context.Background(), 9)
	if err != nil || len(runs) != 3 || runs[0].Tests != 2 {
		t.Errorf("runs are %v, %v", runs, err)
	}
}

// TestNotAStore puts other things where the store should be.
func TestNotAStore(t *testing.T) {
	folder := t.TempDir()
	write := func(name string, content []byte) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, content, 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	text := write("text", []byte("Dear diary, today I broke the build again. It was a Monday.\n"))
	if _, err := Open(context.Background(), text, Options{}); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("text: %v", err)
	}
	report, aside, err := Recover(context.Background(), text)
	if err != nil || !report.Nothing || aside != text+".damaged-1" {
		t.Errorf("text recovered: %+v %q %v", report, aside, err)
	}
	if b, err := os.ReadFile(aside); err != nil || len(b) == 0 || b[0] != 'D' {
		t.Errorf("the text is gone: %v", err)
	}
	if got := tests(t, text); len(got) != 0 {
		t.Errorf("the new store has %v", got)
	}
	if got := tests(t, write("empty", nil)); len(got) != 0 {
		t.Errorf("an empty file has %v", got)
	}
	if _, err := Open(context.Background(), folder, Options{}); err == nil || errors.Is(err, store.ErrCorrupt) {
		t.Errorf("folder: %v", err)
	}
	if _, _, err := Recover(context.Background(), folder); err == nil {
		t.Error("a folder was recovered")
	}
	if _, _, err := Recover(context.Background(), filepath.Join(folder, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("nothing there: %v", err)
	}
}

// TestSetAside makes way for a new store.
func TestSetAside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	for i, want := range []struct{ pragma, suffix string }{
		{"user_version = 12", ".v12"},
		{"user_version = 12", ".v12-2"},
		{"application_id = 7", ".v1"},
	} {
		b := mustOpen(t, path)
		if _, err := b.db.Exec("PRAGMA " + want.pragma); err != nil {
			t.Fatal(err)
		}
		mustClose(t, b)
		var version *VersionError
		if _, err := Open(context.Background(), path, Options{}); !errors.As(err, &version) || version.Foreign != (i == 2) {
			t.Errorf("%s: %v", want.pragma, err)
		}
		if _, _, err := Recover(context.Background(), path); !errors.As(err, &version) {
			t.Errorf("%s: recovered with %v", want.pragma, err)
		}
		aside, err := SetAside(path)
		if err != nil || aside != path+want.suffix {
			t.Errorf("set aside as %q, %v", aside, err)
		}
		if _, err := os.Stat(aside); err != nil {
			t.Error(err)
		}
	}
	mustClose(t, mustOpen(t, path))
	if aside, err := SetAside(path); err == nil {
		t.Errorf("a store of this version was set aside as %s", aside)
	}
}

// TestRecoverTwice recovers one store from several goroutines: the first does it, the others find it done.
func TestRecoverTwice(t *testing.T) {
	path, _ := filledStore(t, 4)
	loseBlock(t, path)
	asides, errs := make([]string, 4), make([]error, 4)
	var wg sync.WaitGroup
	for i := range asides {
		wg.Go(func() { _, asides[i], errs[i] = Recover(context.Background(), path) })
	}
	wg.Wait()
	slices.Sort(asides)
	if err := errors.Join(errs...); err != nil || !slices.Equal(asides, []string{"", "", "", path + ".damaged-1"}) {
		t.Errorf("set aside as %q, %v", asides, err)
	}
}

// TestRecoverWhileAppending checks that nothing is lost that was acknowledged while the store was being recovered.
func TestRecoverWhileAppending(t *testing.T) {
	path, _ := filledStore(t, 4)
	loseBlock(t, path)
	b := mustOpen(t, path)
	defer mustClose(t, b)
	var acknowledged []string
	started, stopped := make(chan bool, 1), make(chan error, 1)
	go func() {
		for i := 0; ; i++ {
			test := fmt.Sprint("late#", i)
			if err := b.Replace(context.Background(), encode(large(test, 1000)), nil); err != nil {
				stopped <- err
				return
			}
			acknowledged = append(acknowledged, test)
			if i == 3 {
				started <- true
			}
			time.Sleep(2 * time.Millisecond) // SQLite's locks are not fair
		}
	}()
	<-started
	if _, aside, err := Recover(context.Background(), path); err != nil || aside == "" {
		t.Fatalf("%q, %v", aside, err)
	}
	if err := <-stopped; !errors.Is(err, errMoved) {
		t.Errorf("the writer was stopped by %v", err)
	}
	got := tests(t, path)
	for _, test := range acknowledged {
		if !slices.Contains(got, test) {
			t.Errorf("%s was acknowledged and is gone", test)
		}
	}
}

// TestManifestIsChecked alters each byte of a manifest.
func TestManifestIsChecked(t *testing.T) {
	whole := (&manifest{last: 7, runs: 3, segments: []entry{{2, digest.OfString("a")}, {7, digest.OfString("b")}}}).encode()
	for i := range whole {
		b := slices.Clone(whole)
		b[i] ^= 4
		if m, err := decodeManifest(b); !errors.Is(err, store.ErrCorrupt) || m != nil {
			t.Errorf("byte %d: %v", i, err)
		}
		if m, err := decodeManifest(whole[:i]); !errors.Is(err, store.ErrCorrupt) || m != nil {
			t.Errorf("cut at %d: %v", i, err)
		}
	}
}
