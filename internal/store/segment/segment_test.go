package segment

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"winnow/internal/digest"
	"winnow/internal/rts"
)

// randomRecording makes a recording with shared footprints, entries and bodies.
func randomRecording(r *rand.Rand) *rts.Recording {
	rec := &rts.Recording{
		Meta:   rts.Meta{When: time.Unix(int64(r.IntN(1<<31)), 0).UTC(), Revision: "r" + fmt.Sprint(r.IntN(9)), Dirty: r.IntN(2) == 0, Technique: "t"},
		Bodies: map[digest.Digest][]byte{},
	}
	for i := range 1 + r.IntN(8) {
		var f rts.Footprint
		for range r.IntN(12) {
			u := rts.Use{
				Entity: rts.Entity{Kind: rts.Kind([]string{"cell", "file", "env"}[r.IntN(3)]), Name: fmt.Sprint("name", r.IntN(30))},
				Digest: digest.OfString(fmt.Sprint(r.IntN(3))),
			}
			if r.IntN(3) == 0 {
				u.Entries = []uint32{}
				for e := range uint32(r.IntN(20)) {
					if r.IntN(2) == 0 {
						u.Entries = append(u.Entries, e)
					}
				}
			}
			f.Uses = append(f.Uses, u)
		}
		f.Uses = rts.SortUses(f.Uses)
		for j := range i {
			if r.IntN(3) == 0 {
				f.Includes = append(f.Includes, j)
			}
		}
		if r.IntN(2) == 0 {
			f.Label = fmt.Sprint("init ", i)
		}
		rec.Footprints = append(rec.Footprints, f)
	}
	for i := range r.IntN(6) {
		rec.Records = append(rec.Records, rts.Record{
			Test: rts.TestID(fmt.Sprint("m#t", i)), Outcome: rts.Outcome(r.IntN(int(rts.Outcomes))),
			Duration: time.Duration(r.IntN(1000)) * time.Millisecond, Footprint: r.IntN(len(rec.Footprints)),
			Incomplete: r.IntN(2) == 0, Result: digest.OfString(fmt.Sprint(r.IntN(5))),
		})
	}
	for range r.IntN(5) {
		body := bytes.Repeat([]byte{byte(r.IntN(256))}, r.IntN(20000))
		rec.Bodies[digest.Of(body)] = body
	}
	return rec
}

func encode(recs ...*rts.Recording) *Encoded {
	var w Writer
	for _, rec := range recs {
		w.Add(rec)
	}
	return w.Encode()
}

func blocksOf(e *Encoded) BlockFunc { return func(n int) ([]byte, error) { return e.Blocks[n], nil } }

// TestRoundTrip checks that everything written is read back, for random recordings.
func TestRoundTrip(t *testing.T) {
	for seed := range uint64(300) {
		rec := randomRecording(rand.New(rand.NewPCG(seed, 1)))
		e := encode(rec)
		x, err := Decode(e.Index)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if err := x.Verify(blocksOf(e)); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if x.ID != e.ID || x.Blocks() != len(e.Blocks) {
			t.Fatalf("seed %d: identity or number of blocks differs", seed)
		}
		if got := x.Recording(0, blocksOf(e)); !reflect.DeepEqual(got, normalize(rec)) {
			t.Fatalf("seed %d:\ngot  %+v\nwant %+v", seed, got, normalize(rec))
		}
		for i := range x.Inputs {
			checkOwners(t, x, e, i)
		}
		for f := range x.Footprints {
			checkEntries(t, x, e, f)
		}
	}
}

// checkEntries asks for every other use of a footprint, and then for one that it does not have.
func checkEntries(t *testing.T, x *Index, e *Encoded, f int) {
	t.Helper()
	uses, err := x.Uses(f, blocksOf(e))
	if err != nil {
		t.Fatal(err)
	}
	var inputs []int
	var want [][]uint32
	for i := f % 2; i < len(uses); i += 2 {
		inputs, want = append(inputs, uses[i].Input), append(want, uses[i].Entries)
	}
	got, err := x.Entries(f, inputs, blocksOf(e))
	if err != nil || !slices.EqualFunc(got, want, func(a, b []uint32) bool { return slices.Equal(a, b) && (a == nil) == (b == nil) }) {
		t.Fatalf("footprint %d: %v %v, want %v", f, got, err, want)
	}
	if _, err := x.Entries(f, append(inputs, len(x.Inputs)), blocksOf(e)); !errors.Is(err, ErrCorrupt) {
		t.Fatalf("footprint %d has a use that it does not have: %v", f, err)
	}
}

