package jvmtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"winnow/internal/testenv"
)

const mavenCentral = "https://repo1.maven.org/maven2"

// ErrUnreachable means that the repository gave no answer. It is the machine that lacks something, not the list that is wrong.
var ErrUnreachable = errors.New("repository not reachable")

// Jar returns the path of an artifact's jar, or ends the test.
func Jar(t testing.TB, name string) string {
	t.Helper()
	path, err := Fetch(name)
	if errors.Is(err, ErrUnreachable) {
		testenv.Missing(t, "Maven Central", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// fetched maps the directory and name of each artifact that this process has verified to its path.
var fetched sync.Map

// Fetch returns the path of an artifact's jar: the one in the user's Maven repository or in the cache if its checksum is the pinned one, else a
// fresh download. Several processes may fetch the same artifact at once; each sees a whole file or none. The file must not be changed.
func Fetch(name string) (string, error) {
	a, ok := find(name)
	if !ok {
		return "", fmt.Errorf("no artifact is named %q; the names are %s", name, strings.Join(names(), ", "))
	}
	from, err := newSource()
	if err != nil {
		return "", fmt.Errorf("fetch %s: %w", name, err)
	}
	key := from.cache + "\x00" + name
	if path, ok := fetched.Load(key); ok {
		return path.(string), nil
	}
	path, err := from.fetch(a)
	if err != nil {
		return "", fmt.Errorf("fetch %s: %w", a.Coordinates(), err)
	}
	fetched.Store(key, path)
	return path, nil
}

// A source says where artifacts come from and where they are kept.
type source struct {
	repository string        // base URL
	local      string        // a Maven repository on this machine, only read
	cache      string        // directory for downloads
	pause      time.Duration // before the second attempt; doubles
}

func newSource() (source, error) {
	s := source{repository: mavenCentral, cache: os.Getenv("WINNOW_ARTIFACTS"), pause: time.Second}
	if url := os.Getenv("WINNOW_MAVEN_REPO"); url != "" {
		s.repository = strings.TrimSuffix(url, "/")
	}
	// Without a home directory there is no local repository to look at, and that is no error.
	if home, err := os.UserHomeDir(); err == nil {
		s.local = filepath.Join(home, ".m2", "repository")
	}
	if s.cache != "" {
		return s, nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return source{}, fmt.Errorf("no cache directory; set WINNOW_ARTIFACTS to one: %w", err)
	}
	s.cache = filepath.Join(dir, "winnow", "artifacts")
	return s, nil
}

func (s source) fetch(a Artifact) (string, error) {
	if s.local != "" {
		path := filepath.Join(s.local, filepath.FromSlash(a.Path()))
		if verify(path, a) == nil {
			return path, nil
		}
	}
	path := filepath.Join(s.cache, a.File())
	if verify(path, a) == nil {
		return path, nil
	}
	if err := os.MkdirAll(s.cache, 0o755); err != nil {
		return "", err
	}
	return path, s.retry(a, s.repository+"/"+a.Path(), path)
}

// retry downloads an artifact, three times if nobody gives an answer.
func (s source) retry(a Artifact, url, path string) error {
	var err error
	for attempt := range 3 {
		if attempt > 0 {
			time.Sleep(s.pause << (attempt - 1))
		}
		if err = download(url, a, path); !errors.Is(err, ErrUnreachable) {
			return err
		}
	}
	return fmt.Errorf("%w\nconnect to the network, set WINNOW_MAVEN_REPO to a mirror, or put the file there by hand: %s", err, path)
}

// download writes what a URL serves to a file if it is the artifact, and nothing otherwise.
func download(url string, a Artifact, path string) (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	body, err := open(ctx, url)
	if err != nil {
		return err
	}
	defer body.Close()
	tmp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(tmp.Name()))
		}
	}()
	err = copyVerified(tmp, body, a)
	if err := errors.Join(err, tmp.Chmod(0o644), tmp.Close()); err != nil {
		return fmt.Errorf("%s: %w", url, err)
	}
	return os.Rename(tmp.Name(), path)
}

// open starts a download. Only an answer that says "not here" or "not for you" is final.
func open(ctx context.Context, url string) (io.ReadCloser, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", "winnow-tests")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	if resp.StatusCode == http.StatusOK {
		return resp.Body, nil
	}
	resp.Body.Close()
	if resp.StatusCode >= 500 || resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode == http.StatusRequestTimeout {
		return nil, fmt.Errorf("%w: %s: %s", ErrUnreachable, url, resp.Status)
	}
	return nil, fmt.Errorf("%s: %s", url, resp.Status)
}

// copyVerified copies at most one byte more than the artifact has, so that a wrong server cannot fill the disk. A stream that breaks off before
// the artifact's end counts as no answer.
func copyVerified(w io.Writer, r io.Reader, a Artifact) error {
	hash := sha256.New()
	n, err := io.Copy(io.MultiWriter(w, hash), io.LimitReader(r, a.Size+1))
	if err != nil {
		return fmt.Errorf("%w: after %d of %d bytes: %w", ErrUnreachable, n, a.Size, err)
	}
	return compare(a, n, hash.Sum(nil))
}

// verify tells why a file is not the artifact.
func verify(path string, a Artifact) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	hash := sha256.New()
	n, err := io.Copy(hash, f)
	if err != nil {
		return err
	}
	return compare(a, n, hash.Sum(nil))
}

func compare(a Artifact, n int64, sum []byte) error {
	if got := hex.EncodeToString(sum); n != a.Size || got != a.SHA256 {
		return fmt.Errorf("got %d bytes with SHA-256 %s, but %s has %d bytes with %s", n, got, a.Coordinates(), a.Size, a.SHA256)
	}
	return nil
}
