package classpath

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/internal/digest"
)

// randomTable makes a table with all kinds of content.
func randomTable(rnd *rand.Rand) *Seen {
	name := func() string { return strings.Repeat("dir/", rnd.IntN(4)) + fmt.Sprint(rnd.IntN(50)) }
	d := func() digest.Digest { return digest.OfString(fmt.Sprint(rnd.IntN(1000))) }
	s := &Seen{files: map[string]*record{}, archives: map[digest.Digest]*Listing{}}
	for range rnd.IntN(20) {
		rec := &record{stamp: Stamp{rnd.Int64(), rnd.Int64() - 1<<62, rnd.Int64(), rnd.Uint64(), rnd.Uint64()}, at: rnd.Int64(), digest: d()}
		s.files[name()] = rec
	}
	for _, path := range slices.Sorted(maps.Keys(s.files)) {
		if own := s.files[path].digest; rnd.IntN(3) == 0 {
			s.archives[own] = randomListing(rnd, own, name, d)
		}
	}
	return s
}

func randomListing(rnd *rand.Rand, own digest.Digest, name func() string, d func() digest.Digest) *Listing {
	l := &Listing{Digest: own}
	for range rnd.IntN(5) {
		l.Contents = append(l.Contents, Content{Entry{Name: name(), Size: rnd.Int64N(1000), Version: rnd.IntN(20), Module: name()}, d()})
	}
	for range rnd.IntN(3) {
		l.Problems = append(l.Problems, Problem{ProblemKind(rnd.IntN(9)), name(), name()})
	}
	return l
}

func TestSeenRoundTrip(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	for range 300 {
		s := randomTable(rnd)
		got, err := DecodeSeen(s.Append(nil))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if !reflect.DeepEqual(got.files, s.files) || !reflect.DeepEqual(got.archives, s.archives) {
			t.Fatalf("seed %d: the table is not what it was", seed)
		}
	}
}

// Every damage of one byte and every cut is found.
func TestSeenDamage(t *testing.T) {
	good := randomTable(rand.New(rand.NewPCG(1, 2))).Append([]byte("in front"))[len("in front"):]
	if _, err := DecodeSeen(good); err != nil {
		t.Fatal(err)
	}
	for i := range good {
		bad := slices.Clone(good)
		bad[i] ^= 1 << (i % 8)
		for _, b := range [][]byte{bad, good[:i]} {
			if s, err := DecodeSeen(b); s != nil || !errors.Is(err, ErrTable) {
				t.Fatalf("byte %d: %v, %v", i, s, err)
			}
		}
	}
	other := bytes.Replace(good, []byte("seen 1"), []byte("seen 2"), 1)
	if s, err := DecodeSeen(resum(other)); s != nil || !errors.Is(err, ErrTable) {
		t.Errorf("another version: %v, %v", s, err)
	}
}

// resum gives a damaged table a right checksum, so that the damage gets past it.
func resum(b []byte) []byte {
	if len(b) < digest.Size {
		return b
	}
	n := len(b) - digest.Size
	sum := digest.Of(b[:n])
	return append(slices.Clone(b[:n]), sum[:]...)
}

// A table of a few kilobytes cannot unfold to gigabytes by sharing a long beginning.
func TestSeenTextBomb(t *testing.T) {
	s := &Seen{files: map[string]*record{}}
	long := strings.Repeat("x", 20_000)
	for i := range 2000 {
		s.files[fmt.Sprintf("%s%04d", long, i)] = &record{}
	}
	if got, err := DecodeSeen(s.Append(nil)); got != nil || err == nil || !strings.Contains(err.Error(), "too long") {
		t.Errorf("%v, %v", got, err)
	}
}

// A listing of an archive that no file has any more is not kept.
func TestSeenDropsDeadArchives(t *testing.T) {
	dead := digest.OfString("dead")
	s := &Seen{archives: map[digest.Digest]*Listing{dead: {Digest: dead}}}
	got, err := DecodeSeen(s.Append(nil))
	if err != nil || len(got.archives) != 0 {
		t.Errorf("%v, %v", got, err)
	}
}

func FuzzSeen(f *testing.F) {
	for i := range uint64(5) {
		f.Add(randomTable(rand.New(rand.NewPCG(i, 0))).Append(nil))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, data := range [][]byte{b, resum(b)} {
			s, err := DecodeSeen(data)
			switch {
			case err != nil && s != nil:
				t.Error("an error with a table")
			case err == nil && !bytes.Equal(s.Append(nil), data):
				t.Error("a table with two forms")
			}
		}
	})
}
