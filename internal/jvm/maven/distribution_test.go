package maven

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/internal/testenv"
)

// distributions are the versions of Maven that tests can fetch, with the SHA-256 of their archives on Maven Central.
var distributions = map[string]string{
	"3.6.3":      "444522b0af3a85e966f25c50adfcd00a1a6fc5fce79f503bff096e02b9977c2e",
	"3.9.12":     "305773a68d6ddfd413df58c82b3f8050e89778e777f3a745c8e5b8cbea4018ef",
	"4.0.0-rc-5": "966874253b2491c49240eafca01a04dd0d72c96de96e7bdc726248be4e9c33a7",
}

// needsMaven returns the mvn program of a version, or the one on the path for "".
func needsMaven(t testing.TB, version string) string {
	t.Helper()
	if version == "" {
		path, err := exec.LookPath("mvn")
		if err != nil {
			testenv.Missing(t, "Maven (mvn)", err)
		}
		return path
	}
	home, err := distribution(version)
	if errors.Is(err, errUnreachable) {
		testenv.Missing(t, "Maven Central", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(home, "bin", "mvn")
}

var errUnreachable = errors.New("not reachable")

// distribution returns the home of a version of Maven in the cache.
func distribution(version string) (string, error) {
	cache := os.Getenv("WINNOW_ARTIFACTS")
	if cache == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return "", err
		}
		cache = filepath.Join(user, "winnow", "artifacts")
	}
	home := filepath.Join(cache, "apache-maven-"+version)
	if _, err := os.Stat(home); err == nil {
		return home, nil
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return "", err
	}
	// Unpacked beside its place and renamed, so that it is whole or not there.
	tmp, err := os.MkdirTemp(cache, "maven-*.tmp")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	archive := filepath.Join(tmp, "bin.zip")
	if err := download(archive, version); err != nil {
		return "", err
	}
	if err := unzip(archive, tmp); err != nil {
		return "", err
	}
	return home, os.Rename(filepath.Join(tmp, "apache-maven-"+version), home)
}

func download(path, version string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	url := fmt.Sprintf("https://repo1.maven.org/maven2/org/apache/maven/apache-maven/%s/apache-maven-%[1]s-bin.zip", version)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("%s: %w: %w", url, errUnreachable, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %w: %s", url, errUnreachable, resp.Status)
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, 64<<20))
	if err != nil {
		return fmt.Errorf("%s: %w: %w", url, errUnreachable, err)
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != distributions[version] {
		return fmt.Errorf("%s: SHA-256 is %x, not the pinned one", url, sum)
	}
	return os.WriteFile(path, data, 0o644)
}

func unzip(archive, dir string) error {
	z, err := zip.OpenReader(archive)
	if err != nil {
		return err
	}
	defer z.Close()
	for _, f := range z.File {
		if err := unzipFile(f, dir); err != nil {
			return err
		}
	}
	return nil
}

func unzipFile(f *zip.File, dir string) error {
	path := filepath.Join(dir, filepath.FromSlash(f.Name))
	if strings.HasSuffix(f.Name, "/") {
		return os.MkdirAll(path, 0o755)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	r, err := f.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	w, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_EXCL, f.Mode().Perm()|0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, r)
	return errors.Join(err, w.Close())
}
