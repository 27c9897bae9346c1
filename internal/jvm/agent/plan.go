package agent

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
	"sort"

	"winnow/internal/digest"
	"winnow/internal/jvm/instrument"
)

// ErrPlan is wrapped by errors about bytes that are no plan.
var ErrPlan = errors.New("not a usable plan")

const (
	planMagic  = "WNPLAN1\n"
	planHeader = len(planMagic) + 12 // and the checksum and the digest
)

// A Plan is what the agent is told, and what Winnow has to know to understand its answer.
type Plan struct {
	Logs          string     // directory for logs
	Home, Version string     // of the JVM that the hooks of the JDK are for
	Packs         []string   // files with instrumented classes
	JDK           []JDKClass // classes of the JDK with hooks
	Exclude       []string   // keys of the tests that must not run, sorted
	Classes       []Class    // by hash and length
	Names         []uint64   // hashes of the names of the classes, sorted
	// Study: receivers and reflective calls are recorded. Own are hashes of the names of the classes that count as the project's own, sorted.
	Study bool
	Own   []uint64

	// What follows is not told to the agent.

	// Problems says what could not be instrumented or hooked, in words.
	Problems []string
	// File is where the plan is, and Jar where the agent is, if they were written.
	File, Jar string

	digest  uint64
	bases   []int // by class: its first id; and one more, the number of ids
	details []*Detail
	byName  map[string][]int
}

// A Location is where instrumented bytes are, and what they are for.
type Location struct {
	Hash   uint64 // of the original bytes
	Length int    // of the original bytes
	Pack   int    // index into Plan.Packs
	Offset int64  // in the file of the pack
	Size   int    // 0 if the original is to be used as it is
	Sum    uint32 // CRC-32 of the instrumented bytes
}

// A Class is a class to be replaced when its bytes are the expected ones.
type Class struct {
	Location
	IDOffset, IDs int // see instrument.Result
}

// A JDKClass is a class of the JDK with hooks.
type JDKClass struct {
	Name string // internal name
	Location
}

// Append writes the part of the plan that the agent reads.
func (p *Plan) Append(dst []byte) []byte {
	start := len(dst)
	dst = append(append(dst, planMagic...), make([]byte, planHeader-len(planMagic))...)
	for _, s := range []string{p.Logs, p.Home, p.Version} {
		dst = appendText4(dst, s)
	}
	dst = append4(dst, p.total(), len(p.Packs))
	for _, s := range p.Packs {
		dst = appendText4(dst, s)
	}
	dst = append4(dst, len(p.JDK))
	for i := range p.JDK {
		dst = (&Class{Location: p.JDK[i].Location}).append(appendText4(dst, p.JDK[i].Name))
	}
	dst = append4(dst, len(p.Exclude))
	for _, s := range p.Exclude {
		dst = appendText4(dst, s)
	}
	dst = append4(dst, len(p.Classes))
	for i := range p.Classes {
		dst = p.Classes[i].append(dst)
	}
	dst = append4(dst, len(p.Names))
	for _, h := range p.Names {
		dst = binary.BigEndian.AppendUint64(dst, h)
	}
	if p.Study {
		dst = append4(dst, len(p.Own))
		for _, h := range p.Own {
			dst = binary.BigEndian.AppendUint64(dst, h)
		}
	}
	binary.BigEndian.PutUint64(dst[start+12:], hash64(dst[start+planHeader:]))
	binary.BigEndian.PutUint32(dst[start+8:], crc32.ChecksumIEEE(dst[start+12:]))
	return dst
}

// total is the number of ids.
func (p *Plan) total() int {
	n := 0
	for i := range p.Classes {
		n += p.Classes[i].IDs
	}
	return n
}

func append4(dst []byte, numbers ...int) []byte {
	for _, n := range numbers {
		dst = binary.BigEndian.AppendUint32(dst, uint32(n))
	}
	return dst
}

// classRecord is the length of a class in the table.
const classRecord = 40