func checkOwners(t *testing.T, x *Index, e *Encoded, input int) {
	t.Helper()
	owners, err := x.Owners(input, blocksOf(e))
	if err != nil {
		t.Fatal(err)
	}
	for f := range x.Footprints {
		uses, err := x.Uses(f, blocksOf(e))
		if err != nil {
			t.Fatal(err)
		}
		used := slices.ContainsFunc(uses, func(u UseRef) bool { return u.Input == input })
		if used != slices.Contains(owners, uint32(f)) {
			t.Fatalf("input %d, footprint %d: used %v, owners %v", input, f, used, owners)
		}
	}
}

// Recording rebuilds the recording with the given meta; errors become a nil result, which no expectation equals.
func (x *Index) Recording(meta int, block BlockFunc) *rts.Recording {
	rec := &rts.Recording{Meta: x.Metas[meta], Bodies: map[digest.Digest][]byte{}}
	for i, info := range x.Footprints {
		refs, err := x.Uses(i, block)
		if err != nil {
			return nil
		}
		f := rts.Footprint{Label: info.Label}
		for _, u := range refs {
			f.Uses = append(f.Uses, x.Use(u))
		}
		for _, inc := range info.Includes {
			f.Includes = append(f.Includes, int(inc))
		}
		rec.Footprints = append(rec.Footprints, f)
	}
	for _, r := range x.Records {
		rec.Records = append(rec.Records, r.Record)
	}
	for _, d := range x.Bodies() {
		b, ok, err := x.Body(d, block)
		if err != nil || !ok {
			return nil
		}
		rec.Bodies[d] = append([]byte{}, b...)
	}
	return rec
}

func normalize(rec *rts.Recording) *rts.Recording {
	out := *rec
	out.Bodies = map[digest.Digest][]byte{}
	for d, b := range rec.Bodies {
		out.Bodies[d] = append([]byte{}, b...)
	}
	return &out
}

// TestEqualContentEqualBytes checks that the name of a segment depends on its content alone.
func TestEqualContentEqualBytes(t *testing.T) {
	for seed := range uint64(50) {
		a := encode(randomRecording(rand.New(rand.NewPCG(seed, 2))))
		b := encode(randomRecording(rand.New(rand.NewPCG(seed, 2))))
		if a.ID != b.ID {
			t.Fatalf("seed %d: two names for one content", seed)
		}
	}
}

// TestEveryFlippedByteIsSeen flips each byte of a small segment: nothing may be read as if it were whole.
func TestEveryFlippedByteIsSeen(t *testing.T) {
	e := encode(randomRecording(rand.New(rand.NewPCG(7, 3))))
	for i := range e.Index {
		damaged := bytes.Clone(e.Index)
		damaged[i] ^= 0x10
		if x, err := Decode(damaged); !errors.Is(err, ErrCorrupt) || x != nil {
			t.Fatalf("index byte %d flipped: %v", i, err)
		}
	}
	x, err := Decode(e.Index)
	if err != nil {
		t.Fatal(err)
	}
	for n, block := range e.Blocks {
		for i := 0; i < len(block); i += 1 + len(block)/50 {
			damaged := *e
			damaged.Blocks = slices.Clone(e.Blocks)
			damaged.Blocks[n] = bytes.Clone(block)
			damaged.Blocks[n][i] ^= 1
			if err := x.Verify(blocksOf(&damaged)); !errors.Is(err, ErrCorrupt) {
				t.Fatalf("block %d byte %d flipped: %v", n, i, err)
			}
		}
	}
	for i := range e.Suspects {
		damaged := bytes.Clone(e.Suspects)
		damaged[i] ^= 1
		if s, err := DecodeSuspects(damaged); err == nil || s != nil {
			t.Fatalf("suspects byte %d flipped: %v", i, s)
		}
	}
}

