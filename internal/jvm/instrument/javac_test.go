package instrument

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"winnow/internal/testenv"
	"winnow/internal/vfs"
)

// The program that the instrumented compiler compiles.
const (
	sourcesPath   = "org/apache/commons/commons-lang3/3.20.0/commons-lang3-3.20.0-sources.jar"
	sourcesSHA256 = "eec245e820ec2800a1780cf756aefb427c1c6170e06902e67ac15b6910ce6335"
)

// TestCompiler compiles a real library with the JDK's own compiler, once as it is and once with all its classes rewritten. The class files must be the
// same, byte for byte, and thousands of its methods must have been entered. Without -full one compiler compiles the sources of this package's tests.
func TestCompiler(t *testing.T) {
	sources := "testdata"
	if *full {
		sources = unzip(t, fetchSources(t))
	}
	for _, feature := range judges() {
		j := newJVM(t, feature)
		classes := jdkClasses(t, feature, only("jdk.compiler", "java.compiler"))
		plain, _ := compileWith(t, j, "plain", sources, nil)
		for _, s := range someSchemes() {
			results := rewriteAll(t, newRewriter(t, s.Scheme), classes)
			base := 0
			for _, r := range results {
				if err := r.Rebase(base); err != nil {
					t.Fatal(err)
				}
				base += r.IDs
			}
			again, entered := compileWith(t, j, s.name, sources, j.patch(swap(classes, results)))
			for name, data := range plain {
				if !bytes.Equal(data, again[name]) {
					t.Errorf("JDK %d, %s: %s differs", feature, s.name, name)
				}
			}
			t.Logf("JDK %d, %s: %d class files, %d probes of %d hit", feature, s.name, len(plain), entered, base)
			if len(plain) != len(again) || len(plain) < 10 || entered < 2000 || entered > base {
				t.Errorf("JDK %d, %s: %d class files, were %d; %d probes of %d hit", feature, s.name, len(again), len(plain), entered, base)
			}
		}
	}
}

// compileWith returns the class files and how many methods of the compiler were entered.
func compileWith(t *testing.T, j *jvm, name, sources string, options []string) (map[string][]byte, int) {
	t.Helper()
	out := filepath.Join(j.dir, "out-"+name)
	args := []string{"-nowarn", "-proc:none", "-encoding", "UTF-8", "-g", "-d", out}
	answer := j.ask(options, "compile", append(args, javaFiles(t, sources)...)...)
	if answer[0] != [2]string{"exit", "0"} {
		t.Fatalf("JDK %d: the compiler failed: %v", j.feature, answer)
	}
	n, err := strconv.Atoi(answer[1][1])
	if err != nil {
		t.Fatal(err)
	}
	return tree(t, out), n
}

// javaFiles lists the sources below a directory, but for those of the probe class, which only java.base may have.
func javaFiles(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	for path := range tree(t, dir) {
		if strings.HasSuffix(path, ".java") && path != "Winnow.java" {
			out = append(out, filepath.Join(dir, path))
		}
	}
	slices.Sort(out)
	return out
}

// tree reads all files below a directory.
func tree(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err == nil {
			out[name], err = os.ReadFile(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// unzip unpacks the sources of a jar whose content is pinned.
func unzip(t *testing.T, jar []byte) string {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(jar), int64(len(jar)))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, r); err != nil {
		t.Fatal(err)
	}
	return dir
}

// fetchSources reads the sources' jar from the cache of artifacts, or downloads it there.
func fetchSources(t *testing.T) []byte {
	t.Helper()
	cache := os.Getenv("WINNOW_ARTIFACTS")
	if cache == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			t.Fatal(err)
		}
		cache = filepath.Join(dir, "winnow", "artifacts")
	}
	path := filepath.Join(cache, filepath.Base(sourcesPath))
	if data, err := os.ReadFile(path); err == nil && isSources(data) {
		return data
	}
	data, err := download()
	if err != nil {
		testenv.Missing(t, "Maven Central", err)
	}
	if !isSources(data) {
		t.Fatalf("%s has another checksum", sourcesPath)
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := vfs.WriteWhole(path, data); err != nil {
		t.Fatal(err)
	}
	return data
}

func isSources(data []byte) bool {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]) == sourcesSHA256
}

func download() ([]byte, error) {
	repository := os.Getenv("WINNOW_MAVEN_REPO")
	if repository == "" {
		repository = "https://repo1.maven.org/maven2"
	}
	resp, err := http.Get(strings.TrimSuffix(repository, "/") + "/" + sourcesPath)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", sourcesPath, resp.Status)
	}
	return io.ReadAll(io.LimitReader(resp.Body, 16<<20))
}
