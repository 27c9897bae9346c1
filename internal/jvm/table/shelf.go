package table

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"

	"winnow/internal/digest"
)

// The file of a shelf: a magic text that ends in the version of the format, what the shelf is of, lengths and digests of summary and index, these two, and the
// encodings of tables and refs, each of which has its digest in the index. Whatever makes the same class file give another table changes the version.
const shelfMagic = "winnow shelf 3\n"

const shelfHead = len(shelfMagic) + digest.Size + 2*(8+digest.Size)

// errShelf says that a file is no usable shelf. The shelf is then made anew.
var errShelf = errors.New("not a usable shelf")

// A shelf keeps what is known of one place.
type shelf struct {
	key digest.Digest // what it is of
	summary
	index // once it is needed

	path  string // where it is kept; "" if all of it is here
	head  head
	blobs []byte // the encodings, once they are needed

	loading sync.Mutex // programs share the shelves of jars
}

// A summary is what is needed of a place in order to know whether its index is.
type summary struct {
	noJar     bool     // the file is no archive at all
	classPath bool     // its manifest names other places
	packages  []string // that have a class
	above     []string // supertypes of its classes that it does not have itself, those of java/ aside, canonical
	raw       []string // see rawNames
}

// An index is what is known of the files of a place.
type index struct {
	groups    []group
	resources []resource // of a jar
	ready     bool
}

// A resource is a file of a jar that is no class.
type resource struct {
	name   string
	digest digest.Digest
}

// A head says where the pieces of the file are and what their digests are.
type head struct {
	summary, index       int
	summarySum, indexSum digest.Digest
}

// sum makes the summary of the groups.
func (s *shelf) sum() {
	packages, above, raw := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for r := range s.rows() {
		packages[packageOf(r.name)] = true
		for _, name := range r.raw {
			raw[name] = true
		}
		for _, name := range r.supers {
			if !strings.HasPrefix(name, "java/") {
				above[name] = true
			}
		}
	}
	for r := range s.rows() {
		if len(above) > 0 {
			delete(above, r.canonical)
		}
	}
	s.packages, s.above, s.raw = sortedKeys(packages), sortedKeys(above), sortedKeys(raw)
}

// packageOf is the package of a class.
func packageOf(class string) string { return class[:max(strings.LastIndexByte(class, '/'), 0)] }

// encode writes the shelf. The rows must have their encodings.
func (s *shelf) encode() []byte {
	var e, x encoder
	e.num(bits(s.noJar, s.classPath))
	e.texts(s.packages)
	e.texts(s.above)
	e.texts(s.raw)
	x.num(uint64(len(s.resources)))
	for _, r := range s.resources {
		x.text(r.name)
		x.digest(r.digest)
	}
	x.num(uint64(len(s.groups)))
	at := 0
	for i := range s.groups {
		at = x.group(&s.groups[i], at)
	}
	out := make([]byte, 0, shelfHead+len(e)+len(x)+at)
	out = append(append(out, shelfMagic...), s.key[:]...)
	for _, part := range [][]byte{e, x} {
		sum := digest.Of(part)
		out = append(binary.LittleEndian.AppendUint64(out, uint64(len(part))), sum[:]...)
	}
	out = append(append(out, e...), x...)
	for r := range s.rows() {
		out = append(append(out, r.tableData...), r.refsData...)
	}
	return out
}

// group writes a group whose encodings start at an offset, and returns where they end.
func (e *encoder) group(g *group, at int) int {
	e.text(g.name)
	e.texts(g.foreign)
	e.num(uint64(len(g.rows)))
	for i := range g.rows {
		r := &g.rows[i]
		e.text(r.name)
		e.digest(r.file)
		e.digest(r.content)
		e.text(r.broken)
		if r.broken != "" {
			continue
		}
		e.alias(r.name, r.canonical)
		e.texts(r.supers)
		e.texts(r.raw)
		e.digest(r.link)
		e.digest(r.reflect)
		e.digest(r.table)
		e.digest(r.refsSum)
		e.num(uint64(len(r.tableData)))
		e.num(uint64(len(r.refsData)))
		r.tableAt = span{at, len(r.tableData)}
		r.refsAt = span{at + len(r.tableData), len(r.refsData)}
		at += len(r.tableData) + len(r.refsData)
	}
	return at
}

// readShelf reads the summary of a shelf.
func readShelf(path string, key digest.Digest) (*shelf, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // it was only read
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	b := make([]byte, min(info.Size(), firstRead))
	if _, err := io.ReadFull(f, b); err != nil {
		return nil, fmt.Errorf("%w: %w", errShelf, err)
	}
	h, err := parseHead(b, key, info.Size())
	if err != nil {
		return nil, err
	}
	s := &shelf{key: key, path: path, head: h}
	if end := shelfHead + h.summary; end > len(b) {
		rest := make([]byte, end-len(b))
		if _, err := io.ReadFull(f, rest); err != nil {
			return nil, fmt.Errorf("%w: %w", errShelf, err)
		}
		b = append(b, rest...)
	}
	return s, s.decodeSummary(b[shelfHead : shelfHead+h.summary])
}

// firstRead is how much is read at once: most summaries are shorter.
const firstRead = 4096

