package agent

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"slices"

	"winnow/internal/digest"
	"winnow/internal/jvm/instrument"
)

// ErrPack is wrapped by errors about bytes that are no pack.
var ErrPack = errors.New("not a usable pack")

const (
	packMagic  = "WNPACK1\n"
	packHeader = len(packMagic) + 8 // and the length and checksum of the list
)

// A pack is the instrumented classes of one place of a class path.
type pack struct {
	classes  []packed
	problems []string // classes that could not be rewritten, and why
	bytes    []byte   // of all classes in a row; nil if only the list was read
}

// A packed is a class of a pack.
type packed struct {
	Detail
	hash          uint64 // of the original
	length        int    // of the original
	size          int    // of the instrumented bytes; 0 if they are the original
	sum           uint32 // CRC-32 of the instrumented bytes
	idOffset, ids int
	unmatched     []string // hooks that found no place
}

// A Detail is what a class of the plan is.
type Detail struct {
	Name   string        // internal name
	Digest digest.Digest // of the original bytes
	Coarse bool          // all methods share one id
	// Harness: the class is one that runs tests, so none but its initializer and its methods with hooks have a probe; see isHarness.
	Harness bool
	Window  instrument.Window
	// WindowID is the id, counted from 0 in the class, that stands for its initializer.
	WindowID int
	Methods  []instrument.Method // by id; if the class is coarse, all methods with a probe
	Unprobed []instrument.Method // methods that run unseen
	// Detailed: the class was rewritten with Options.Detail, so methods with code have entries in Edges, or in Edgeless.
	Detailed bool
	Edges    []DetailEdge        // by id and edge
	Edgeless []instrument.Method // methods with a probe at their entry only
}

// A DetailEdge is an edge of a method's control flow with a probe. Several edges may have one id; see instrument.EdgeProbe.
type DetailEdge struct {
	ID     int // counted from 0 in the class; that of the method for the edge into it, else one behind those of all methods
	Method int // index into Methods
	Edge   int // index into Edges of the cfg.Graph of the original code
}

// add takes a rewritten class.
func (p *pack) add(original []byte, r *instrument.Result, unmatched []string) {
	c := packed{hash: hash64(original), length: len(original), idOffset: r.IDOffset, ids: r.IDs, unmatched: unmatched}
	c.Detail = Detail{Name: r.Name, Digest: digest.Of(original), Coarse: r.Coarse, Window: r.Window, WindowID: r.WindowID}
	for _, m := range r.Probes {
		c.Methods = append(c.Methods, instrument.Method{Name: m.Name, Descriptor: m.Descriptor})
	}
	for _, m := range r.Unprobed {
		if m.Reason != instrument.Unwanted {
			c.Unprobed = append(c.Unprobed, instrument.Method{Name: m.Name, Descriptor: m.Descriptor})
		}
	}
	c.detail(r)
	if r.IDs > 0 || len(r.Hooked) > 0 {
		c.size = len(r.Bytes)
		c.sum = crc32.ChecksumIEEE(r.Bytes)
		p.bytes = append(p.bytes, r.Bytes...)
	}
	p.classes = append(p.classes, c)
}

// detail takes the edges of a rewritten class.
func (d *Detail) detail(r *instrument.Result) {
	index := map[int]int{}
	for i, p := range r.Probes {
		index[p.Method] = i
	}
	for _, e := range r.Edges {
		d.Edges = append(d.Edges, DetailEdge{ID: e.ID, Method: index[e.Method], Edge: e.Edge})
	}
	slices.SortFunc(d.Edges, func(a, b DetailEdge) int { return cmp.Or(a.ID-b.ID, a.Edge-b.Edge) })
	for _, m := range r.Edgeless {
		d.Edgeless = append(d.Edgeless, instrument.Method{Name: m.Name, Descriptor: m.Descriptor})
	}
	d.Detailed = len(d.Edges)+len(d.Edgeless) > 0
}

