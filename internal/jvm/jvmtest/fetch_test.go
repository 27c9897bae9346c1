package jvmtest

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// A shelf is a repository that serves one answer and counts who asks.
type shelf struct {
	source
	asked  atomic.Int32
	status func(attempt int32) int
	body   string
}

func (s *shelf) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n := s.asked.Add(1)
	if want := "/org/example/thing/1.0/thing-1.0.jar"; r.URL.Path != want {
		http.Error(w, "want "+want, http.StatusNotFound)
		return
	}
	w.WriteHeader(s.status(n))
	fmt.Fprint(w, s.body)
}

func newShelf(t *testing.T, body string, status func(int32) int) *shelf {
	t.Helper()
	s := &shelf{body: body, status: status}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.source = source{repository: server.URL, local: t.TempDir(), cache: filepath.Join(t.TempDir(), "new")}
	return s
}

func always(status int) func(int32) int { return func(int32) int { return status } }

func artifact(content string) Artifact {
	sum := sha256.Sum256([]byte(content))
	return Artifact{Name: "thing", Group: "org.example", ID: "thing", Version: "1.0", Size: int64(len(content)), SHA256: hex.EncodeToString(sum[:])}
}

// checkFiles fails if the cache holds anything but the named files: a failed download leaves nothing behind.
func (s *shelf) checkFiles(t *testing.T, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(s.cache)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if !slices.Equal(got, want) {
		t.Errorf("the cache holds %q, want %q", got, want)
	}
}

func put(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (s *shelf) checkFetch(t *testing.T, wantPath string, wantAsked int32) {
	t.Helper()
	path, err := s.fetch(artifact(s.body))
	if err != nil || path != wantPath {
		t.Fatalf("got %q, %v, want %q", path, err, wantPath)
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != s.body {
		t.Errorf("%s holds %q, %v, want %q", path, data, err, s.body)
	}
	if got := s.asked.Load(); got != wantAsked {
		t.Errorf("asked %d times, want %d", got, wantAsked)
	}
}

func TestFetchDownloadsOnce(t *testing.T) {
	s := newShelf(t, "a jar", always(200))
	cached := filepath.Join(s.cache, "thing-1.0.jar")
	s.checkFetch(t, cached, 1)
	s.checkFetch(t, cached, 1)
	put(t, cached, "a jat")
	s.checkFetch(t, cached, 2)
	s.checkFiles(t, "thing-1.0.jar")
}

func TestFetchPrefersLocalRepository(t *testing.T) {
	s := newShelf(t, "a jar", always(200))
	local := filepath.Join(s.local, "org", "example", "thing", "1.0", "thing-1.0.jar")
	put(t, local, "a jar")
	s.checkFetch(t, local, 0)
	put(t, local, "another")
	s.checkFetch(t, filepath.Join(s.cache, "thing-1.0.jar"), 1)
}

func TestFetchTriesAgain(t *testing.T) {
	s := newShelf(t, "a jar", func(n int32) int {
		if n < 3 {
			return 503
		}
		return 200
	})
	s.checkFetch(t, filepath.Join(s.cache, "thing-1.0.jar"), 3)
}

func TestFetchRefuses(t *testing.T) {
	for _, c := range []struct {
		name        string
		body        string
		status      int
		unreachable bool
		asked       int32
		want        string
	}{
		{"wrong content", "b jar", 200, false, 1, "SHA-256"},
		{"too long", "a jar and more", 200, false, 1, "got 6 bytes"},
		{"too short", "a", 200, false, 1, "got 1 bytes"},
		{"not there", "", 404, false, 1, "404"},
		{"out of order", "", 503, true, 3, "WINNOW_MAVEN_REPO"},
		{"too busy", "", 429, true, 3, "429"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newShelf(t, c.body, always(c.status))
			_, err := s.fetch(artifact("a jar"))
			if err == nil || errors.Is(err, ErrUnreachable) != c.unreachable || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q, unreachable %v", err, c.want, c.unreachable)
			}
			if got := s.asked.Load(); got != c.asked {
				t.Errorf("asked %d times, want %d", got, c.asked)
			}
			s.checkFiles(t)
		})
	}
}

func TestFetchBrokenOff(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "5")
		fmt.Fprint(w, "a j")
	}))
	defer server.Close()
	s := &shelf{source: source{repository: server.URL, cache: t.TempDir()}}
	if _, err := s.fetch(artifact("a jar")); !errors.Is(err, ErrUnreachable) {
		t.Errorf("half an answer: %v, want unreachable", err)
	}
	s.checkFiles(t)
}

func TestFetchNoServer(t *testing.T) {
	server := httptest.NewServer(nil)
	server.Close()
	s := &shelf{source: source{repository: server.URL, cache: t.TempDir()}}
	if _, err := s.fetch(artifact("a jar")); !errors.Is(err, ErrUnreachable) {
		t.Errorf("no server: %v, want unreachable", err)
	}
	s.checkFiles(t)
}

func TestFetchAtOnce(t *testing.T) {
	s := newShelf(t, strings.Repeat("a jar", 100_000), always(200))
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			path, err := s.fetch(artifact(s.body))
			if err == nil {
				err = verify(path, artifact(s.body))
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	s.checkFiles(t, "thing-1.0.jar")
}

func TestFetchUnknownName(t *testing.T) {
	if _, err := Fetch("junit-3"); err == nil || !strings.Contains(err.Error(), "junit-3.8") {
		t.Errorf("got %v, want an error that lists the names", err)
	}
}

func TestFetchUsesVariables(t *testing.T) {
	s := newShelf(t, "", always(404))
	t.Setenv("WINNOW_MAVEN_REPO", s.repository+"/")
	t.Setenv("WINNOW_ARTIFACTS", s.cache)
	t.Setenv("HOME", t.TempDir())
	a := artifacts[0]
	if _, err := Fetch(a.Name); err == nil || !strings.Contains(err.Error(), s.repository+"/"+a.Path()) {
		t.Errorf("got %v, want the address at %s", err, s.repository)
	}
	put(t, filepath.Join(s.cache, a.File()), "not this")
	if _, err := Fetch(a.Name); err == nil {
		t.Error("a wrong file in the cache was accepted")
	}
}