func (c *Class) append(dst []byte) []byte {
	dst = binary.BigEndian.AppendUint64(dst, c.Hash)
	dst = append4(dst, c.Length, c.Pack)
	dst = binary.BigEndian.AppendUint64(dst, uint64(c.Offset))
	dst = append4(dst, c.Size)
	dst = binary.BigEndian.AppendUint32(dst, c.Sum)
	return append4(dst, c.IDOffset, c.IDs)
}

// DecodePlan reads what Append wrote. Methods are known only after ReadPlan, which reads the packs, too.
func DecodePlan(data []byte) (*Plan, error) {
	c := cursor{b: data}
	if string(c.bytes(len(planMagic))) != planMagic {
		return nil, fmt.Errorf("%w: it does not begin like one", ErrPlan)
	}
	if sum := c.u4(); c.bad || crc32.ChecksumIEEE(c.b) != sum {
		return nil, fmt.Errorf("%w: it is damaged", ErrPlan)
	}
	p := &Plan{digest: c.u8()}
	if c.bad || p.digest != hash64(c.b) {
		return nil, fmt.Errorf("%w: its digest is wrong", ErrPlan)
	}
	p.Logs, p.Home, p.Version = c.text4(), c.text4(), c.text4()
	total := c.size4()
	p.Packs = c.texts4()
	for range c.count4(4 + classRecord) {
		p.JDK = append(p.JDK, JDKClass{Name: c.text4(), Location: c.class(len(p.Packs), false).Location})
	}
	p.Exclude = c.texts4()
	for range c.count4(classRecord) {
		p.Classes = append(p.Classes, c.class(len(p.Packs), true))
	}
	for range c.count4(8) {
		p.Names = append(p.Names, c.u8())
	}
	if p.Study = len(c.b) > 0; p.Study {
		for range c.count4(8) {
			p.Own = append(p.Own, c.u8())
		}
	}
	if c.bad || len(c.b) > 0 || total != p.total() || !p.sorted() {
		return nil, fmt.Errorf("%w: it cannot be read", ErrPlan)
	}
	p.number()
	return p, nil
}

func (p *Plan) sorted() bool {
	return slices.IsSortedFunc(p.Classes, compareClasses) && slices.IsSorted(p.Names) && slices.IsSorted(p.Own) && slices.IsSorted(p.Exclude)
}

func (c *cursor) count4(size int) int {
	n := c.size4()
	if n > len(c.b)/size {
		c.bad = true
		return 0
	}
	return n
}

func (c *cursor) texts4() []string {
	var out []string
	for range c.count4(4) {
		out = append(out, c.text4())
	}
	return out
}

func (c *cursor) class(packs int, ids bool) Class {
	var out Class
	out.Hash, out.Length, out.Pack = c.u8(), c.size4(), c.size4()
	offset := c.u8()
	out.Offset, out.Size, out.Sum = int64(offset), c.size4(), c.u4()
	out.IDOffset, out.IDs = c.size4(), c.size4()
	inside := out.IDs == 0 && out.IDOffset == 0 || ids && out.IDs > 0 && out.IDs <= out.Size && out.IDOffset <= out.Size-4-5*(out.IDs-1)
	if out.Pack >= packs || offset > 1<<62 || !inside {
		c.bad = true
	}
	return out
}

func compareClasses(a, b Class) int {
	switch {
	case a.Hash != b.Hash && a.Hash < b.Hash:
		return -1
	case a.Hash != b.Hash:
		return 1
	}
	return a.Length - b.Length
}

// number gives each class its ids.
func (p *Plan) number() {
	p.bases = make([]int, 1, len(p.Classes)+1)
	for i := range p.Classes {
		p.bases = append(p.bases, p.bases[i]+p.Classes[i].IDs)
	}
}

// A Method is what an id stands for.
type Method struct {
	Class       string        // internal name
	ClassDigest digest.Digest // of the original bytes
	// Name and Descriptor are empty if the class has one id for all its methods.
	Name, Descriptor string
}