// encode writes the pack.
func (p *pack) encode() []byte {
	list := p.list()
	out := append(make([]byte, 0, packHeader+len(list)+len(p.bytes)), packMagic...)
	out = binary.BigEndian.AppendUint32(out, uint32(len(list)))
	out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(list))
	return append(append(out, list...), p.bytes...)
}

func (p *pack) list() []byte {
	out := appendInt(nil, len(p.classes))
	for i := range p.classes {
		out = p.classes[i].append(out)
	}
	out = appendInt(out, len(p.problems))
	for _, s := range p.problems {
		out = appendText(out, s)
	}
	return out
}

func (c *packed) append(out []byte) []byte {
	out = append(appendText(out, c.Name), c.Digest[:]...)
	out = binary.BigEndian.AppendUint64(out, c.hash)
	out = appendInt(appendInt(out, c.length), c.size)
	out = binary.BigEndian.AppendUint32(out, c.sum)
	out = appendInt(appendInt(out, c.idOffset), c.ids)
	flags := byte(0)
	if c.Coarse {
		flags |= coarseFlag
	}
	if c.Detailed {
		flags |= detailedFlag
	}
	if c.Harness {
		flags |= harnessFlag
	}
	out = appendInt(append(out, flags, byte(c.Window)), c.WindowID)
	out = appendMethods(appendMethods(out, c.Methods), c.Unprobed)
	out = appendInt(out, len(c.unmatched))
	for _, u := range c.unmatched {
		out = appendText(out, u)
	}
	if !c.Detailed {
		return out
	}
	out = appendInt(out, len(c.Edges))
	for _, e := range c.Edges {
		out = appendInt(appendInt(appendInt(out, e.ID), e.Method), e.Edge)
	}
	return appendMethods(out, c.Edgeless)
}

// The flags of a class in the list of a pack. What belongs to detailedFlag follows the rest.
const (
	coarseFlag   = 1
	detailedFlag = 2
	harnessFlag  = 4
)

func appendMethods(out []byte, methods []instrument.Method) []byte {
	out = appendInt(out, len(methods))
	for _, m := range methods {
		out = appendText(appendText(out, m.Name), m.Descriptor)
	}
	return out
}

// decodePack reads what encode wrote.
func decodePack(data []byte) (*pack, error) {
	n, sum, err := packHead(data)
	if err != nil {
		return nil, err
	}
	if n > len(data)-packHeader {
		return nil, fmt.Errorf("%w: its list has %d bytes of %d", ErrPack, len(data)-packHeader, n)
	}
	p, size, err := decodeList(data[packHeader:packHeader+n], sum)
	if err != nil {
		return nil, err
	}
	p.bytes = data[packHeader+n:]
	if len(p.bytes) != size {
		return nil, fmt.Errorf("%w: its classes have %d bytes of %d", ErrPack, len(p.bytes), size)
	}
	return p, nil
}

func packHead(data []byte) (length int, sum uint32, err error) {
	if len(data) < packHeader || string(data[:len(packMagic)]) != packMagic {
		return 0, 0, fmt.Errorf("%w: it does not begin like one", ErrPack)
	}
	c := cursor{b: data[len(packMagic):]}
	length, sum = c.size4(), c.u4()
	if c.bad {
		return 0, 0, fmt.Errorf("%w: its list is too long", ErrPack)
	}
	return length, sum, nil
}

// decodeList reads the list of a pack and tells how many bytes its classes take.
func decodeList(list []byte, sum uint32) (*pack, int, error) {
	if crc32.ChecksumIEEE(list) != sum {
		return nil, 0, fmt.Errorf("%w: its list is damaged", ErrPack)
	}
	c := cursor{b: list}
	p := &pack{}
	size := 0
	for range c.count(40) {
		p.classes = append(p.classes, c.packed())
		size += p.classes[len(p.classes)-1].size
	}
	for range c.count(1) {
		p.problems = append(p.problems, c.text())
	}
	if c.bad || len(c.b) > 0 {
		return nil, 0, fmt.Errorf("%w: its list cannot be read", ErrPack)
	}
	return p, size, nil
}

