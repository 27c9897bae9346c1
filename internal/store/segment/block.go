package segment

import (
	"hash/crc32"
	"slices"
	"sort"

	"winnow/internal/digest"
	"winnow/internal/rts"
)

// A BlockFunc returns the bytes of one block of a segment.
type BlockFunc func(n int) ([]byte, error)

// Blocks returns the number of blocks of the segment.
func (x *Index) Blocks() int {
	return len(x.dir.runs[postingRun]) + len(x.dir.runs[footprintRun]) + len(x.dir.runs[bodyRun])
}

// Owners returns the footprints that use the given input themselves, ascending.
func (x *Index) Owners(input int, block BlockFunc) ([]uint32, error) {
	item, err := x.item(postingRun, input, block)
	if err != nil {
		return nil, err
	}
	r := &reader{b: item}
	owners := r.ascending(uint64(len(x.Footprints)))
	if err := r.done(); err != nil {
		return nil, err
	}
	return owners, nil
}

// A UseRef is a use by the number of its input.
type UseRef struct {
	Input   int
	Entries []uint32
}

// Uses returns the uses of one footprint, without those of the footprints it includes.
func (x *Index) Uses(footprint int, block BlockFunc) ([]UseRef, error) {
	item, err := x.item(footprintRun, footprint, block)
	if err != nil {
		return nil, err
	}
	r := &reader{b: item}
	uses := r.uses(len(x.Inputs))
	if err := r.done(); err != nil {
		return nil, err
	}
	if len(uses) != x.Footprints[footprint].Uses {
		return nil, corruptf("footprint %d has %d uses, not %d", footprint, len(uses), x.Footprints[footprint].Uses)
	}
	return uses, nil
}

// Entries returns the entries of some uses of one footprint, given by their inputs, ascending: nil for a use that is not narrowed. What else the footprint uses is
// passed over, and what comes behind is not looked at: the block has the right checksum (S4.1). That it uses all of them is taken from the postings; if it does not, one of the two is corrupt.
func (x *Index) Entries(footprint int, inputs []int, block BlockFunc) ([][]uint32, error) {
	item, err := x.item(footprintRun, footprint, block)
	if err != nil {
		return nil, err
	}
	r := &reader{b: item}
	entries, uses := r.entriesOf(inputs, len(x.Inputs))
	switch {
	case r.err != nil:
		return nil, r.err
	case uses != x.Footprints[footprint].Uses:
		return nil, corruptf("footprint %d has %d uses, not %d", footprint, uses, x.Footprints[footprint].Uses)
	case len(entries) != len(inputs):
		return nil, corruptf("footprint %d does not have the uses that its postings say", footprint)
	}
	return entries, nil
}

// entriesOf reads what uses reads, up to the last of the wanted inputs, and keeps the entries of these.
func (r *reader) entriesOf(wanted []int, inputs int) (entries [][]uint32, uses int) {
	uses = r.count(1)
	entries = make([][]uint32, 0, len(wanted))
	next := uint64(0)
	for i := 0; i < uses && len(entries) < len(wanted); i++ {
		v := r.uvarint()
		next += v >> 1
		if r.err == nil && next >= uint64(inputs) {
			r.fail("input %d is not below %d", next, inputs)
		}
		if r.err != nil {
			return nil, 0
		}
		n := 0
		if v&1 == 1 {
			n = r.count(1)
		}
		if next != uint64(wanted[len(entries)]) {
			r.skip(n)
		} else if v&1 == 1 {
			entries = append(entries, r.distances(make([]uint32, 0, n), n, 1<<32)) // an empty list narrows, nil does not
		} else {
			entries = append(entries, nil)
		}
		next++
	}
	return entries, uses
}

func (r *reader) uses(inputs int) []UseRef {
	uses := make([]UseRef, 0, r.count(1))
	entries := make([]uint32, 0, len(r.b)-r.off) // each takes a byte at least, so it never grows
	next := uint64(0)
	for range cap(uses) {
		v := r.uvarint()
		next += v >> 1
		if r.err == nil && next >= uint64(inputs) {
			r.fail("input %d is not below %d", next, inputs)
		}
		u := UseRef{Input: int(next)}
		if v&1 == 1 {
			from := len(entries)
			entries = r.distances(entries, r.count(1), 1<<32)
			u.Entries = entries[from:len(entries):len(entries)] // an empty list narrows, nil does not
		}
		if r.err != nil {
			return nil
		}
		uses = append(uses, u)
		next++
	}
	return uses
}

// Use returns the use that a reference stands for.
func (x *Index) Use(u UseRef) rts.Use {
	in := x.Inputs[u.Input]
	return rts.Use{Entity: in.Entity, Digest: in.Digest, Entries: u.Entries}
}

// Body returns the body with the given digest, and whether the segment has it.
func (x *Index) Body(d digest.Digest, block BlockFunc) ([]byte, bool, error) {
	i, ok := slices.BinarySearchFunc(x.bodyIDs, d, func(a, b digest.Digest) int { return slices.Compare(a[:], b[:]) })
	if !ok {
		return nil, false, nil
	}
	b, err := x.item(bodyRun, i, block)
	return b, err == nil, err
}

// Bodies returns the digests of the bodies in the segment, ascending.
func (x *Index) Bodies() []digest.Digest { return x.bodyIDs }

// item finds the block with the given item, checks it and cuts the item out.
func (x *Index) item(run, i int, block BlockFunc) ([]byte, error) {
	entries := x.dir.runs[run]
	k := sort.Search(len(entries), func(k int) bool { return entries[k].first > i }) - 1
	n := k
	for before := range run {
		n += len(x.dir.runs[before])
	}
	b, err := block(n)
	if err != nil {
		return nil, err
	}
	if crc32.Checksum(b, castagnoli) != entries[k].sum {
		return nil, corruptf("block %d does not match its checksum", n)
	}
	r := x.seek(n, i-entries[k].first, b)
	item := r.bytes(r.count(1))
	return item, r.err
}

// seek returns a reader at an item of a block. What comes before it is gone through once: whoever looks at a whole store asks for all items of a block.
func (x *Index) seek(block, item int, b []byte) *reader {
	x.found.Lock()
	defer x.found.Unlock()
	if x.starts == nil {
		x.starts = map[int][]int{}
	}
	starts := x.starts[block]
	if len(starts) == 0 {
		starts = []int{0}
	}
	r := &reader{b: b, off: starts[min(item, len(starts)-1)]}
	for len(starts) <= item && r.err == nil {
		r.bytes(r.count(1))
		starts = append(starts, r.off)
	}
	if r.err == nil {
		x.starts[block] = starts
	}
	return r
}

// Verify checks every block.
func (x *Index) Verify(block BlockFunc) error {
	for i := range x.Inputs {
		if _, err := x.Owners(i, block); err != nil {
			return err
		}
	}
	for i := range x.Footprints {
		if _, err := x.Uses(i, block); err != nil {
			return err
		}
	}
	for i := range x.bodyIDs {
		if _, err := x.item(bodyRun, i, block); err != nil {
			return err
		}
	}
	return nil
}
