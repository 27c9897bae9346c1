package classpath

import (
	"compress/flate"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A Jar is a jar or zip file.
type Jar struct {
	file
	opts     Options
	members  []member
	index    map[string]int // name → member
	versions []int          // of entries below META-INF/versions, the highest first
	manifest manifest
	listing
}

var _ Source = (*Jar)(nil)

func newJar(f file, o Options) (*Jar, error) {
	members, err := f.members()
	if err != nil {
		return nil, err
	}
	j := &Jar{file: f, opts: o, members: members}
	if err := j.limit(); err != nil {
		return nil, err
	}
	j.list()
	if err := j.readManifest(); err != nil {
		return nil, err
	}
	sortProblems(j.problems)
	return j, nil
}

// limit refuses an archive whose declared sizes exceed the options.
func (j *Jar) limit() error {
	var total int64
	for _, m := range j.members {
		if m.size > freeOfRatio && m.size/max(m.packed, 1) > j.opts.maxRatio() {
			return fmt.Errorf("%q: %d bytes from %d, the largest accepted ratio is %d: %w", m.name, m.size, m.packed, j.opts.maxRatio(), ErrTooLarge)
		}
		if total += m.size; total > j.opts.maxTotal() || total < 0 {
			return fmt.Errorf("%d entries of more than %d bytes in total: %w", len(j.members), j.opts.maxTotal(), ErrTooLarge)
		}
	}
	return nil
}

// list makes entries of the members: the last of one name counts.
func (j *Jar) list() {
	last := make(map[string]int, len(j.members))
	j.index = make(map[string]int, len(j.members))
	for i, m := range j.members {
		last[m.name] = i
	}
	for i, m := range j.members {
		if win := last[m.name]; win != i {
			j.problem(Duplicate, m.name, fmt.Sprintf("record %d of the central directory; record %d counts", i, win))
			continue
		}
		j.member(i, m, last)
	}
	sortEntries(j.entries)
	slices.SortFunc(j.versions, func(a, b int) int { return b - a })
	j.versions = slices.Compact(j.versions)
}

// member makes an entry of a member that counts, or a problem.
func (j *Jar) member(i int, m member, last map[string]int) {
	name := m.name
	if bare, isDir := strings.CutSuffix(name, "/"); isDir && name != "" {
		// A loader that finds no file of the name takes the directory.
		if _, hidden := last[bare]; hidden || !strings.HasSuffix(bare, ".class") {
			return
		}
		j.problem(DirectoryAsClass, bare, "")
		name = bare
	}
	if bad := badness(name); bad != "" {
		j.problem(BadName, name, bad)
		return
	}
	if odd := oddness(name); odd != "" {
		j.problem(OddName, name, odd)
	}
	j.index[name] = i
	e := j.entry(name)
	j.entries = append(j.entries, e)
	if e.Version != 0 {
		j.versions = append(j.versions, e.Version)
	}
}

// entry returns the entry of a name that is in the index.
func (j *Jar) entry(name string) Entry {
	return Entry{Name: name, Size: j.members[j.index[name]].size, Version: versionOf(name)}
}

func (j *Jar) problem(k ProblemKind, name, detail string) {
	j.problems = append(j.problems, Problem{k, name, detail})
}

// badness says why no class loader finds a class under a name, or "".
func badness(name string) string {
	switch {
	case name == "":
		return "empty"
	case name[0] == '/':
		return "absolute"
	}
	for part := range strings.SplitSeq(name, "/") {
		switch part {
		case "":
			return "empty part"
		case ".", "..":
			return "part " + part
		}
	}
	return ""
}

// oddness says why a reachable name may be read differently elsewhere, or "".
func oddness(name string) string {
	for _, r := range name {
		switch {
		case r == '\\':
			return "backslash"
		case r < ' ' || r == 0x7f:
			return "control character"
		}
	}
	if class, ok := strings.CutSuffix(name, ".class"); ok && versionOf(name) == 0 && !strings.HasPrefix(name, "META-INF/") && !ValidClass(class) {
		return "not the name of a class"
	}
	return ""
}

// minVersion is the lowest N that counts. The specification of jars says 9; HotSpot takes 8 as well.
const minVersion = 8

// versionOf returns N for META-INF/versions/N/…, N ≥ 8 in plain decimal digits, and 0 for other names.
func versionOf(name string) int {
	rest, ok := strings.CutPrefix(name, versionsPrefix)
	if !ok {
		return 0
	}
	digits, rest, ok := strings.Cut(rest, "/")
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || n < minVersion || strconv.Itoa(n) != digits || rest == "" || strings.HasPrefix(rest, "META-INF/") {
		return 0
	}
	return n
}

// Entries lists the files of the jar. Directories are no entries.
func (j *Jar) Entries() ([]Entry, error) { return j.entries, nil }

// Problems lists what is strange in the jar.
func (j *Jar) Problems() ([]Problem, error) { return j.problems, nil }

// Find returns the entry of a name, whatever the manifest says of versions.
func (j *Jar) Find(name string) (Entry, bool, error) {
	if !j.has(name) {
		return Entry{}, false, nil
	}
	return j.entry(name), true, nil
}

func (j *Jar) has(name string) bool {
	_, ok := j.index[name]
	return ok
}

// MultiRelease tells whether the entries below META-INF/versions count.
func (j *Jar) MultiRelease() bool { return j.manifest.multiRelease }

// ClassPath returns the elements of the manifest's Class-Path attribute, as written.
func (j *Jar) ClassPath() []string { return j.manifest.classPath }

// Read returns the content of an entry. A content whose length or CRC-32 is not the declared one is an error.
func (j *Jar) Read(e Entry) ([]byte, error) { return j.opts.readEntry(j, e) }

// Stream returns the content of an entry piece by piece.
func (j *Jar) Stream(e Entry) (io.ReadCloser, error) {
	r, err := j.stream(e)
	if err != nil {
		return nil, fmt.Errorf("class path: %s: %s: %w", j.path, e.Name, err)
	}
	return r, nil
}

func (j *Jar) stream(e Entry) (io.ReadCloser, error) {
	i, ok := j.index[e.Name]
	if !ok || j.members[i].size != e.Size {
		return nil, errNoEntry
	}
	m := j.members[i]
	if m.name != e.Name && e.Version != 0 {
		return nil, fmt.Errorf("a directory that some JDKs take for a class and others do not: %w", ErrUnsupported)
	}
	data, err := j.data(m)
	if err != nil {
		return nil, err
	}
	return inflate(m, data), nil
}

// inflate returns the unpacked bytes of a member, checked for length and CRC-32 at their end.
func inflate(m member, data io.Reader) io.ReadCloser {
	raw := io.NopCloser(data)
	if m.method == methodDeflate {
		raw = newInflater(data)
	}
	sized := &exactly{Reader: raw, Closer: raw, want: m.size, fault: ErrCorrupt}
	return &checksummed{ReadCloser: sized, hash: crc32.NewIEEE(), want: m.crc}
}

// inflaters are those that were closed: each has a window that is large, compared with most classes.
var inflaters sync.Pool

// An inflater unpacks one stream.
type inflater struct{ io.ReadCloser }

func newInflater(data io.Reader) *inflater {
	if r, ok := inflaters.Get().(io.ReadCloser); ok && r.(flate.Resetter).Reset(data, nil) == nil {
		return &inflater{r}
	}
	return &inflater{flate.NewReader(data)}
}

func (i *inflater) Read(b []byte) (int, error) {
	if i.ReadCloser == nil {
		return 0, fs.ErrClosed
	}
	return i.ReadCloser.Read(b)
}

func (i *inflater) Close() error {
	if i.ReadCloser == nil {
		return nil
	}
	err := i.ReadCloser.Close()
	inflaters.Put(i.ReadCloser)
	i.ReadCloser = nil
	return err
}

// A checksummed stream ends with an error if its CRC-32 is not the wanted one.
type checksummed struct {
	io.ReadCloser
	hash hash.Hash32
	want uint32
}

func (c *checksummed) Read(b []byte) (int, error) {
	n, err := c.ReadCloser.Read(b)
	c.hash.Write(b[:n])
	if err == io.EOF && c.hash.Sum32() != c.want {
		return n, fmt.Errorf("CRC-32 is %08x, declared is %08x: %w", c.hash.Sum32(), c.want, ErrCorrupt)
	}
	return n, err
}