func (c *cursor) packed() packed {
	p := packed{}
	p.Name = c.text()
	if d := c.bytes(digest.Size); d != nil {
		p.Digest = digest.Digest(d)
	}
	p.hash, p.length, p.size, p.sum = c.u8(), c.int(), c.int(), c.u4()
	p.idOffset, p.ids = c.int(), c.int()
	flags, window := c.u1(), c.u1()
	p.Coarse, p.Detailed, p.Harness = flags&coarseFlag != 0, flags&detailedFlag != 0, flags&harnessFlag != 0
	p.Window, p.WindowID = instrument.Window(window), c.int()
	p.Methods, p.Unprobed = c.methods(), c.methods()
	for range c.count(1) {
		p.unmatched = append(p.unmatched, c.text())
	}
	if p.Detailed {
		c.edges(&p)
	}
	whole := p.ids == 0 || p.idOffset <= p.size-4-5*(p.ids-1)
	known := p.ids == len(p.Methods) || p.Coarse && p.ids == min(1, len(p.Methods)) || len(p.Edges) > 0 && p.ids > len(p.Methods)
	if flags > coarseFlag|detailedFlag|harnessFlag || window > byte(instrument.LostWindow) || !whole || !known || p.WindowID > 0 && p.WindowID >= p.ids {
		c.bad = true
	}
	return p
}

// edges reads what a detailed class has.
func (c *cursor) edges(p *packed) {
	for range c.count(3) {
		e := DetailEdge{ID: c.int(), Method: c.int(), Edge: c.int()}
		if e.ID >= p.ids || e.Method >= len(p.Methods) || e.ID < len(p.Methods) && e.ID != e.Method {
			c.bad = true
		}
		p.Edges = append(p.Edges, e)
	}
	p.Edgeless = c.methods()
	if !slices.IsSortedFunc(p.Edges, func(a, b DetailEdge) int { return cmp.Or(a.ID-b.ID, a.Edge-b.Edge) }) || len(p.Edges)+len(p.Edgeless) == 0 {
		c.bad = true
	}
}

func (c *cursor) methods() []instrument.Method {
	var out []instrument.Method
	for range c.count(2) {
		out = append(out, instrument.Method{Name: c.text(), Descriptor: c.text()})
	}
	return out
}

// readList reads the list of a pack in a file, and checks that the file has the length that follows from it. The bytes of the classes stay on disk: the
// agent checks each one that it takes.
func readList(path string) (*pack, int, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	base := 0
	head := make([]byte, instrument.SealSize+packHeader)
	switch n, err := io.ReadFull(f, head); {
	case err != nil && !errors.Is(err, io.ErrUnexpectedEOF):
		return nil, 0, fmt.Errorf("%s: %w: %w", path, ErrPack, err)
	case n == len(head) && !bytes.HasPrefix(head, []byte(packMagic)): // in the cache
		base = instrument.SealSize
	default:
		head = head[:min(n, packHeader)]
	}
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	n, sum, err := packHead(head[base:])
	if err == nil && int64(n) > info.Size() {
		err = fmt.Errorf("%w: it is cut", ErrPack)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", path, err)
	}
	if _, err := f.Seek(int64(base+packHeader), io.SeekStart); err != nil {
		return nil, 0, err
	}
	list := make([]byte, n)
	if _, err := io.ReadFull(f, list); err != nil {
		return nil, 0, fmt.Errorf("%s: %w: %w", path, ErrPack, err)
	}
	p, size, err := decodeList(list, sum)
	if err == nil && info.Size() != int64(base+packHeader+n+size) {
		err = fmt.Errorf("%w: it has %d bytes", ErrPack, info.Size())
	}
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", path, err)
	}
	return p, base + packHeader + n, nil
}