// String is "class.name descriptor", the form of reports.
func (m Method) String() string {
	if m.Name == "" {
		return m.Class + ".*"
	}
	return m.Class + "." + m.Name + m.Descriptor
}

// IDs is the number of ids of the plan.
func (p *Plan) IDs() int { return p.bases[len(p.bases)-1] }

// Method tells which method an id of the plan stands for; false if it is an edge's.
func (p *Plan) Method(id int) (Method, bool) {
	if id < 0 || id >= p.IDs() || p.details == nil {
		return Method{}, false
	}
	i := p.classOf(id)
	d := p.details[i]
	m := Method{Class: d.Name, ClassDigest: d.Digest}
	if !d.Coarse && id-p.bases[i] >= len(d.Methods) {
		return Method{}, false // an edge
	}
	if !d.Coarse {
		at := d.Methods[id-p.bases[i]]
		m.Name, m.Descriptor = at.Name, at.Descriptor
	}
	return m, true
}

// classOf is the class that an id belongs to.
func (p *Plan) classOf(id int) int {
	return sort.Search(len(p.Classes), func(i int) bool { return p.bases[i+1] > id })
}

// Detail tells what a class of the plan is.
func (p *Plan) Detail(class int) *Detail { return p.details[class] }

// ClassNamed lists the classes of an internal name, as indices into Classes: several if the class path has different bytes of that name.
func (p *Plan) ClassNamed(name string) []int { return slices.Clone(p.byName[name]) }

// named lists the ids of the methods of a name in the classes of a name.
func (p *Plan) named(class, method string) []int {
	var out []int
	for _, i := range p.byName[class] {
		d := p.details[i]
		if d.Coarse && p.Classes[i].IDs > 0 {
			out = append(out, p.bases[i])
			continue
		}
		for k, m := range d.Methods {
			if m.Name == method {
				out = append(out, p.bases[i]+k)
			}
		}
	}
	return out
}

// fill takes the classes of the packs into the plan. Equal bytes are one class, wherever they are.
func (p *Plan) fill(packs []*pack, starts []int) error {
	type row struct {
		Class
		detail *Detail
	}
	var rows []row
	names, own := map[uint64]bool{}, map[uint64]bool{}
	for k, from := range packs {
		offset := int64(starts[k])
		for i := range from.classes {
			c := &from.classes[i]
			at := Location{Hash: c.hash, Length: c.length, Pack: k, Offset: offset, Size: c.size, Sum: c.sum}
			rows = append(rows, row{Class{at, c.idOffset, c.ids}, &c.Detail})
			names[hash64([]byte(c.Name))] = true
			if c.Detailed {
				own[hash64([]byte(c.Name))] = true
			}
			offset += int64(c.size)
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int { return compareClasses(a.Class, b.Class) })
	for i := 1; i < len(rows); i++ {
		if a, b := rows[i-1], rows[i]; compareClasses(a.Class, b.Class) == 0 && !a.detail.Digest.Same(b.detail.Digest) {
			return fmt.Errorf("the classes %s and %s have the same hash and length", a.detail.Name, b.detail.Name)
		}
	}
	rows = slices.CompactFunc(rows, func(a, b row) bool { return compareClasses(a.Class, b.Class) == 0 })
	p.byName = map[string][]int{}
	for i, r := range rows {
		p.Classes = append(p.Classes, r.Class)
		p.details = append(p.details, r.detail)
		p.byName[r.detail.Name] = append(p.byName[r.detail.Name], i)
	}
	p.Names, p.Own = slices.Sorted(maps.Keys(names)), slices.Sorted(maps.Keys(own))
	p.number()
	return nil
}

// Initializer tells which class an id is the initializer of.
func (p *Plan) Initializer(id int) (class int, ok bool) {
	class = p.classOf(id)
	d := p.details[class]
	return class, (d.Window == instrument.WholeWindow || d.Window == instrument.EntryWindow) && d.WindowID == id-p.bases[class]
}
