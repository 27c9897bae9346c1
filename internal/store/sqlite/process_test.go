package sqlite

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"winnow/internal/digest"
	"winnow/internal/rts"
	"winnow/internal/store"
	"winnow/internal/store/storetest"
)

var (
	kills = flag.Int("sqlite.kills", 22, "number of processes to kill while they write")
	seed  = flag.Uint64("sqlite.seed", 1, "seed of the random tests")
)

// childVar, if set, makes the test binary act as another process that uses a store.
const childVar = "WINNOW_SQLITE_CHILD"

// children are the things that another process can do. They write what the parent is to know to the standard output.
var children = map[string]func(args []string) error{
	"append": appendForever,
	"hang":   hangInTransaction,
}

func TestMain(m *testing.M) {
	if call := os.Getenv(childVar); call != "" {
		args := strings.Split(call, "\n")
		if err := children[args[0]](args[1:]); err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// child prepares another process.
func child(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return childProcess(self, args...)
}

func childProcess(self string, args ...string) *exec.Cmd {
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), childVar+"="+strings.Join(args, "\n"))
	cmd.Stderr = os.Stderr
	return cmd
}

func mustOpen(t *testing.T, path string) *Backend {
	t.Helper()
	b, err := Open(context.Background(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func mustClose(t *testing.T, c interface{ Close() error }) {
	t.Helper()
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// large is a recording of one test, with so much content that writing it takes a while.
func large(test string, size int) *rts.Recording {
	body := make([]byte, size)
	rand.NewChaCha8([32]byte([]byte(fmt.Sprintf("%32s", test)[:32]))).Read(body)
	return &rts.Recording{
		Meta:       rts.Meta{When: time.Unix(1_700_000_000, 0).UTC()},
		Footprints: []rts.Footprint{{Uses: []rts.Use{{Entity: rts.Entity{Kind: "cell", Name: "A1"}, Digest: digest.Of(body)}}}},
		Records:    []rts.Record{{Test: rts.TestID(test), Outcome: rts.Passed}},
		Bodies:     map[digest.Digest][]byte{digest.Of(body): body},
	}
}

// appendForever appends recordings and names each one once it is stored.
func appendForever(args []string) error {
	path, name := args[0], args[1]
	count, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	b, err := Open(context.Background(), path, Options{})
	if err != nil {
		return err
	}
	for i := range count {
		test := fmt.Sprint(name, "#", i)
		if err := store.New(b).Append(context.Background(), large(test, 60_000)); err != nil {
			return err
		}
		fmt.Println(test)
	}
	return b.Close()
}

// tests returns the tests that have a record, after reading everything else too.
func tests(t *testing.T, path string) []string {
	t.Helper()
	b := mustOpen(t, path)
	defer mustClose(t, b)
	v, err := store.New(b).View(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer mustClose(t, v)
	if err := v.Verify(context.Background()); err != nil {
		t.Fatal(err)
	}
	var all []string
	v.Records(func(r store.Stored) { all = append(all, string(r.Test)) })
	return all
}

// TestKill kills processes while they append: what they had acknowledged is there, and at most the one that was being written.
func TestKill(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.db")
	mustClose(t, mustOpen(t, path))
	r := rand.New(rand.NewPCG(*seed, 1))
	var acknowledged []string
	journals := 0
	for i := range *kills {
		acknowledged = append(acknowledged, killed(t, r, path, fmt.Sprint("p", i))...)
		if _, err := os.Stat(path + "-journal"); err == nil {
			journals++
		}
		got := tests(t, path)
		for _, test := range acknowledged {
			if !slices.Contains(got, test) {
				t.Fatalf("seed %d, kill %d: %s was acknowledged and is gone", *seed, i, test)
			}
		}
		if len(got) > len(acknowledged)+1+i {
			t.Fatalf("%d records, %d acknowledged", len(got), len(acknowledged))
		}
	}
	t.Logf("%d kills, %d records acknowledged, %d journals left behind", *kills, len(acknowledged), journals)
	if len(acknowledged) == 0 || journals == 0 {
		t.Error("no process was killed while it wrote")
	}
}

// killed starts a process that appends, kills it at a random moment after its first record, and returns what it acknowledged.
func killed(t *testing.T, r *rand.Rand, path, name string) []string {
	t.Helper()
	cmd := child(t, "append", path, name, "1000000")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var lines []string
	in := bufio.NewScanner(out)
	for in.Scan() {
		lines = append(lines, in.Text())
		if len(lines) == 1 {
			time.AfterFunc(time.Duration(r.IntN(40_000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
		}
	}
	if err := cmd.Wait(); err == nil || len(lines) == 0 {
		t.Fatalf("the process was not killed while it appended: %v %q", err, lines)
	}
	return lines
}

// TestTwoProcesses lets processes append at once.
func TestTwoProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	var cmds []*exec.Cmd
	for _, name := range []string{"a", "b"} {
		cmd := child(t, "append", path, name, "12")
		cmd.Stdout = new(bytes.Buffer)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		cmds = append(cmds, cmd)
	}
	for _, cmd := range cmds {
		if err := cmd.Wait(); err != nil {
			t.Fatalf("%v: %s", err, cmd.Stdout)
		}
	}
	if got := tests(t, path); len(got) != 24 {
		t.Errorf("%d records, not 24", len(got))
	}
}

// hangInTransaction overwrites pages of the store before its commit, and waits to be killed.
func hangInTransaction(args []string) error {
	ctx := context.Background()
	b, err := Open(ctx, args[0], Options{})
	if err != nil {
		return err
	}
	return b.transaction(ctx, writing, func(c *sql.Conn) error {
		for _, statement := range []string{
			"PRAGMA cache_size = 1", // so SQLite must write to the file to go on
			"UPDATE segment SET idx = zeroblob(length(idx))",
			"UPDATE block SET data = zeroblob(length(data))",
			"UPDATE suspects SET data = zeroblob(100000)",
		} {
			if _, err := c.ExecContext(ctx, statement); err != nil {
				return err
			}
		}
		fmt.Println("ready")
		time.Sleep(time.Minute)
		return errors.New("not killed")
	})
}

// hotJournal leaves the store half overwritten, with the journal that can undo it.
func hotJournal(t *testing.T, path string) {
	t.Helper()
	cmd := child(t, "hang", path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		t.Fatalf("%q, %v", line, err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Fatal("the process was not killed")
	}
	if info, err := os.Stat(path + "-journal"); err != nil || info.Size() == 0 {
		t.Fatalf("no journal is left: %v", err)
	}
}

// TestHotJournal checks that a half-written transaction is undone by the next use.
func TestHotJournal(t *testing.T) {
	path, h := filledStore(t, 8)
	hotJournal(t, path)
	if got := answersOf(t, path); !slices.Equal(got, h.Answers()) {
		t.Errorf("the answers are not those before the transaction")
	}
	if _, err := os.Stat(path + "-journal"); err == nil {
		t.Error("the journal is still there")
	}
}

// quarrel is two recordings in which a test passes and fails on the same inputs.
func quarrel() storetest.History {
	pass, fail := large("quarrel#0", 10), large("quarrel#0", 10)
	fail.Records[0].Outcome = rts.Failed
	fail.Meta.When = pass.Meta.When.Add(-time.Hour)
	return storetest.History{pass, fail}
}

// filledStore makes a store with n recordings and a quarrel, each half of it in a segment of its own: losing one must
// not make a proof.
func filledStore(t *testing.T, n int) (string, storetest.History) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "store.db")
	h := storetest.NewHistory(rand.New(rand.NewPCG(*seed, 2)), n)
	b := mustOpen(t, path)
	defer mustClose(t, b)
	for _, rec := range h {
		if err := store.New(b).Append(context.Background(), rec); err != nil {
			t.Fatal(err)
		}
	}
	for _, rec := range quarrel() {
		if err := b.Replace(context.Background(), encode(rec), nil); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 3 {
		if err := b.AddRun(context.Background(), store.Run{Tests: i}); err != nil {
			t.Fatal(err)
		}
	}
	return path, append(h, quarrel()...)
}

func answersOf(t *testing.T, path string) []string {
	t.Helper()
	b := mustOpen(t, path)
	defer mustClose(t, b)
	got, err := answers(b)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// answers reads everything.
func answers(b *Backend) (lines []string, err error) {
	v, err := store.New(b).View(context.Background())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, v.Close()) }()
	if err := v.Verify(context.Background()); err != nil {
		return nil, err
	}
	return storetest.Answers(v)
}
