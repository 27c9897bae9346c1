package store

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"winnow/internal/digest"
	"winnow/internal/rts"
	"winnow/internal/store/segment"
)

// exportMagic names the export format and its version.
const exportMagic = "winnow export 1\n"

// maxPart bounds the length of one part of an export, so that a damaged length cannot ask for more memory than a part can need.
const maxPart = 1 << 30

// Export writes all segments to w: after the magic line each part as a length and its bytes, a segment being its
// index, its suspects, its number of blocks and the blocks; a zero length ends the export.
func (s *Store) Export(ctx context.Context, w io.Writer) (err error) {
	v, err := s.View(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, v.Close()) }()
	out := bufio.NewWriter(w)
	if _, err := out.WriteString(exportMagic); err != nil {
		return err
	}
	for i := range v.segs {
		if err := ctx.Err(); err != nil {
			return err
		}
		e, err := v.encoded(i)
		if err != nil {
			return err
		}
		if err := writeSegment(out, e); err != nil {
			return err
		}
	}
	if err := writePart(out, nil); err != nil {
		return err
	}
	return out.Flush()
}

// encoded reads a whole segment and checks it.
func (v *View) encoded(i int) (*segment.Encoded, error) {
	x := v.segs[i]
	e, err := loadSegment(v.back, x)
	if err != nil {
		return nil, fmt.Errorf("segment %s: %w", x.ID.Short(), err)
	}
	return e, nil
}

func loadSegment(back BackendView, x *segment.Index) (*segment.Encoded, error) {
	e, err := loadBlocks(back, x)
	if err != nil {
		return nil, err
	}
	if e.Suspects, err = back.Suspects(x.ID); err != nil {
		return nil, err
	}
	return e, check(x, e)
}

// loadBlocks reads a segment without its list of suspects.
func loadBlocks(back BackendView, x *segment.Index) (*segment.Encoded, error) {
	e := &segment.Encoded{ID: x.ID}
	var err error
	if e.Index, err = back.Index(x.ID); err != nil {
		return nil, err
	}
	for n := range x.Blocks() {
		b, err := back.Block(x.ID, n)
		if err != nil {
			return nil, err
		}
		e.Blocks = append(e.Blocks, b)
	}
	return e, nil
}

// check verifies every block, and that the list of suspects is the one that the records give.
func check(x *segment.Index, e *segment.Encoded) error {
	if err := x.Verify(func(n int) ([]byte, error) { return e.Blocks[n], nil }); err != nil {
		return err
	}
	suspects, err := segment.DecodeSuspects(e.Suspects)
	if err != nil {
		return err
	}
	for _, r := range x.Records {
		if _, ok := slices.BinarySearch(suspects, string(r.Test)); !ok && !r.Outcome.Proves() {
			return fmt.Errorf("%w: test %s is missing from the list of suspects", ErrCorrupt, r.Test)
		}
	}
	return nil
}

func writeSegment(w *bufio.Writer, e *segment.Encoded) error {
	parts := [][]byte{e.Index, e.Suspects, binary.AppendUvarint(nil, uint64(len(e.Blocks)))}
	for _, p := range append(parts, e.Blocks...) {
		if err := writePart(w, p); err != nil {
			return err
		}
	}
	return nil
}

func writePart(w *bufio.Writer, p []byte) error {
	if _, err := w.Write(binary.AppendUvarint(nil, uint64(len(p)))); err != nil {
		return err
	}
	_, err := w.Write(p)
	return err
}

// Import adds the segments of an export, all of them or none, and returns how many records they have.
func (s *Store) Import(ctx context.Context, r io.Reader) (records int, err error) {
	in := bufio.NewReader(r)
	head := make([]byte, len(exportMagic))
	if _, err := io.ReadFull(in, head); err != nil || string(head) != exportMagic {
		return 0, fmt.Errorf("%w: not an export of this version of winnow", ErrCorrupt)
	}
	var all []*segment.Encoded
	for {
		e, n, err := readSegment(in)
		if err != nil {
			return 0, err
		}
		if e == nil {
			break
		}
		records += n
		all = append(all, e)
	}
	// A length that was altered to zero looks like the end (S4.1).
	if _, err := in.ReadByte(); err != io.EOF {
		return 0, fmt.Errorf("%w: the export goes on after its end", ErrCorrupt)
	}
	if len(all) == 0 {
		return 0, nil
	}
	return records, s.back.Replace(ctx, all, nil)
}

