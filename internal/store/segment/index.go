package segment

import (
	"encoding/binary"
	"hash/crc32"
	"slices"
	"strings"
	"sync"
	"time"

	"winnow/internal/digest"
	"winnow/internal/rts"
)

// magic names the format and its version.
const magic = "winnow segment 1\n"

// blockDirectory tells where the items of the three kinds are. A run of blocks holds items of one kind in ascending
// order; first is the number of the first item in the block.
type blockDirectory struct {
	runs [3][]blockEntry
	ids  []digest.Digest
}

type blockEntry struct {
	first int
	sum   uint32
}

const (
	postingRun = iota
	footprintRun
	bodyRun
)

// pack distributes items over blocks. Each item is preceded by its length.
func (d *blockDirectory) pack(blocks [][]byte, run, items int, item func(b []byte, i int) []byte) [][]byte {
	var block, scratch []byte
	first := 0
	flush := func(next int) {
		if len(block) > 0 {
			blocks = append(blocks, block)
			d.runs[run] = append(d.runs[run], blockEntry{first, crc32.Checksum(block, castagnoli)})
		}
		block, first = nil, next
	}
	for i := range items {
		scratch = item(scratch[:0], i)
		block = binary.AppendUvarint(block, uint64(len(scratch)))
		block = append(block, scratch...)
		if len(block) >= blockSize {
			flush(i + 1)
		}
	}
	flush(items)
	return blocks
}

// postings inverts the footprints: for each input the footprints that use it.
func (d *blockDirectory) postings(blocks [][]byte, w *Writer, inputs []inputKey) [][]byte {
	offsets := make([]uint32, len(inputs)+1)
	for i := range w.footprints {
		for _, id := range w.footprints[i].ids {
			offsets[id+1]++
		}
	}
	for i := range inputs {
		offsets[i+1] += offsets[i]
	}
	owners := make([]uint32, offsets[len(inputs)])
	fill := slices.Clone(offsets[:len(inputs)])
	for f := range w.footprints {
		for _, id := range w.footprints[f].ids {
			owners[fill[id]] = uint32(f)
			fill[id]++
		}
	}
	return d.pack(blocks, postingRun, len(inputs), func(b []byte, i int) []byte {
		return appendAscending(b, owners[offsets[i]:offsets[i+1]])
	})
}

func (d *blockDirectory) footprints(blocks [][]byte, w *Writer) [][]byte {
	return d.pack(blocks, footprintRun, len(w.footprints), func(b []byte, i int) []byte {
		return w.footprints[i].appendUses(b)
	})
}

func (d *blockDirectory) bodies(blocks [][]byte, w *Writer) [][]byte {
	for id := range w.bodies {
		d.ids = append(d.ids, id)
	}
	slices.SortFunc(d.ids, func(a, b digest.Digest) int { return slices.Compare(a[:], b[:]) })
	return d.pack(blocks, bodyRun, len(d.ids), func(b []byte, i int) []byte {
		return append(b, w.bodies[d.ids[i]]...)
	})
}

