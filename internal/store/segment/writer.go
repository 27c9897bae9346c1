package segment

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"hash/crc32"
	"slices"

	"winnow/internal/digest"
	"winnow/internal/rts"
)

// blockSize is the size from which a block is closed. Larger blocks cost more to read for one input, smaller ones
// more rows to write.
const blockSize = 16 << 10

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// An Encoded is a segment ready to be stored.
type Encoded struct {
	ID     digest.Digest
	Index  []byte
	Blocks [][]byte
	// Suspects are the tests with a record that is no pass, encoded by EncodeSuspects. They are stored apart from the index: if
	// the index is lost, no proof for these tests may be taken from other segments (S4.2).
	Suspects []byte
}

// Bytes returns the size of the segment.
func (e *Encoded) Bytes() int {
	n := len(e.Index) + len(e.Suspects)
	for _, b := range e.Blocks {
		n += len(b)
	}
	return n
}

type inputKey struct {
	entity rts.Entity
	digest digest.Digest
}

type pendingFootprint struct {
	label    string
	ids      []uint32
	entries  map[uint32][]uint32
	includes []uint32
}

type pendingRecord struct {
	rts.Record
	meta int
}

// A Writer collects the content of one segment. It keeps four bytes per use. The zero value is ready.
type Writer struct {
	metas      []rts.Meta
	ids        map[inputKey]uint32
	inputs     []inputKey
	footprints []pendingFootprint
	records    []pendingRecord
	bodies     map[digest.Digest][]byte
}

// Meta adds an origin and returns its index.
func (w *Writer) Meta(m rts.Meta) int {
	if i := slices.Index(w.metas, m); i >= 0 {
		return i
	}
	w.metas = append(w.metas, m)
	return len(w.metas) - 1
}

// Footprint adds a footprint and returns its index. It can include only footprints that were added before it, so
// there are no cycles.
func (w *Writer) Footprint(f rts.Footprint) int {
	if w.ids == nil {
		w.ids = map[inputKey]uint32{}
	}
	uses := rts.SortUses(f.Uses)
	p := pendingFootprint{label: f.Label, ids: make([]uint32, 0, len(uses))}
	for _, u := range uses {
		id := w.input(inputKey{u.Entity, u.Digest})
		p.ids = append(p.ids, id)
		if u.Entries != nil {
			if p.entries == nil {
				p.entries = map[uint32][]uint32{}
			}
			p.entries[id] = u.Entries
		}
	}
	for _, i := range f.Includes {
		p.includes = append(p.includes, uint32(i))
	}
	slices.Sort(p.includes)
	p.includes = slices.Compact(p.includes)
	w.footprints = append(w.footprints, p)
	return len(w.footprints) - 1
}

func (w *Writer) input(key inputKey) uint32 {
	id, ok := w.ids[key]
	if !ok {
		id = uint32(len(w.inputs))
		w.ids[key] = id
		w.inputs = append(w.inputs, key)
	}
	return id
}

// Record adds a record. Its footprint was added before; meta is an index that Meta returned.
func (w *Writer) Record(r rts.Record, meta int) {
	w.records = append(w.records, pendingRecord{r, meta})
}

// Body adds a body.
func (w *Writer) Body(d digest.Digest, body []byte) {
	if w.bodies == nil {
		w.bodies = map[digest.Digest][]byte{}
	}
	w.bodies[d] = body
}

// Add adds a whole recording.
func (w *Writer) Add(rec *rts.Recording) {
	meta := w.Meta(rec.Meta)
	base := len(w.footprints)
	for _, f := range rec.Footprints {
		shifted := f
		shifted.Includes = make([]int, len(f.Includes))
		for i, inc := range f.Includes {
			shifted.Includes[i] = base + inc
		}
		w.Footprint(shifted)
	}
	for _, r := range rec.Records {
		r.Footprint += base
		w.Record(r, meta)
	}
	for d, b := range rec.Bodies {
		w.Body(d, b)
	}
}

// Empty reports whether nothing was added.
func (w *Writer) Empty() bool { return len(w.records) == 0 && len(w.footprints) == 0 }

