package sqlite

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"winnow/internal/store"
)

// BenchmarkAppend stores small recordings, each in a transaction that is on the disk when it returns, merging segments on the way.
func BenchmarkAppend(b *testing.B) {
	back, err := Open(context.Background(), filepath.Join(b.TempDir(), "store.db"), Options{})
	if err != nil {
		b.Fatal(err)
	}
	for i := range b.N {
		if err := store.New(back).Append(context.Background(), large(fmt.Sprint("t#", i), 1000)); err != nil {
			b.Fatal(err)
		}
	}
	if err := back.Close(); err != nil {
		b.Fatal(err)
	}
}
