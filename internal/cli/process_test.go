package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"winnow/internal/sheet/sheettest"
)

// asProgram makes the test binary run as the real program.
const asProgram = "WINNOW_TEST_AS_PROGRAM"

func program(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), asProgram+"=1", "NO_COLOR=1")
	return cmd
}

// slowTests is the number of tests of slowProject; each takes some milliseconds.
const slowTests = 350

// slowProject is a project whose tests look something up in a long table, so that a run takes seconds.
func slowProject(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	var book, tests strings.Builder
	for r := 1; r <= 1000; r++ {
		fmt.Fprintf(&book, "T!A%d %d\nT!B%d %d\n", r, r, r, r*2)
	}
	book.WriteString("S!A1 1\nS!B1 =VLOOKUP(A1,T!A1:B1000,2,FALSE)\n")
	for i := range slowTests {
		fmt.Fprintf(&tests, "test %d\n set S!A1 = %d\n expect S!B1 = %d\n", i, i+1, 2*(i+1))
	}
	if err := sheettest.Make(filepath.Join(dir, "slow.xlsx"), book.String()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "slow.tests"), []byte(tests.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "winnow.toml"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// leftOut returns how many tests have a proof.
func leftOut(t *testing.T, dir string) int {
	t.Helper()
	out, err := program(dir, "select", "--json").Output()
	if err != nil {
		t.Fatal(err)
	}
	var run struct {
		Totals struct {
			LeftOut int `json:"left_out"`
		} `json:"totals"`
	}
	if err := json.Unmarshal(out, &run); err != nil {
		t.Fatal(err)
	}
	return run.Totals.LeftOut
}

// startAndSignal starts a run and sends it a signal when the store has something.
func startAndSignal(t *testing.T, dir string, sig syscall.Signal) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	cmd := program(dir, "test")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// Results are stored every second; a run that has stored some has more to do.
	for range 200 {
		time.Sleep(50 * time.Millisecond)
		file := filepath.Join(dir, ".winnow", "store.db")
		_, writing := os.Stat(file + "-journal") // what is being written is not yet stored
		if info, err := os.Stat(file); err == nil && info.Size() > 60_000 && errors.Is(writing, os.ErrNotExist) {
			break
		}
	}
	if err := cmd.Process.Signal(sig); err != nil {
		t.Fatalf("the run ended too soon: %v\n%s", err, out.String())
	}
	return cmd, &out
}

func TestInterrupt(t *testing.T) {
	dir := slowProject(t)
	cmd, out := startAndSignal(t, dir, syscall.SIGINT)
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != int(ExitInterrupted) {
		t.Fatalf("%v\n%s", err, out)
	}
	if !strings.Contains(out.String(), "interrupted; what ended is recorded") {
		t.Errorf("output:\n%s", out)
	}
	if n := leftOut(t, dir); n == 0 || n == slowTests {
		t.Errorf("%d of %d tests have a proof after an interrupt", n, slowTests)
	}
}

// TestInterruptBuild: what has ended is recorded also while other tests are left out.
func TestInterruptBuild(t *testing.T) {
	dir := written(t, map[string]string{"src/test/java/p/ZzTest.java": `package p;
import java.io.File;
class ZzTest {
    @org.junit.jupiter.api.Test void sleeps() throws Exception {
        if (new File("sleep").exists()) {
            new File("target/asleep").createNewFile();
            Thread.sleep(60_000);
        }
    }
}
`})
	if out, err := program(dir, "test", "--", "-q").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	replace(t, filepath.Join(dir, level), "return level;", "return +level - 0;")
	if err := os.WriteFile(filepath.Join(dir, "sleep"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := program(dir, "test", "--", "-q")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range 1200 {
		if _, err := os.Stat(filepath.Join(dir, "target", "asleep")); err == nil {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	var exit *exec.ExitError
	if err := errors.Join(cmd.Process.Signal(syscall.SIGINT), cmd.Wait()); !errors.As(err, &exit) || exit.ExitCode() != int(ExitInterrupted) || !strings.Contains(out.String(), "1 passed") {
		t.Fatalf("%v\n%s", err, &out)
	}
	if err := os.Remove(filepath.Join(dir, "sleep")); err != nil {
		t.Fatal(err)
	}
	if n := leftOut(t, dir); n != 7 {
		t.Errorf("%d of 7 tests have a proof", n)
	}
}

func TestKill(t *testing.T) {
	dir := slowProject(t)
	cmd, out := startAndSignal(t, dir, syscall.SIGKILL)
	if err := cmd.Wait(); err == nil {
		t.Fatalf("the run ended too soon\n%s", out)
	}
	if n := leftOut(t, dir); n == 0 || n == slowTests {
		t.Errorf("%d of %d tests have a proof after a kill", n, slowTests)
	}
	if out, err := program(dir, "test").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if n := leftOut(t, dir); n != slowTests {
		t.Errorf("%d of %d tests have a proof after the next run", n, slowTests)
	}
}

func TestTwoAtOnce(t *testing.T) {
	dir := slowProject(t)
	one, two := program(dir, "test"), program(dir, "test")
	for _, c := range []*exec.Cmd{one, two} {
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(one.Wait(), two.Wait()); err != nil {
		t.Fatal(err)
	}
	if n := leftOut(t, dir); n != slowTests {
		t.Errorf("%d of %d tests have a proof", n, slowTests)
	}
}

// TestFullDisk limits the size of files that the program may write, so that the store cannot be made, or not be added to: the tests run, it is told that
// nothing was recorded, and the next run with room makes up for it.
func TestFullDisk(t *testing.T) {
	for _, c := range []struct{ limit, want string }{{"20000", "no store can be made"}, {"70000", "NOT RECORDED"}} {
		dir := slowProject(t)
		cmd := program(dir, "test")
		cmd.Env = append(cmd.Env, fileLimit+"="+c.limit)
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), c.want) {
			t.Fatalf("limit %s: %v\n%s", c.limit, err, out)
		}
		if n := leftOut(t, dir); n == slowTests {
			t.Errorf("limit %s: everything is proven although not everything could be written", c.limit)
		}
		if out, err := program(dir, "test").CombinedOutput(); err != nil {
			t.Fatalf("limit %s: %v\n%s", c.limit, err, out)
		}
		if n := leftOut(t, dir); n != slowTests {
			t.Errorf("limit %s: %d of %d tests have a proof after the next run", c.limit, n, slowTests)
		}
	}
}