// readSegment returns nil at the end of the export.
func readSegment(in *bufio.Reader) (*segment.Encoded, int, error) {
	index, err := readPart(in)
	if err != nil || len(index) == 0 {
		return nil, 0, err
	}
	x, err := segment.Decode(index)
	if err != nil {
		return nil, 0, err
	}
	e := &segment.Encoded{ID: x.ID, Index: index}
	if e.Suspects, err = readPart(in); err != nil {
		return nil, 0, err
	}
	count, err := readPart(in)
	if err != nil {
		return nil, 0, err
	}
	if n, size := binary.Uvarint(count); size != len(count) || n != uint64(x.Blocks()) {
		return nil, 0, fmt.Errorf("%w: wrong number of blocks", ErrCorrupt)
	}
	for range x.Blocks() {
		b, err := readPart(in)
		if err != nil {
			return nil, 0, err
		}
		e.Blocks = append(e.Blocks, b)
	}
	return e, len(x.Records), check(x, e)
}

func readPart(in *bufio.Reader) ([]byte, error) {
	n, err := binary.ReadUvarint(in)
	if err != nil {
		return nil, fmt.Errorf("%w: the export is cut off", ErrCorrupt)
	}
	if n > maxPart {
		return nil, fmt.Errorf("%w: a part of %d bytes", ErrCorrupt, n)
	}
	b, err := io.ReadAll(io.LimitReader(in, int64(n)))
	if err != nil {
		return nil, err
	}
	if uint64(len(b)) != n {
		return nil, fmt.Errorf("%w: the export is cut off", ErrCorrupt)
	}
	return b, nil
}

// Merge adds all segments of another store.
func (s *Store) Merge(ctx context.Context, from *Store) (records int, err error) {
	v, err := from.View(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, v.Close()) }()
	var all []*segment.Encoded
	for i, x := range v.segs {
		e, err := v.encoded(i)
		if err != nil {
			return 0, err
		}
		all = append(all, e)
		records += len(x.Records)
	}
	if len(all) == 0 {
		return 0, nil
	}
	return records, s.back.Replace(ctx, all, nil)
}

// A Salvage tells what Rescue kept of a damaged store.
type Salvage struct {
	Kept, Lost int // segments
	// Doubtful is the number of tests whose remaining records were dropped.
	Doubtful int
	// Nothing means that no record could be trusted at all.
	Nothing bool
}

// Rescue copies what is whole in a damaged view to s. A lost segment may have held the record that a test did not pass, which would have
// kept older passes of that test from being proofs. So the records of every test on the lost segment's list of suspects
// are dropped; if that list is lost too, nothing is kept (S4.2).
func (s *Store) Rescue(ctx context.Context, damaged BackendView) (Salvage, error) {
	ids, err := damaged.Segments()
	if err != nil {
		return Salvage{Nothing: true}, nil
	}
	var report Salvage
	var whole []*segment.Encoded
	doubtful := map[rts.TestID]bool{}
	for _, id := range ids {
		e, err := rescueSegment(damaged, id)
		if err == nil {
			whole = append(whole, e)
			continue
		}
		report.Lost++
		suspects, err := suspectsOf(damaged, id)
		if err != nil {
			return Salvage{Lost: len(ids), Nothing: true}, nil
		}
		for _, t := range suspects {
			doubtful[rts.TestID(t)] = true
		}
	}
	report.Kept, report.Doubtful = len(whole), len(doubtful)
	if len(whole) == 0 {
		return report, nil
	}
	if err := s.back.Replace(ctx, whole, nil); err != nil {
		return report, err
	}
	if len(doubtful) > 0 {
		_, err = s.GC(ctx, 1<<30, func(t rts.TestID) bool { return !doubtful[t] })
	}
	return report, err
}

func rescueSegment(damaged BackendView, id digest.Digest) (*segment.Encoded, error) {
	raw, err := damaged.Index(id)
	if err != nil {
		return nil, err
	}
	x, err := segment.Decode(raw)
	if err != nil {
		return nil, err
	}
	if x.ID != id {
		return nil, fmt.Errorf("%w: content of another segment", ErrCorrupt)
	}
	e, err := loadBlocks(damaged, x)
	if err != nil {
		return nil, err
	}
	e.Suspects = x.Suspects() // as good as the stored list, which may be lost
	return e, check(x, e)
}

// suspectsOf returns the tests that a lost segment may have shown not to pass, from the list that is stored apart or from an index
// that is whole.
func suspectsOf(damaged BackendView, id digest.Digest) ([]string, error) {
	if raw, err := damaged.Index(id); err == nil {
		if x, err := segment.Decode(raw); err == nil && x.ID == id {
			return segment.DecodeSuspects(x.Suspects())
		}
	}
	raw, err := damaged.Suspects(id)
	if err != nil {
		return nil, err
	}
	return segment.DecodeSuspects(raw)
}