// Encode returns the segment. The same content gives the same bytes.
func (w *Writer) Encode() *Encoded {
	order := w.sortInputs()
	e := &Encoded{}
	var dir blockDirectory
	e.Blocks = dir.postings(e.Blocks, w, order)
	e.Blocks = dir.footprints(e.Blocks, w)
	e.Blocks = dir.bodies(e.Blocks, w)
	e.Index = w.encodeIndex(&dir)
	e.ID = digest.Of(e.Index)
	e.Suspects = w.suspects()
	return e
}

// sortInputs puts the inputs in order and renumbers every footprint.
func (w *Writer) sortInputs() []inputKey {
	perm := make([]uint32, len(w.inputs))
	for i := range perm {
		perm[i] = uint32(i)
	}
	slices.SortFunc(perm, func(a, b uint32) int {
		x, y := &w.inputs[a], &w.inputs[b]
		if c := x.entity.Compare(y.entity); c != 0 {
			return c
		}
		return bytes.Compare(x.digest[:], y.digest[:])
	})
	rank := make([]uint32, len(perm))
	sorted := make([]inputKey, len(perm))
	for to, from := range perm {
		rank[from] = uint32(to)
		sorted[to] = w.inputs[from]
	}
	for i := range w.footprints {
		w.footprints[i].renumber(rank)
	}
	w.inputs, w.ids = sorted, nil
	return sorted
}

func (p *pendingFootprint) renumber(rank []uint32) {
	for i, id := range p.ids {
		p.ids[i] = rank[id]
	}
	slices.Sort(p.ids)
	if p.entries == nil {
		return
	}
	renumbered := make(map[uint32][]uint32, len(p.entries))
	for id, e := range p.entries {
		renumbered[rank[id]] = e
	}
	p.entries = renumbered
}

// appendUses appends the footprint's inputs: distance and whether entries follow.
func (p *pendingFootprint) appendUses(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(p.ids)))
	next := uint32(0)
	for _, id := range p.ids {
		entries, narrowed := p.entries[id]
		flag := uint64(0)
		if narrowed {
			flag = 1
		}
		b = binary.AppendUvarint(b, uint64(id-next)<<1|flag)
		if narrowed {
			b = appendAscending(b, entries)
		}
		next = id + 1
	}
	return b
}

func (w *Writer) suspects() []byte {
	var tests []string
	for _, r := range w.records {
		if r.Outcome != rts.Passed {
			tests = append(tests, string(r.Test))
		}
	}
	slices.Sort(tests)
	return EncodeSuspects(slices.Compact(tests))
}

// Suspects returns the list of suspects that the records of the segment give.
func (x *Index) Suspects() []byte {
	var tests []string
	for _, r := range x.Records { // sorted by test
		if r.Outcome != rts.Passed {
			tests = append(tests, string(r.Test))
		}
	}
	return EncodeSuspects(slices.Compact(tests))
}

// EncodeSuspects writes a sorted list of test names with a checksum.
func EncodeSuspects(tests []string) []byte {
	var b []byte
	for _, t := range tests {
		b = appendString(b, t)
	}
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// DecodeSuspects reads what EncodeSuspects wrote.
func DecodeSuspects(b []byte) ([]string, error) {
	if len(b) < 4 {
		return nil, corruptf("list of suspects is %d bytes long", len(b))
	}
	body, sum := b[:len(b)-4], binary.LittleEndian.Uint32(b[len(b)-4:])
	if crc32.Checksum(body, castagnoli) != sum {
		return nil, corruptf("list of suspects does not match its checksum")
	}
	r := reader{b: body}
	var tests []string
	for r.err == nil && r.off < len(body) {
		t := r.string()
		if len(tests) > 0 && r.err == nil && t <= tests[len(tests)-1] {
			r.fail("suspects out of order")
		}
		tests = append(tests, t)
	}
	if r.err != nil {
		return nil, r.err
	}
	return tests, nil
}

// compareRecords puts records in an order that depends on their content alone.
func compareRecords(a, b pendingRecord) int {
	return cmp.Or(
		cmp.Compare(a.Test, b.Test),
		cmp.Compare(a.meta, b.meta),
		cmp.Compare(a.Footprint, b.Footprint),
		cmp.Compare(a.Outcome, b.Outcome),
		cmp.Compare(a.Duration, b.Duration),
		bytes.Compare(a.Result[:], b.Result[:]))
}
