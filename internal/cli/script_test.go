package cli

import (
	"archive/zip"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"winnow/internal/jvm/jvmtest"
	"winnow/internal/sheet/sheettest"
)

// fileLimit names the largest file, in bytes, that the program may write: a disk that is full.
const fileLimit = "WINNOW_TEST_FILE_LIMIT"

// TestMain makes the real program available to scripts as the command winnow, and runs as the program when a test wants a process of its own.
func TestMain(m *testing.M) {
	if limit, err := strconv.ParseUint(os.Getenv(fileLimit), 10, 64); err == nil {
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
			panic(err)
		}
	}
	if os.Getenv(asProgram) != "" {
		os.Exit(Main(os.Args[1:], System()))
	}
	testscript.Main(m, map[string]func(){
		"winnow": func() { os.Exit(Main(os.Args[1:], System())) },
	})
}

// TestScripts runs the scripts in testdata/script. Each is a text archive: commands, then files. Beside the usual commands there are
//
//	book FILE TEXT        makes a workbook from a text file
//	edit FILE LINE…       edits a workbook, a line as in the text
//	exit CODE COMMAND…    runs winnow and wants exactly this exit code
//	damage FILE           overwrites the middle of a file
//	cut FILE              removes the second half of a file
//	javac DIR FILE…       compiles Java sources into a directory, with JDK 17
//	jar FILE DIR          makes an archive of a directory
//
// and the condition jdk17, which is an error if there is none and WINNOW_NO_SKIPS is set.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("NO_COLOR", "1")
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"book": func(ts *testscript.TestScript, _ bool, args []string) {
				ts.Check(sheettest.Make(ts.MkAbs(args[0]), ts.ReadFile(args[1])))
			},
			"edit": func(ts *testscript.TestScript, _ bool, args []string) {
				ts.Check(sheettest.Edit(ts.MkAbs(args[0]), args[1:]...))
			},
			"exit": wantExit,
			"damage": func(ts *testscript.TestScript, _ bool, args []string) {
				ts.Check(rewrite(ts.MkAbs(args[0]), overwriteMiddle))
			},
			"cut": func(ts *testscript.TestScript, _ bool, args []string) {
				ts.Check(rewrite(ts.MkAbs(args[0]), func(b []byte) []byte { return b[:len(b)/2] }))
			},
			"javac": func(ts *testscript.TestScript, _ bool, args []string) {
				jdk, err := jvmtest.Find(17)
				ts.Check(err)
				ts.Check(runJavac(jdk, ts.MkAbs("."), args[0], args[1:]))
			},
			"jar": func(ts *testscript.TestScript, _ bool, args []string) {
				ts.Check(makeJar(ts.MkAbs(args[0]), ts.MkAbs(args[1])))
			},
		},
		Condition: func(name string) (bool, error) {
			if name != "jdk17" {
				return false, fmt.Errorf("no condition %q", name)
			}
			_, err := jvmtest.Find(17)
			if err != nil && os.Getenv("WINNOW_NO_SKIPS") != "" {
				return false, fmt.Errorf("needs JDK 17: %w", err)
			}
			return err == nil, nil
		},
	})
}

func runJavac(jdk, dir, out string, files []string) error {
	cmd := jvmtest.Command(jdk, "javac", append([]string{"-J-XX:TieredStopAtLevel=1", "-d", out}, files...)...)
	cmd.Dir = dir
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("javac: %w\n%s", err, said)
	}
	return nil
}

func makeJar(file, dir string) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	z := zip.NewWriter(f)
	return errors.Join(z.AddFS(os.DirFS(dir)), z.Close(), f.Close())
}

// wantExit runs winnow and compares the exit code.
func wantExit(ts *testscript.TestScript, _ bool, args []string) {
	err := ts.Exec("winnow", args[1:]...)
	got := "0"
	if err != nil {
		got = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if got != args[0] {
		ts.Fatalf("exit code %s, want %s", got, args[0])
	}
}

func rewrite(file string, f func([]byte) []byte) error {
	b, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return os.WriteFile(file, f(b), 0o644)
}

// overwriteMiddle overwrites everything but the first and the last page, so that the file is still recognised.
func overwriteMiddle(b []byte) []byte {
	for i := 4096; i < len(b)-4096; i++ {
		b[i] ^= 0x5a
	}
	return b
}
