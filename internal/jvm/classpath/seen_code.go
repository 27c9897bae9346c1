package classpath

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"winnow/internal/digest"
)

// The serialized form of a Seen table: a magic text that ends in the version of the format, the records of files in the order of their
// paths, the listings of archives in the order of their digests, and the digest of all that. Numbers are varints; a text is the length of what it shares with the
// text before it, and the rest. There is one form only for a table.
const seenMagic = "winnow seen 1\n"

// ErrTable is wrapped by errors about a serialized table that is damaged or of another version. The caller starts with an empty one.
var ErrTable = errors.New("not a usable table of seen files")

// Append appends the serialized form of the table. Listings of archives that no file has any more are left out.
func (s *Seen) Append(b []byte) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	start := len(b)
	e := encoder{b: append(b, seenMagic...)}
	paths := slices.Sorted(maps.Keys(s.files))
	e.uint(uint64(len(paths)))
	live := map[digest.Digest]bool{}
	for _, p := range paths {
		live[s.files[p].digest] = true
		e.record(p, s.files[p])
	}
	e.archives(s.archives, live)
	sum := digest.Of(e.b[start:])
	return append(e.b, sum[:]...)
}

type encoder struct {
	b    []byte
	last string
}

func (e *encoder) uint(v uint64)          { e.b = binary.AppendUvarint(e.b, v) }
func (e *encoder) int(v int64)            { e.b = binary.AppendVarint(e.b, v) }
func (e *encoder) digest(d digest.Digest) { e.b = append(e.b, d[:]...) }

func (e *encoder) text(s string) {
	n := 0
	for n < len(s) && n < len(e.last) && s[n] == e.last[n] {
		n++
	}
	e.uint(uint64(n))
	e.uint(uint64(len(s) - n))
	e.b = append(e.b, s[n:]...)
	e.last = s
}

func (e *encoder) record(path string, r *record) {
	e.text(path)
	for _, v := range []int64{r.stamp.Size, r.stamp.Mtime, r.stamp.Ctime, r.at} {
		e.int(v)
	}
	e.uint(r.stamp.Inode)
	e.uint(r.stamp.Device)
	e.digest(r.digest)
}

func (e *encoder) archives(all map[digest.Digest]*Listing, live map[digest.Digest]bool) {
	var keep []*Listing
	for d, l := range all {
		if live[d] {
			keep = append(keep, l)
		}
	}
	slices.SortFunc(keep, func(a, b *Listing) int { return bytes.Compare(a.Digest[:], b.Digest[:]) })
	e.uint(uint64(len(keep)))
	for _, l := range keep {
		e.listing(l)
	}
}

func (e *encoder) listing(l *Listing) {
	e.digest(l.Digest)
	e.uint(uint64(len(l.Contents)))
	for _, c := range l.Contents {
		e.text(c.Module + "\x00" + c.Name)
		e.int(c.Size)
		e.int(int64(c.Version))
		e.digest(c.Digest)
	}
	e.uint(uint64(len(l.Problems)))
	for _, p := range l.Problems {
		e.text(p.Name)
		e.uint(uint64(p.Kind))
		e.text(p.Detail)
	}
}

// DecodeSeen reads what Append wrote. Anything else is an error.
func DecodeSeen(data []byte) (*Seen, error) {
	d := decoder{size: len(data)}
	body, ok := bytes.CutPrefix(data, []byte(seenMagic))
	if !ok || len(body) < digest.Size {
		return nil, fmt.Errorf("%w: it does not start with %q", ErrTable, seenMagic)
	}
	n := len(data) - digest.Size
	if digest.Of(data[:n]) != digest.Digest(data[n:]) {
		return nil, fmt.Errorf("%w: wrong checksum", ErrTable)
	}
	d.b = body[:len(body)-digest.Size]
	s := d.table()
	if d.err == nil && len(d.b) != 0 {
		d.fail("bytes behind the end")
	}
	if d.err != nil {
		return nil, fmt.Errorf("%w: offset %d: %w", ErrTable, n-d.left, d.err)
	}
	// Two forms of one table would be two names for one thing; the encoder decides which one is right.
	if !bytes.Equal(s.Append(nil), data) {
		return nil, fmt.Errorf("%w: not in the canonical form", ErrTable)
	}
	return s, nil
}

// A decoder keeps the first error; after it, everything is zero.
type decoder struct {
	b     []byte
	last  string
	err   error
	left  int // bytes behind the error
	size  int // of the table
	texts int // bytes of all texts
}

func (d *decoder) fail(why string) {
	if d.err == nil {
		d.err, d.left = errors.New(why), len(d.b)
	}
	d.b = nil
}

func (d *decoder) uint() uint64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.fail("no number")
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *decoder) int() int64 {
	v, n := binary.Varint(d.b)
	if n <= 0 {
		d.fail("no number")
		return 0
	}
	d.b = d.b[n:]
	return v
}

// count reads the number of things of a smallest length that follow.
func (d *decoder) count(smallest int) int {
	n := d.uint()
	if n > uint64(len(d.b)/smallest) {
		d.fail("more things than bytes")
		return 0
	}
	return int(n)
}

func (d *decoder) digest() (v digest.Digest) {
	if len(d.b) < digest.Size {
		d.fail("no digest")
		return v
	}
	v, d.b = digest.Digest(d.b[:digest.Size]), d.b[digest.Size:]
	return v
}

// growth bounds how much longer the texts may be than the table: shared beginnings could make a small table a huge one.
const growth = 256

func (d *decoder) text() string {
	shared, n := d.uint(), d.uint()
	if shared > uint64(len(d.last)) || n > uint64(len(d.b)) {
		d.fail("no text")
		return ""
	}
	if d.texts += int(shared + n); d.texts > growth*d.size {
		d.fail("texts are too long")
		return ""
	}
	d.last = d.last[:shared] + string(d.b[:n])
	d.b = d.b[n:]
	return d.last
}

func (d *decoder) table() *Seen {
	s := &Seen{files: map[string]*record{}, archives: map[digest.Digest]*Listing{}}
	for range d.count(2 + 6 + digest.Size) {
		path := d.text()
		s.files[path] = d.record()
	}
	for range d.count(digest.Size + 2) {
		l := d.listing()
		s.archives[l.Digest] = l
	}
	return s
}

func (d *decoder) record() *record {
	r := new(record)
	for _, v := range []*int64{&r.stamp.Size, &r.stamp.Mtime, &r.stamp.Ctime, &r.at} {
		*v = d.int()
	}
	r.stamp.Inode, r.stamp.Device = d.uint(), d.uint()
	r.digest = d.digest()
	return r
}

func (d *decoder) listing() *Listing {
	l := &Listing{Digest: d.digest()}
	for range d.count(2 + 2 + digest.Size) {
		var c Content
		module, name, ok := strings.Cut(d.text(), "\x00")
		if !ok {
			d.fail("no module")
		}
		c.Module, c.Name = module, name
		c.Size, c.Version = d.int(), int(d.int())
		c.Digest = d.digest()
		l.Contents = append(l.Contents, c)
	}
	for range d.count(2 + 1 + 2) {
		p := Problem{Name: d.text()}
		p.Kind = ProblemKind(d.uint())
		p.Detail = d.text()
		l.Problems = append(l.Problems, p)
	}
	return l
}