func TestSuspectsAreTheTestsThatDidNotPass(t *testing.T) {
	rec := &rts.Recording{Footprints: []rts.Footprint{{}}, Records: []rts.Record{
		{Test: "b", Outcome: rts.Failed}, {Test: "a", Outcome: rts.Passed}, {Test: "c", Outcome: rts.OutcomeNone}, {Test: "b", Outcome: rts.Killed},
	}}
	got, err := DecodeSuspects(encode(rec).Suspects)
	if err != nil || !slices.Equal(got, []string{"b", "c"}) {
		t.Errorf("suspects = %v, %v", got, err)
	}
}

// FuzzIndex feeds the decoder bytes behind a right checksum: an error gives nil, success re-encodes byte-equal.
func FuzzIndex(f *testing.F) {
	for seed := range uint64(10) {
		e := encode(randomRecording(rand.New(rand.NewPCG(seed, 4))))
		f.Add(e.Index[len(magic) : len(e.Index)-4])
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		whole := append([]byte(magic), body...)
		whole = binary.LittleEndian.AppendUint32(whole, crc32.Checksum(whole, castagnoli))
		x, err := Decode(whole)
		if err != nil {
			if x != nil || !errors.Is(err, ErrCorrupt) {
				t.Fatalf("error %v with a result", err)
			}
			return
		}
		if again := reencode(x); !bytes.Equal(again, whole) {
			t.Fatalf("re-encoding differs:\n%q\n%q", whole, again)
		}
	})
}

// reencode writes a decoded index again.
func reencode(x *Index) []byte {
	w := Writer{metas: x.Metas}
	for _, in := range x.Inputs {
		w.inputs = append(w.inputs, inputKey{in.Entity, in.Digest})
	}
	b := []byte(magic)
	b = appendMetas(b, w.metas)
	b = appendInputs(b, w.inputs)
	var tests []string
	for _, t := range x.Tests {
		tests = append(tests, string(t))
	}
	b = appendNames(b, tests)
	b = binary.AppendUvarint(b, uint64(len(x.Footprints)))
	for _, fp := range x.Footprints {
		b = appendString(b, fp.Label)
		b = appendAscending(b, fp.Includes)
		b = binary.AppendUvarint(b, uint64(fp.Uses))
	}
	for _, r := range x.Records {
		w.records = append(w.records, pendingRecord{r.Record, r.Meta})
	}
	b = w.appendRecords(b, tests)
	dir := x.dir
	dir.ids = x.bodyIDs
	b = dir.append(b)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// fuzzEntries compares the quick way to entries with the full one.
func fuzzEntries(t *testing.T, item []byte, uses []UseRef) {
	for _, u := range uses {
		r := &reader{b: item}
		got, n := r.entriesOf([]int{u.Input}, 1000)
		if r.err != nil || n != len(uses) || len(got) != 1 || !slices.Equal(got[0], u.Entries) || (got[0] == nil) != (u.Entries == nil) {
			t.Fatalf("entries of %d: %v %d %v, want %v", u.Input, got, n, r.err, u.Entries)
		}
	}
}

// FuzzBlock feeds the block decoders arbitrary items.
func FuzzBlock(f *testing.F) {
	f.Add([]byte{2, 0, 3})
	f.Add([]byte{3, 1, 2, 0, 0, 4, 2})
	f.Fuzz(func(t *testing.T, item []byte) {
		r := &reader{b: item}
		uses := r.uses(1000)
		if r.done() == nil {
			p := pendingFootprint{entries: map[uint32][]uint32{}}
			for _, u := range uses {
				p.ids = append(p.ids, uint32(u.Input))
				if u.Entries != nil {
					p.entries[uint32(u.Input)] = u.Entries
				}
			}
			if again := p.appendUses(nil); !bytes.Equal(again, item) {
				t.Fatalf("re-encoding differs: %v %v", item, again)
			}
			fuzzEntries(t, item, uses)
		}
		r = &reader{b: item}
		ids := r.ascending(1000)
		if r.done() == nil {
			if again := appendAscending(nil, ids); !bytes.Equal(again, item) {
				t.Fatalf("re-encoding differs: %v %v", item, again)
			}
		}
	})
}
