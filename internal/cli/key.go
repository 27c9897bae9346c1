package cli

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"winnow/internal/digest"
	"winnow/internal/store"
)

// Values of variables and properties are in the store as digests under a secret of the store, its key. Records of two stores can serve one another only if both have the same one, so the key goes with what is exported.

// storeKey returns the key of a store, which is made with the first recording.
func storeKey(dir string, create bool) ([]byte, error) {
	key, err := os.ReadFile(keyFile(dir))
	if err == nil || !errors.Is(err, fs.ErrNotExist) || !create {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return key, err
	}
	key = make([]byte, 32)
	if _, err := rand.Read(key); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	return key, os.WriteFile(keyFile(dir), key, 0o600)
}

func keyFile(dir string) string { return filepath.Join(dir, "key") }

// keyMark begins the first line of an export that has a key; the key and its digest follow.
const keyMark = "winnow key "

// exportKey writes the key of a store in front of its records. A store that never needed one has none.
func exportKey(dir string, out io.Writer) error {
	key, err := storeKey(dir, false)
	if err != nil || len(key) == 0 {
		return err
	}
	_, err = fmt.Fprintf(out, "%s%x %s\n", keyMark, key, digest.Of(key))
	return err
}

// importKey reads what exportKey wrote; nil if there is none.
func importKey(in *bufio.Reader) ([]byte, error) {
	if start, err := in.Peek(len(keyMark)); err != nil || string(start) != keyMark {
		return nil, nil // what is wrong is noticed as the records are read
	}
	line, err := in.ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("%w: the key has no end", store.ErrCorrupt)
	}
	var text, sum string
	_, err = fmt.Sscanf(line, keyMark+"%s %s\n", &text, &sum)
	key, wrong := hex.DecodeString(text)
	if err != nil || wrong != nil || digest.Of(key).String() != sum {
		return nil, fmt.Errorf("%w: the key is damaged", store.ErrCorrupt)
	}
	return key, nil
}

// takeKey gives a store the key of records that were added to it, for they are of no use under another one. What was recorded under another key before is out of date then, and so is what is known of the last run.
func takeKey(ctx context.Context, w *workspace, key []byte, added int) error {
	dir := filepath.Dir(w.location)
	own, err := storeKey(dir, false)
	if err != nil || len(key) == 0 || added == 0 || bytes.Equal(own, key) {
		return err
	}
	for _, file := range []string{lastName, shortcutName} {
		if err := os.Remove(filepath.Join(dir, file)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if err := os.WriteFile(keyFile(dir), key, 0o600); err != nil {
		return err
	}
	return withView(ctx, w.store, func(v *store.View) error {
		records := 0
		v.Records(func(store.Stored) { records++ })
		if len(own) > 0 && records > added {
			w.notices = append(w.notices, "what was recorded here before has another key: tests for which the new records do not serve run once more")
		}
		return nil
	})
}
