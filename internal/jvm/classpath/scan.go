package classpath

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"winnow/internal/digest"
)

// A Content is an entry with the digest of its bytes.
type Content struct {
	Entry
	// Digest is digest.Unknown if the entry cannot be read because it is a directory.
	Digest digest.Digest
}

// A Listing is all that a source holds, by content.
type Listing struct {
	// Digest names the whole: a file's content, or all names, contents and problems of a directory. It is digest.Absent if there is nothing, and
	// digest.Unknown if a content is.
	Digest   digest.Digest
	Contents []Content
	Problems []Problem
}

// Scan lists a directory, a jar or a run-time image by content and reads only what it does not recognise. The entries of a jar or image
// are remembered under the digest of the file, wherever that is. The caller must not change the listing.
func (s *Seen) Scan(path string) (*Listing, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("class path: %w", err)
	}
	info, err := os.Stat(path)
	switch {
	case absent(err):
		s.forget(path)
		return &Listing{Digest: digest.Absent}, nil
	case err != nil:
		return nil, fmt.Errorf("class path: %w", err)
	case !info.IsDir():
		return s.scanFile(path)
	case isJDK(path):
		return s.scanJDK(path)
	}
	return s.scanDir(path)
}

func (s *Seen) scanJDK(home string) (*Listing, error) {
	parts, err := Platform(home)
	if err != nil {
		return nil, err
	}
	if len(parts) != 1 {
		return nil, fmt.Errorf("class path: %s is a JDK without a run-time image: %w as one source, scan its jars", home, ErrUnsupported)
	}
	return s.scanFile(parts[0])
}

func (s *Seen) scanDir(dir string) (*Listing, error) {
	w := walk{root: dir}
	if err := w.run(); err != nil {
		return nil, fmt.Errorf("class path: %w", err)
	}
	round := s.nextRound()
	l := &Listing{Contents: make([]Content, len(w.files)), Problems: w.problems}
	for i := range w.files {
		f := &w.files[i]
		l.Contents[i].Entry = f.Entry
		if f.info == nil {
			continue
		}
		d, err := s.digest(f.path, f.info)
		if err != nil {
			return nil, err
		}
		l.Contents[i].Digest = d
	}
	s.prune(dir, round)
	l.Digest = treeDigest(l)
	return l, nil
}

// treeDigest names all that is in a directory.
func treeDigest(l *Listing) digest.Digest {
	var b digest.Builder
	b.Add(binary.LittleEndian.AppendUint64(nil, uint64(len(l.Contents))))
	for _, c := range l.Contents {
		if c.Digest == digest.Unknown {
			return digest.Unknown
		}
		b.AddString(c.Name).Add(c.Digest[:])
	}
	for _, p := range l.Problems {
		b.AddString(p.String())
	}
	return b.Sum()
}

// scanFile lists an archive. It is digested again after it was listed: what is remembered under a digest must have come from that content.
func (s *Seen) scanFile(path string) (*Listing, error) {
	d, err := s.Digest(path)
	if err != nil {
		return nil, err
	}
	if l, ok := s.archive(d); ok {
		return l, nil
	}
	l, err := listArchive(path)
	if err != nil {
		return nil, err
	}
	l.Digest = d
	again, err := s.read(path)
	if err != nil {
		return nil, err
	}
	if !again.digest.Same(d) {
		return nil, fmt.Errorf("class path: %s: %w", path, ErrChanged)
	}
	s.keep(l)
	return l, nil
}

func (s *Seen) archive(d digest.Digest) (*Listing, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l, ok := s.archives[d]
	return l, ok
}

func (s *Seen) keep(l *Listing) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.archives == nil {
		s.archives = map[digest.Digest]*Listing{}
	}
	s.archives[l.Digest] = l
}

// listArchive digests every entry of a jar or image.
func listArchive(path string) (*Listing, error) {
	src, err := Open(path)
	if err != nil {
		return nil, err
	}
	l, err := listSource(src)
	if err := errors.Join(err, src.Close()); err != nil {
		return nil, err
	}
	return l, nil
}

func listSource(src Source) (*Listing, error) {
	entries, err := src.Entries()
	if err != nil {
		return nil, err
	}
	problems, err := src.Problems()
	if err != nil {
		return nil, err
	}
	l := &Listing{Contents: make([]Content, len(entries)), Problems: problems}
	for i, e := range entries {
		d, err := entryDigest(src, e)
		if err != nil {
			return nil, err
		}
		l.Contents[i] = Content{e, d}
	}
	return l, nil
}

func entryDigest(src Source, e Entry) (digest.Digest, error) {
	r, err := src.Stream(e)
	if err != nil {
		return digest.Unknown, err
	}
	d, _, err := contentDigest(r)
	if err := errors.Join(err, r.Close()); err != nil {
		return digest.Unknown, fmt.Errorf("class path: %s: %s: %w", src.Path(), e.Name, err)
	}
	return d, nil
}
