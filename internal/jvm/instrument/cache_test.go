package instrument

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"winnow/internal/digest"
)

func key(content string) Key { return Key{digest.OfString(content), Scheme{}.Digest()} }

// get counts how often the value had to be made.
func get(t *testing.T, c *Cache, k Key, value string, made *int) string {
	t.Helper()
	data, err := c.Get(k, func() ([]byte, error) {
		*made++
		return []byte(value), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestCacheKeeps(t *testing.T) {
	c, made := &Cache{Dir: filepath.Join(t.TempDir(), "new")}, 0
	other := Key{key("a").Content, Scheme{HooksOnly: true}.Digest()}
	for range 2 {
		for k, want := range map[Key]string{key("a"): "one", key("b"): "two", other: "three"} {
			if got := get(t, c, k, want, &made); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		}
	}
	if made != 3 {
		t.Errorf("made %d times, want 3", made)
	}
}

// TestCacheDamage changes every byte of a file, cuts it off everywhere and puts it under another name.
func TestCacheDamage(t *testing.T) {
	c, made := &Cache{Dir: t.TempDir()}, 0
	get(t, c, key("a"), "value", &made)
	path := c.path(key("a"))
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var damaged [][]byte
	for i := range file {
		d := bytes.Clone(file)
		d[i] ^= 0x20
		damaged = append(damaged, d, file[:i])
	}
	damaged = append(damaged, seal([]byte("value"), key("b")))
	for _, d := range damaged {
		if err := os.WriteFile(path, d, 0o644); err != nil {
			t.Fatal(err)
		}
		made = 0
		if got := get(t, c, key("a"), "value", &made); got != "value" || made != 1 {
			t.Fatalf("file %q gave %q, made %d times", d, got, made)
		}
	}
}

func TestCacheErrors(t *testing.T) {
	c := &Cache{Dir: t.TempDir()}
	broken := errors.New("broken")
	if _, err := c.Get(key("a"), func() ([]byte, error) { return nil, broken }); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if _, err := c.Get(Key{}, func() ([]byte, error) { return nil, nil }); err == nil {
		t.Error("an unknown key was accepted")
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	data, err := (&Cache{Dir: file}).Get(key("a"), func() ([]byte, error) { return []byte("value"), nil })
	if string(data) != "value" || err == nil {
		t.Errorf("a value that cannot be kept: got %q, %v", data, err)
	}
}

func TestCacheAtOnce(t *testing.T) {
	dir := t.TempDir()
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			c := &Cache{Dir: dir}
			for n := range 50 {
				want := fmt.Sprint("value ", n%5)
				data, err := c.Get(key(want), func() ([]byte, error) { return []byte(want), nil })
				if err != nil || string(data) != want {
					t.Errorf("got %q, %v; want %q", data, err, want)
				}
				if i == 0 && n%10 == 0 {
					if err := c.Clean(100); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	group.Wait()
}

func TestCacheClean(t *testing.T) {
	c, made := &Cache{Dir: t.TempDir()}, 0
	for i, name := range []string{"oldest", "middle", "newest"} {
		get(t, c, key(name), "12345678", &made) // 40 bytes with the checksum
		used := time.Now().Add(time.Duration(i-10) * time.Hour)
		if err := os.Chtimes(c.path(key(name)), used, used); err != nil {
			t.Fatal(err)
		}
	}
	get(t, c, key("oldest"), "", &made) // now it is the newest
	left, dead := filepath.Join(c.Dir, "1.tmp"), filepath.Join(c.Dir, "2.tmp")
	for _, path := range []string{left, dead, filepath.Join(c.Dir, "README")} {
		if err := os.WriteFile(path, make([]byte, 1000), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	long := time.Now().Add(-2 * stale)
	if err := os.Chtimes(dead, long, long); err != nil {
		t.Fatal(err)
	}
	if err := c.Clean(90); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{c.path(key("oldest")): true, c.path(key("middle")): false, c.path(key("newest")): true, left: true, dead: false,
		filepath.Join(c.Dir, "README"): true} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s: kept %v, want %v", path, err == nil, want)
		}
	}
	if err := (&Cache{Dir: filepath.Join(c.Dir, "none")}).Clean(0); err != nil {
		t.Errorf("no directory: %v", err)
	}
}
