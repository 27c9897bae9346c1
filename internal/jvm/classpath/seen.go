package classpath

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"winnow/internal/digest"
)

// A Seen table remembers the contents of files by their stamps. Its answers are those of reading every file again: a file is recognised
// by stat alone only if its stamp is the recorded one, if it had not been written to for two seconds when it was recorded, and if
// its file system keeps stamps; see Stamp. Whatever else happens, the file is read.
//
// One way to write escapes: through a shared memory mapping that stays dirty, the kernel need not change the times of a file. Compilers and build tools do
// not write classes so.
//
// The zero value is an empty table. It may be used by several goroutines at once.
type Seen struct {
	mu       sync.Mutex
	files    map[string]*record
	archives map[digest.Digest]*Listing
	devices  map[uint64]bool
	counts   Counts
	round    uint32

	// For tests: the clock and what opens files.
	now  func() time.Time
	open func(string) (*os.File, error)
}

// A record is what is known of a file.
type record struct {
	stamp  Stamp
	at     int64 // when it was read
	digest digest.Digest
	round  uint32 // of the last scan that saw it
}

// Counts says how much work was done.
type Counts struct {
	// Asked is how often the content of a file was asked for, Read how often a file was opened for it, and Bytes how much was read.
	Asked, Read int
	Bytes       int64
}

// Counts returns the work done since the table was made.
func (s *Seen) Counts() Counts {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts
}

// Digest returns the digest of a file's content, or digest.Absent if there is no such file. It is the digest that package vfs gives to
// files, which names the SHA-256 of the content.
func (s *Seen) Digest(path string) (digest.Digest, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return digest.Unknown, fmt.Errorf("class path: %w", err)
	}
	info, err := os.Stat(path)
	if absent(err) {
		s.forget(path)
		return digest.Absent, nil
	}
	if err != nil {
		return digest.Unknown, fmt.Errorf("class path: %w", err)
	}
	return s.digest(path, info)
}

// digest answers for a file of which stat has just told.
func (s *Seen) digest(path string, info fs.FileInfo) (digest.Digest, error) {
	if !info.Mode().IsRegular() {
		return digest.Unknown, fmt.Errorf("class path: %s is not a regular file", path)
	}
	if d, ok := s.recall(path, info); ok {
		return d, nil
	}
	rec, err := s.read(path)
	if err != nil {
		s.forget(path)
		return digest.Unknown, err
	}
	s.remember(path, rec)
	return rec.digest, nil
}

// recall answers from the table.
func (s *Seen) recall(path string, info fs.FileInfo) (digest.Digest, bool) {
	stamp, fine := stampOf(info)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts.Asked++
	rec, ok := s.files[path]
	if !ok || !fine || rec.stamp != stamp || !stamp.settled(rec.at) || !s.keeps(path, stamp) {
		return digest.Unknown, false
	}
	rec.round = s.round
	return rec.digest, true
}

// keeps tells whether the file system of a path keeps stamps. It is asked once per device.
func (s *Seen) keeps(path string, stamp Stamp) bool {
	yes, known := s.devices[stamp.Device]
	if !known {
		yes = reliable(path)
		if s.devices == nil {
			s.devices = map[uint64]bool{}
		}
		s.devices[stamp.Device] = yes
	}
	return yes
}

func (s *Seen) remember(path string, rec record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.files == nil {
		s.files = map[string]*record{}
	}
	rec.round = s.round
	s.files[path] = &rec
}

func (s *Seen) forget(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.files, path)
}

// attempts is how often a file that changes while it is read is tried.
const attempts = 3

// read reads a file. The time is taken first: a write that comes later has a later time of change or the file is not settled.
func (s *Seen) read(path string) (record, error) {
	for range attempts {
		rec := record{at: s.clock().UnixNano()}
		before, after, d, err := s.readOnce(path)
		if err != nil {
			return record{}, fmt.Errorf("class path: %w", err)
		}
		rec.stamp, rec.digest = before, d
		if before == after {
			return rec, nil
		}
	}
	return record{}, fmt.Errorf("class path: %s: %w, %d times", path, ErrChanged, attempts)
}

// readOnce digests a file and returns its stamp before and after.
func (s *Seen) readOnce(path string) (before, after Stamp, d digest.Digest, err error) {
	f, err := s.opener(path)
	if err != nil {
		return before, after, d, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if before, err = fileStamp(f); err != nil {
		return before, after, d, err
	}
	d, n, err := contentDigest(f)
	if err != nil {
		return before, after, d, err
	}
	after, err = fileStamp(f)
	s.count(n)
	return before, after, d, err
}

// fileStamp returns the stamp of an open file, with what the system has of it.
func fileStamp(f *os.File) (Stamp, error) {
	info, err := f.Stat()
	if err != nil {
		return Stamp{}, err
	}
	stamp, _ := stampOf(info)
	return stamp, nil
}

func (s *Seen) opener(path string) (*os.File, error) {
	if s.open != nil {
		return s.open(path)
	}
	return os.Open(path)
}

func (s *Seen) clock() time.Time {
	if s.now != nil {
		return s.now()
	}
	return time.Now()
}

func (s *Seen) count(bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts.Read++
	s.counts.Bytes += bytes
}

// buffers are for contentDigest: an archive has thousands of small entries.
var buffers = sync.Pool{New: func() any { b := make([]byte, 32<<10); return &b }}

// contentDigest names a content without holding it in memory.
func contentDigest(r io.Reader) (digest.Digest, int64, error) {
	h := sha256.New()
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	n, err := io.CopyBuffer(h, r, *buffer)
	if err != nil {
		return digest.Unknown, n, err
	}
	return digest.Of(h.Sum(nil)), n, nil
}

// prune forgets the files below a directory that the present round has not seen.
func (s *Seen) prune(dir string, round uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	prefix := strings.TrimSuffix(dir, string(filepath.Separator)) + string(filepath.Separator)
	for path, rec := range s.files {
		if rec.round < round && strings.HasPrefix(path, prefix) {
			delete(s.files, path)
		}
	}
}

func (s *Seen) nextRound() uint32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.round++
	return s.round
}