func (w *Writer) encodeIndex(d *blockDirectory) []byte {
	b := []byte(magic)
	b = appendMetas(b, w.metas)
	b = appendInputs(b, w.inputs)
	tests := w.testNames()
	b = appendNames(b, tests)
	b = binary.AppendUvarint(b, uint64(len(w.footprints)))
	for i := range w.footprints {
		f := &w.footprints[i]
		b = appendString(b, f.label)
		b = appendAscending(b, f.includes)
		b = binary.AppendUvarint(b, uint64(len(f.ids)))
	}
	b = w.appendRecords(b, tests)
	b = d.append(b)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

func appendMetas(b []byte, metas []rts.Meta) []byte {
	b = binary.AppendUvarint(b, uint64(len(metas)))
	for _, m := range metas {
		b = binary.AppendUvarint(b, uint64(m.When.UnixMilli()))
		b = appendString(b, m.Revision)
		b = append(b, boolByte(m.Dirty))
		b = appendString(b, m.Technique)
	}
	return b
}

func boolByte(v bool) byte {
	if v {
		return 1
	}
	return 0
}

// appendInputs appends the sorted inputs; a name is written as the length of what it shares with the name before it and the rest.
func appendInputs(b []byte, inputs []inputKey) []byte {
	b = binary.AppendUvarint(b, uint64(len(inputs)))
	var kind rts.Kind
	name := ""
	for _, in := range inputs {
		if in.entity.Kind != kind {
			b = append(b, 1)
			b = appendString(b, string(in.entity.Kind))
			kind, name = in.entity.Kind, ""
		} else {
			b = append(b, 0)
		}
		b = appendSuffix(b, name, in.entity.Name)
		name = in.entity.Name
		b = append(b, in.digest[:]...)
	}
	return b
}

func appendNames(b []byte, names []string) []byte {
	b = binary.AppendUvarint(b, uint64(len(names)))
	prev := ""
	for _, n := range names {
		b = appendSuffix(b, prev, n)
		prev = n
	}
	return b
}

func appendSuffix(b []byte, prev, s string) []byte {
	n := commonPrefix(prev, s)
	b = binary.AppendUvarint(b, uint64(n))
	return appendString(b, s[n:])
}

func commonPrefix(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

func (w *Writer) testNames() []string {
	names := make([]string, 0, len(w.records))
	for _, r := range w.records {
		names = append(names, string(r.Test))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (w *Writer) appendRecords(b []byte, tests []string) []byte {
	records := slices.Clone(w.records)
	slices.SortFunc(records, compareRecords)
	b = binary.AppendUvarint(b, uint64(len(records)))
	for _, r := range records {
		test, _ := slices.BinarySearch(tests, string(r.Test))
		b = binary.AppendUvarint(b, uint64(test))
		b = binary.AppendUvarint(b, uint64(r.meta))
		b = append(b, byte(r.Outcome)<<1|boolByte(r.Incomplete))
		b = binary.AppendUvarint(b, uint64(r.Duration.Microseconds()))
		b = binary.AppendUvarint(b, uint64(r.Footprint))
		b = append(b, r.Result[:]...)
	}
	return b
}

func (d *blockDirectory) append(b []byte) []byte {
	for _, run := range d.runs {
		b = binary.AppendUvarint(b, uint64(len(run)))
		prev := 0
		for _, e := range run {
			b = binary.AppendUvarint(b, uint64(e.first-prev))
			b = binary.LittleEndian.AppendUint32(b, e.sum)
			prev = e.first
		}
	}
	b = binary.AppendUvarint(b, uint64(len(d.ids)))
	for _, id := range d.ids {
		b = append(b, id[:]...)
	}
	return b
}

// An Index is the decoded index of a segment.
type Index struct {
	ID      digest.Digest
	Metas   []rts.Meta
	Inputs  []Input
	Tests   []rts.TestID
	Records []Record
	// Footprints has the directory entry of each footprint, without its uses.
	Footprints []FootprintInfo
	bodyIDs    []digest.Digest
	dir        blockDirectory

	mu     sync.Mutex
	totals []int // see Total; 0 if nobody has asked, else one more

	found  sync.Mutex
	starts map[int][]int // by block: where its first items start, as far as somebody went
}

// Total returns the number of uses of a footprint and of everything it includes, which count finds out. It is asked for often, and an index lives longer than a look at it.
func (x *Index) Total(footprint int, count func() int) int {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.totals == nil {
		x.totals = make([]int, len(x.Footprints))
	}
	if x.totals[footprint] == 0 {
		x.totals[footprint] = count() + 1
	}
	return x.totals[footprint] - 1
}

// An Input is a distinct pair of entity and digest.
type Input struct {
	Entity rts.Entity
	Digest digest.Digest
}

// A FootprintInfo is what the index knows about a footprint.
type FootprintInfo struct {
	Label    string
	Includes []uint32
	// Uses is the number of uses of its own.
	Uses int
}

// A Record is a record with the index of its origin.
type Record struct {
	rts.Record
	Meta int
}

// Decode reads an index.
func Decode(b []byte) (*Index, error) {
	if !strings.HasPrefix(string(b[:min(len(b), len(magic))]), magic) || len(b) < len(magic)+4 {
		return nil, corruptf("not an index of this version")
	}
	body, sum := b[:len(b)-4], binary.LittleEndian.Uint32(b[len(b)-4:])
	if crc32.Checksum(body, castagnoli) != sum {
		return nil, corruptf("the index does not match its checksum")
	}
	x, err := decodeBody(body[len(magic):])
	if err != nil {
		return nil, err
	}
	x.ID = digest.Of(b)
	return x, nil
}

func decodeBody(body []byte) (*Index, error) {
	r := &reader{b: body}
	x := &Index{}
	x.Metas = r.metas()
	x.Inputs = r.inputs()
	names := r.names()
	x.Tests = make([]rts.TestID, len(names))
	for i, n := range names {
		x.Tests[i] = rts.TestID(n)
	}
	x.Footprints = r.footprints(len(x.Inputs))
	x.Records = r.records(x)
	r.directory(x)
	if err := r.done(); err != nil {
		return nil, err
	}
	return x, nil
}

func (r *reader) metas() []rts.Meta {
	metas := make([]rts.Meta, 0, r.count(4))
	for range cap(metas) {
		m := rts.Meta{When: time.UnixMilli(int64(r.number(1<<45, "time"))).UTC()}
		m.Revision = r.string()
		m.Dirty = r.number(2, "flag") == 1
		m.Technique = r.string()
		metas = append(metas, m)
	}
	return metas
}

func (r *reader) inputs() []Input {
	inputs := make([]Input, 0, r.count(3+digest.Size))
	var last Input
	for i := range cap(inputs) {
		in := Input{Entity: rts.Entity{Kind: last.Entity.Kind}}
		name := last.Entity.Name
		if r.number(2, "flag") == 1 {
			in.Entity.Kind, name = rts.Kind(r.string()), ""
			if r.err == nil && in.Entity.Kind == last.Entity.Kind {
				r.fail("kind repeated")
			}
		}
		in.Entity.Name = r.suffix(name)
		in.Digest = r.digest()
		if r.err == nil && i > 0 && compareInputs(last, in) >= 0 {
			r.fail("inputs out of order")
		}
		if r.err != nil {
			return nil
		}
		inputs = append(inputs, in)
		last = in
	}
	return inputs
}

func compareInputs(a, b Input) int {
	if c := a.Entity.Compare(b.Entity); c != 0 {
		return c
	}
	return slices.Compare(a.Digest[:], b.Digest[:])
}

// suffix reads a name that shares a prefix with prev; the longest shared prefix must have been used.
func (r *reader) suffix(prev string) string {
	n := r.number(uint64(len(prev))+1, "prefix")
	rest := r.string()
	if r.err != nil {
		return ""
	}
	s := prev[:n] + rest
	if commonPrefix(prev, s) != n {
		r.fail("prefix too short")
	}
	return s
}

func (r *reader) names() []string {
	names := make([]string, 0, r.count(2))
	prev := ""
	for i := range cap(names) {
		s := r.suffix(prev)
		if r.err == nil && i > 0 && s <= prev {
			r.fail("names out of order")
		}
		if r.err != nil {
			return nil
		}
		names = append(names, s)
		prev = s
	}
	return names
}

func (r *reader) footprints(inputs int) []FootprintInfo {
	fps := make([]FootprintInfo, 0, r.count(3))
	var slab []uint32 // most lists are short, and there are many
	for i := range cap(fps) {
		f := FootprintInfo{Label: r.string()}
		if n := r.count(1); n > 0 {
			if n > cap(slab)-len(slab) {
				slab = make([]uint32, 0, max(n, 4096))
			}
			from := len(slab)
			slab = r.distances(slab, n, uint64(i))
			f.Includes = slab[from:len(slab):len(slab)]
		}
		f.Uses = r.number(uint64(inputs)+1, "number of uses")
		fps = append(fps, f)
	}
	return fps
}

func (r *reader) records(x *Index) []Record {
	recs := make([]Record, 0, r.count(5+digest.Size))
	for range cap(recs) {
		var rec Record
		test := r.number(uint64(len(x.Tests)), "test")
		rec.Meta = r.number(uint64(len(x.Metas)), "meta")
		flags := r.number(uint64(rts.Outcomes)<<1, "outcome")
		rec.Outcome, rec.Incomplete = rts.Outcome(flags>>1), flags&1 == 1
		rec.Duration = time.Duration(r.number(1<<50, "duration")) * time.Microsecond
		rec.Footprint = r.number(uint64(len(x.Footprints)), "footprint")
		rec.Result = r.digest()
		if r.err != nil {
			return nil
		}
		rec.Test = x.Tests[test]
		if n := len(recs); n > 0 && compareRecords(pendingRecord{recs[n-1].Record, recs[n-1].Meta}, pendingRecord{rec.Record, rec.Meta}) > 0 {
			r.fail("records out of order")
			return nil
		}
		recs = append(recs, rec)
	}
	return recs
}

func (r *reader) directory(x *Index) {
	for run := range x.dir.runs {
		n := r.count(5)
		first := 0
		for i := range n {
			step := r.number(1<<31, "step")
			if r.err == nil && (i == 0) != (step == 0) {
				r.fail("blocks out of order")
			}
			first += step
			x.dir.runs[run] = append(x.dir.runs[run], blockEntry{first, r.uint32()})
		}
	}
	x.bodyIDs = make([]digest.Digest, 0, r.count(digest.Size))
	for i := range cap(x.bodyIDs) {
		d := r.digest()
		if i > 0 && r.err == nil && slices.Compare(x.bodyIDs[i-1][:], d[:]) >= 0 {
			r.fail("bodies out of order")
		}
		x.bodyIDs = append(x.bodyIDs, d)
	}
	for run, items := range []int{len(x.Inputs), len(x.Footprints), len(x.bodyIDs)} {
		entries := x.dir.runs[run]
		if r.err == nil && ((items == 0) != (len(entries) == 0) || (items > 0 && entries[len(entries)-1].first >= items)) {
			r.fail("block directory does not cover %d items", items)
		}
	}
}
