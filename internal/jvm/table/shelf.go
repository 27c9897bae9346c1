package table

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"winnow/internal/digest"
)

// The file of a shelf: a magic text that ends in the version of the format, what the shelf is of, the length of the index, the digest of the index, the index,
// and the encodings of tables and refs, each of which has its digest in the index. Whatever makes the same class file give another table changes the version.
const shelfMagic = "winnow shelf 1\n"

const shelfHead = len(shelfMagic) + digest.Size + 8 + digest.Size

// errShelf says that a file is no usable shelf. The shelf is then made anew.
var errShelf = errors.New("not a usable shelf")

// A shelf keeps what is known of one place.
type shelf struct {
	key    digest.Digest // what it is of
	groups []group

	// Of jars.
	noJar     bool // the file is no archive at all
	classPath bool // its manifest names other places
	resources []resource

	path  string // where it is kept; "" if it is not
	start int    // of the encodings in the file
	blobs []byte // the encodings, once they are needed
}

// A resource is a file of a jar that is no class.
type resource struct {
	name   string
	digest digest.Digest
}

// encode writes the shelf. The rows must have their encodings.
func (s *shelf) encode() []byte {
	var e encoder
	e.num(bits(s.noJar, s.classPath))
	e.num(uint64(len(s.resources)))
	for _, r := range s.resources {
		e.text(r.name)
		e.digest(r.digest)
	}
	e.num(uint64(len(s.groups)))
	at := 0
	for i := range s.groups {
		at = e.group(&s.groups[i], at)
	}
	sum := digest.Of(e)
	out := make([]byte, 0, shelfHead+len(e)+at)
	out = append(append(out, shelfMagic...), s.key[:]...)
	out = binary.LittleEndian.AppendUint64(out, uint64(len(e)))
	out = append(append(out, sum[:]...), e...)
	for i := range s.groups {
		for j := range s.groups[i].rows {
			r := &s.groups[i].rows[j]
			out = append(append(out, r.tableData...), r.refsData...)
		}
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

// readShelf reads the index of a shelf, and the encodings too if they are all wanted.
func readShelf(path string, key digest.Digest, whole bool) (*shelf, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // it was only read
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	head := make([]byte, shelfHead)
	if _, err := io.ReadFull(f, head); err != nil {
		return nil, fmt.Errorf("%w: %w", errShelf, err)
	}
	size, sum, err := parseHead(head, key)
	if err != nil {
		return nil, err
	}
	rest := uint64(info.Size()) - uint64(shelfHead)
	if size > rest {
		return nil, fmt.Errorf("%w: it is too short", errShelf)
	}
	take := size
	if whole {
		take = rest
	}
	data := make([]byte, take)
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, fmt.Errorf("%w: %w", errShelf, err)
	}
	s, err := decodeIndex(data[:size], sum, int(rest-size))
	if err != nil {
		return nil, err
	}
	s.key, s.path, s.start = key, path, shelfHead+int(size)
	if whole {
		s.blobs = data[size:]
	}
	return s, nil
}

func parseHead(head []byte, key digest.Digest) (size uint64, sum digest.Digest, err error) {
	if string(head[:len(shelfMagic)]) != shelfMagic {
		return 0, sum, fmt.Errorf("%w: it does not start as one", errShelf)
	}
	head = head[len(shelfMagic):]
	if digest.Digest(head) != key {
		return 0, sum, fmt.Errorf("%w: it is of another place", errShelf)
	}
	return binary.LittleEndian.Uint64(head[digest.Size:]), digest.Digest(head[digest.Size+8:]), nil
}

// decodeIndex reads an index whose encodings have a length.
func decodeIndex(data []byte, sum digest.Digest, blobs int) (*shelf, error) {
	if digest.Of(data) != sum {
		return nil, fmt.Errorf("%w: the checksum of its index is wrong", errShelf)
	}
	d := decoder{data: data}
	s := &shelf{}
	b := d.upTo(3)
	s.noJar, s.classPath = b&1 != 0, b&2 != 0
	if n := d.count(1 + digest.Size); n > 0 {
		s.resources = make([]resource, n)
	}
	for i := range s.resources {
		s.resources[i] = resource{d.text(), d.digest()}
	}
	if n := d.count(3); n > 0 {
		s.groups = make([]group, n)
	}
	at := 0
	for i := range s.groups {
		at = d.group(&s.groups[i], at)
	}
	if d.bad || len(d.data) > 0 || at != blobs {
		return nil, fmt.Errorf("%w: its index is malformed", errShelf)
	}
	return s, nil
}

func (d *decoder) group(g *group, at int) int {
	g.name, g.foreign = d.text(), d.texts()
	if n := d.count(1 + 2*digest.Size); n > 0 {
		g.rows = make([]row, n)
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
		r.table, r.refsSum = d.digest(), d.digest()
		r.tableAt = span{at, int(d.upTo(maxBlob))}
		r.refsAt = span{at + r.tableAt.len, int(d.upTo(maxBlob))}
		at = r.refsAt.off + r.refsAt.len
	}
	return at
}

// maxBlob bounds the length of one encoding, so that sums of lengths stay in an int.
const maxBlob = 1 << 30

// load brings the encodings into memory.
func (s *shelf) load() error {
	if s.blobs != nil || s.path == "" {
		return nil
	}
	data, err := os.ReadFile(s.path)
	if err != nil {
		return err
	}
	if len(data) < s.start {
		return fmt.Errorf("%w: it is too short", errShelf)
	}
	s.blobs = data[s.start:]
	return nil
}

// blob returns an encoding and checks it.
func (s *shelf) blob(data []byte, at span, sum digest.Digest) ([]byte, error) {
	if data == nil {
		if err := s.load(); err != nil {
			return nil, err
		}
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
	for i := range s.groups {
		for j := range s.groups[i].rows {
			r := &s.groups[i].rows[j]
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
	}
	return nil
}

// A cache is the directory of the shelves; "" keeps nothing.
type cache string

func (c cache) path(key digest.Digest) string {
	name := key.String()
	return filepath.Join(string(c), name[:2], name+".shelf")
}

// get reads a shelf; nil if there is none that can be used.
func (c cache) get(key digest.Digest, whole bool) *shelf {
	if c == "" {
		return nil
	}
	s, err := readShelf(c.path(key), key, whole)
	if err != nil {
		return nil // whatever is wrong with it, it has to be made anew
	}
	return s
}

// put keeps a shelf: the file appears whole or not at all.
func (c cache) put(s *shelf) (err error) {
	if c == "" {
		return nil
	}
	path := c.path(s.key)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("tables: %w", err)
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), "*.tmp")
	if err != nil {
		return fmt.Errorf("tables: %w", err)
	}
	_, err = tmp.Write(s.encode())
	err = errors.Join(err, tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("tables: %w", errors.Join(err, os.Remove(tmp.Name())))
	}
	return nil
}

// jarKey names the shelf of a jar for JVMs of a feature version: which of several versions of a class counts depends on it.
func jarKey(content digest.Digest, feature int) digest.Digest {
	return new(digest.Builder).AddString("jar").Add(content[:]).AddString(strconv.Itoa(feature)).Sum()
}

// dirKey names the shelf of a directory.
func dirKey(path string) digest.Digest {
	return new(digest.Builder).AddString("dir").AddString(path).Sum()
}