func parseHead(b []byte, key digest.Digest, size int64) (h head, err error) {
	if len(b) < shelfHead || string(b[:len(shelfMagic)]) != shelfMagic {
		return h, fmt.Errorf("%w: it does not start as one", errShelf)
	}
	b = b[len(shelfMagic):]
	if digest.Digest(b) != key {
		return h, fmt.Errorf("%w: it is of another place", errShelf)
	}
	b = b[digest.Size:]
	summary, index := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8+digest.Size:])
	if rest := uint64(size) - uint64(shelfHead); summary > rest || index > rest-summary {
		return h, fmt.Errorf("%w: it is too short", errShelf)
	}
	return head{int(summary), int(index), digest.Digest(b[8:]), digest.Digest(b[8+digest.Size+8:])}, nil
}

func (s *shelf) decodeSummary(data []byte) error {
	if digest.Of(data) != s.head.summarySum {
		return fmt.Errorf("%w: the checksum of its summary is wrong", errShelf)
	}
	d := decoder{data: data}
	b := d.upTo(3)
	s.noJar, s.classPath = b&1 != 0, b&2 != 0
	s.packages, s.above, s.raw = d.texts(), d.texts(), d.texts()
	if d.bad || len(d.data) > 0 {
		return fmt.Errorf("%w: its summary is malformed", errShelf)
	}
	return nil
}

func (s *shelf) loaded() bool {
	s.loading.Lock()
	defer s.loading.Unlock()
	return s.ready
}

// load reads the index and the encodings.
func (s *shelf) load() error {
	s.loading.Lock()
	defer s.loading.Unlock()
	if s.ready {
		return nil
	}
	data, err := os.ReadFile(s.path)
	if err != nil {
		return err
	}
	if h, err := parseHead(data, s.key, int64(len(data))); err != nil || h != s.head {
		return fmt.Errorf("%w: it was replaced", errShelf)
	}
	start := shelfHead + s.head.summary
	end := start + s.head.index
	if err := s.decodeIndex(data[start:end], len(data)-end); err != nil {
		return err
	}
	s.blobs = data[end:]
	return nil
}

// decodeIndex reads an index whose encodings have a length.
func (s *shelf) decodeIndex(data []byte, blobs int) error {
	if digest.Of(data) != s.head.indexSum {
		return fmt.Errorf("%w: the checksum of its index is wrong", errShelf)
	}
	d := decoder{data: data}
	x := index{ready: true}
	if n := d.count(1 + digest.Size); n > 0 {
		x.resources = make([]resource, n)
	}
	for i := range x.resources {
		x.resources[i] = resource{d.text(), d.digest()}
	}
	if n := d.count(3); n > 0 {
		x.groups = make([]group, n)
	}
	at := 0
	for i := range x.groups {
		if at = d.group(&x.groups[i], at); i > 0 && x.groups[i-1].name >= x.groups[i].name {
			d.fail() // they are searched
		}
	}
	if d.bad || len(d.data) > 0 || at != blobs {
		return fmt.Errorf("%w: its index is malformed", errShelf)
	}
	s.index = x
	return nil
}

func (d *decoder) group(g *group, at int) int {
	g.name, g.foreign = d.text(), d.texts()
	if n := d.count(1 + 2*digest.Size); n > 0 {
		g.rows = cut(&d.rows, n)
	}
	for i := range g.rows {
		r := &g.rows[i]
		r.name, r.file, r.content, r.broken = d.text(), d.digest(), d.digest(), d.text()
		r.canonical = r.name
		if r.broken != "" {
			continue
		}
		r.canonical = d.alias(r.name)
		r.supers, r.raw = d.texts(), d.texts()
		r.link, r.reflect = d.digest(), d.digest()
		r.table, r.refsSum = d.digest(), d.digest()
		r.tableAt = span{at, int(d.upTo(maxBlob))}
		r.refsAt = span{at + r.tableAt.len, int(d.upTo(maxBlob))}
		at = r.refsAt.off + r.refsAt.len
	}
	return at
}

// maxBlob bounds the length of one encoding, so that sums of lengths stay in an int.
const maxBlob = 1 << 30

// blob returns an encoding and checks it.
func (s *shelf) blob(data []byte, at span, sum digest.Digest) ([]byte, error) {
	if data == nil {
		if at.off+at.len > len(s.blobs) {
			return nil, fmt.Errorf("%w: it is too short", errShelf)
		}
		data = s.blobs[at.off : at.off+at.len]
	}
	if digest.Of(data) != sum {
		return nil, fmt.Errorf("%w: the checksum of an encoding is wrong", errShelf)
	}
	return data, nil
}

// fill puts the encodings into the rows, so that the shelf can be written.
func (s *shelf) fill() error {
	for r := range s.rows() {
		if r.broken != "" {
			continue
		}
		var errTable, errRefs error
		r.tableData, errTable = s.blob(r.tableData, r.tableAt, r.table)
		r.refsData, errRefs = s.blob(r.refsData, r.refsAt, r.refsSum)
		if err := errors.Join(errTable, errRefs); err != nil {
			return err
		}
	}
	return nil
}

// rows gives all rows.
func (s *shelf) rows() func(yield func(*row) bool) {
	return func(yield func(*row) bool) {
		for i := range s.groups {
			for j := range s.groups[i].rows {
				if !yield(&s.groups[i].rows[j]) {
					return
				}
			}
		}
	}
}

// jarKey names the shelf of a jar for JVMs of a feature version: which of several versions of a class counts depends on it.
func jarKey(content digest.Digest, feature int) digest.Digest {
	return new(digest.Builder).AddString("jar").Add(content[:]).AddString(strconv.Itoa(feature)).Sum()
}

// dirKey names the shelf of a directory.
func dirKey(path string) digest.Digest {
	return new(digest.Builder).AddString("dir").AddString(path).Sum()
}
