package observed

import (
	"errors"
	"fmt"
	"sync"

	"winnow/internal/digest"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/classpath"
	"winnow/internal/jvm/hierarchy"
)

// Libraries are the classes of a JDK and of jars. They may be asked by several goroutines at once.
type Libraries struct {
	mu    sync.Mutex
	jdk   *classpath.Path
	jars  *classpath.Path
	known map[string]library
}

type library struct {
	class    *hierarchy.Class
	checksum digest.Digest
	err      error
}

// ofJDK is the checksum of every class of the JDK.
var ofJDK = digest.OfString("winnow: a class of the JDK")

// OpenLibraries opens a JDK of a feature version and some jars or directories.
func OpenLibraries(feature int, jdk string, jars ...string) (*Libraries, error) {
	platform, err := classpath.OpenPath(feature, jdk)
	if err != nil {
		return nil, err
	}
	path, err := classpath.OpenPath(feature, jars...)
	if err != nil {
		platform.Close() // the error above says more
		return nil, err
	}
	return &Libraries{jdk: platform, jars: path, known: map[string]library{}}, nil
}

// Close releases the files.
func (l *Libraries) Close() error {
	err := l.jars.Close()
	if e := l.jdk.Close(); err == nil {
		err = e
	}
	return err
}

// Lookup is what linking needs to know of a class.
func (l *Libraries) Lookup(name string) (*hierarchy.Class, error) {
	found := l.find(name)
	return found.class, found.err
}

// Checksum is the digest of a class.
func (l *Libraries) Checksum(name string) digest.Digest { return l.find(name).checksum }

func (l *Libraries) find(name string) library {
	l.mu.Lock()
	defer l.mu.Unlock()
	found, ok := l.known[name]
	if !ok {
		found = l.read(name)
		l.known[name] = found
	}
	return found
}

func (l *Libraries) read(name string) library {
	at, ok, err := l.jdk.Find(name)
	jdk := ok
	if err == nil && !ok {
		at, ok, err = l.jars.Find(name)
	}
	switch {
	case err != nil:
		return library{checksum: digest.Unknown, err: err}
	case !ok:
		return library{checksum: digest.Absent, err: hierarchy.ErrNotFound}
	}
	data, err := at.Read()
	if err != nil {
		return library{checksum: digest.Unknown, err: err}
	}
	out := library{checksum: digest.Of(data)}
	if jdk {
		out.checksum = ofJDK
	}
	file, err := classfile.Read(data)
	if err == nil {
		out.class, err = hierarchy.Of(file)
	}
	if err != nil {
		out.err = fmt.Errorf("class %s: %w", name, err)
	}
	return out
}

// A Shelf opens the libraries of units and keeps them open until it is closed, because programs of earlier revisions go on asking. Its zero value is empty. It may be used by several
// goroutines at once.
type Shelf struct {
	mu   sync.Mutex
	open map[string]*Libraries
}

// Program makes the program of a unit.
func (s *Shelf) Program(u *Unit) (*Program, error) {
	l, err := s.libraries(u)
	if err != nil {
		return nil, err
	}
	return NewProgram(u.Classes, l)
}

func (s *Shelf) libraries(u *Unit) (*Libraries, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := fmt.Sprint(u.Feature, " ", u.JDK, " ", u.Jars)
	if l := s.open[key]; l != nil {
		return l, nil
	}
	l, err := OpenLibraries(u.Feature, u.JDK, u.Jars...)
	if err != nil {
		return nil, err
	}
	if s.open == nil {
		s.open = map[string]*Libraries{}
	}
	s.open[key] = l
	return l, nil
}

// Close closes all of them.
func (s *Shelf) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, l := range s.open {
		errs = append(errs, l.Close())
	}
	s.open = nil
	return errors.Join(errs...)
}
