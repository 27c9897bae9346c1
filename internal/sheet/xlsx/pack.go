package xlsx

import (
	"archive/zip"
	"compress/flate"
	"crypto/sha256"
	"errors"
	"io"
	"strings"
	"sync"
)

// Part describes one part that was read.
type Part struct {
	Name   string // as in the archive
	Size   int64  // inflated
	SHA256 [sha256.Size]byte
}

// A pack is the zip archive of a workbook. Its methods may be called
// concurrently.
type pack struct {
	lim    Limits
	budget *budget
	files  map[string]*zip.File // by folded name

	mu   sync.Mutex
	read []Part
}

// openPack reads the directory of the archive and checks every name in it.
func openPack(r io.ReaderAt, size int64, lim Limits) (*pack, error) {
	if size > lim.FileBytes {
		return nil, fault(ErrLimit, "", "is %d bytes long, allowed are %d (Limits.FileBytes)", size, lim.FileBytes)
	}
	if err := sniff(r, size); err != nil {
		return nil, err
	}
	meter := &directoryMeter{r: r, left: int64(lim.Entries)*maxEntryBytes + 256<<10, metering: true}
	z, err := zip.NewReader(meter, size)
	meter.metering = false
	if meter.left < 0 || err == nil && len(z.File) > lim.Entries {
		return nil, fault(ErrLimit, "", "has more than %d entries, or a directory too large for them (Limits.Entries)", lim.Entries)
	}
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, zipFault("", "the directory of the zip archive is missing or broken; the file may be cut off", err)
	}
	p := &pack{lim: lim, budget: &budget{lim: lim}, files: make(map[string]*zip.File, len(z.File))}
	return p, p.index(z.File)
}

// maxEntryBytes is what one entry may take in the archive's directory, on
// average.
const maxEntryBytes = 512

// A directoryMeter bounds what is read for the archive's directory, because
// the zip package keeps every entry in memory before they can be counted.
type directoryMeter struct {
	r        io.ReaderAt
	left     int64
	metering bool
}

func (m *directoryMeter) ReadAt(b []byte, off int64) (int, error) {
	if m.metering {
		if m.left -= int64(len(b)); m.left < 0 {
			return 0, zip.ErrFormat
		}
	}
	return m.r.ReadAt(b, off)
}

func (p *pack) index(files []*zip.File) error {
	for _, f := range files {
		name := strings.ReplaceAll(f.Name, `\`, "/")
		if err := checkName(name); err != nil {
			return err
		}
		if strings.HasSuffix(name, "/") {
			continue
		}
		key := foldPart(name)
		if _, twice := p.files[key]; twice {
			return fault(ErrDamaged, "", "the archive holds two entries named %.100q", name)
		}
		p.files[key] = f
	}
	return nil
}

// checkName refuses names that could point outside of the archive. Nothing is
// ever extracted; but no honest program writes them, and readers that
// resolve them differently would see different workbooks.
func checkName(name string) error {
	if name == "" || name[0] == '/' || strings.IndexByte(name, 0) >= 0 || len(name) > 1 && name[1] == ':' {
		return fault(ErrDamaged, "", "the archive holds an entry with the unsafe name %.100q", name)
	}
	for elem := range strings.SplitSeq(strings.TrimSuffix(name, "/"), "/") {
		if elem == "" || elem == "." || elem == ".." {
			return fault(ErrDamaged, "", "the archive holds an entry with the unsafe name %.100q", name)
		}
	}
	return nil
}

// foldPart maps part names that are equivalent (ECMA-376 part 2, 9.1.1.2:
// ASCII letters compare without case) to one.
func foldPart(name string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, name)
}

func (p *pack) has(part string) bool {
	_, ok := p.files[foldPart(part)]
	return ok
}

// sizeHint returns the claimed inflated size of a part, for scheduling only.
func (p *pack) sizeHint(part string) uint64 {
	if f, ok := p.files[foldPart(part)]; ok {
		return f.UncompressedSize64
	}
	return 0
}

// scan inflates an XML part and returns a scanner at its beginning.
func (p *pack) scan(part string) (*scanner, error) {
	f, ok := p.files[foldPart(part)]
	if !ok {
		return nil, fault(ErrDamaged, part, "is missing")
	}
	raw, err := p.inflate(part, f)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	p.read = append(p.read, Part{f.Name, int64(len(raw)), sha256.Sum256(raw)})
	p.mu.Unlock()
	text, err := toUTF8(part, raw)
	if err != nil {
		return nil, err
	}
	return newScanner(part, text, p.budget), nil
}

// inflate returns the content of an entry. The zip package checks the length
// and the CRC-32 at the end of it.
func (p *pack) inflate(part string, f *zip.File) ([]byte, error) {
	if f.Flags&1 != 0 {
		return nil, fault(ErrPassword, part, "is encrypted within the zip archive").advise("pack the workbook again without a password")
	}
	if f.Method != zip.Store && f.Method != zip.Deflate {
		return nil, fault(ErrUnsupported, part, "is compressed with method %d; workbooks use deflate", f.Method)
	}
	rc, err := f.Open()
	if err != nil {
		return nil, zipFault(part, "cannot be found where the directory says", err)
	}
	defer rc.Close() // holds no resource: it reads from memory or from the file that Open closes
	return p.readAll(part, f, rc)
}

func (p *pack) readAll(part string, f *zip.File, r io.Reader) ([]byte, error) {
	buf := make([]byte, 0, p.firstBuffer(f))
	for {
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
		n, err := r.Read(buf[len(buf):min(cap(buf), len(buf)+256<<10)])
		buf = buf[:len(buf)+n]
		if lerr := p.checkSize(part, int64(len(buf)), int64(n), f); lerr != nil {
			return nil, lerr
		}
		if errors.Is(err, io.EOF) {
			return buf, nil
		}
		if err != nil {
			return nil, zipFault(part, "cannot be inflated", err)
		}
	}
}

// firstBuffer trusts the claimed size only as far as the compressed size
// makes it plausible.
func (p *pack) firstBuffer(f *zip.File) int64 {
	plausible := uint64(mib)
	if c := f.CompressedSize64; c < 1<<40 {
		plausible = max(plausible, c*16)
	}
	return int64(min(f.UncompressedSize64+1, plausible, uint64(p.lim.PartBytes)+1))
}

func (p *pack) checkSize(part string, size, grown int64, f *zip.File) error {
	if size > p.lim.PartBytes {
		return fault(ErrLimit, part, "inflates to more than %d bytes (Limits.PartBytes)", p.lim.PartBytes)
	}
	if size > ratioFloor && uint64(size)/uint64(p.lim.Ratio) > f.CompressedSize64 {
		return fault(ErrLimit, part, "inflates to more than %d times its size (Limits.Ratio)", p.lim.Ratio)
	}
	return p.budget.addBytes(grown)
}

// zipFault tells damage from a failure to read the file.
func zipFault(part, problem string, err error) *Error {
	var corrupt flate.CorruptInputError
	var internal flate.InternalError
	switch {
	case errors.Is(err, zip.ErrFormat), errors.Is(err, zip.ErrAlgorithm), errors.Is(err, zip.ErrChecksum),
		errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &corrupt), errors.As(err, &internal):
		return fault(ErrDamaged, part, "%s", problem).because(err).advise("restore it from a copy")
	}
	return readFault(part, err)
}

func readFault(part string, err error) *Error {
	return fault(ErrRead, part, "reading failed").because(err)
}
