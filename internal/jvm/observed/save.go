package observed

import (
	"compress/gzip"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"slices"

	"winnow/internal/jvm/classfile"
)

// A Unit is one test execution at one revision: all classes and all tests, as they are kept for later.
type Unit struct {
	// Classes are the internal class files, by internal name.
	Classes map[string][]byte
	// JDK is the home of the JVM, Feature its version, Jars the rest of the class path.
	JDK     string
	Feature int
	Jars    []string
	Runs    []Run
}

// Add adds a class file under the name by which loaders ask for it. One that holds a class of another name is none that a loader defines, such as META-INF/versions/9/module-info in a directory.
func (u *Unit) Add(name string, data []byte) {
	if c, err := classfile.Read(data); err == nil && c.Name() != name {
		return
	}
	u.Classes[name] = data
}

// format is the first thing in a file.
const format = "winnow observed 1"

// saved is a unit as it is in a file: methods and classes are numbers of lists, because each of them is in many traces.
type saved struct {
	Format  string
	Classes map[string][]byte
	JDK     string
	Feature int
	Jars    []string
	Methods []Method
	Names   []string
	Runs    []savedRun
}

type savedRun struct {
	Test       Test
	Passed     bool
	Seconds    float64
	Detailed   bool
	Entered    []uint32
	Libraries  []uint32
	EdgesOf    []uint32 // methods, in the order of Edges
	Edges      [][]uint32
	Received   [][2]uint32 // method, name
	Reflective [][2]uint32 // methods
	Coarse     []uint32
}

// Save writes a unit.
func (u *Unit) Save(w io.Writer) error {
	s := &saver{methods: map[Method]uint32{}, names: map[string]uint32{}}
	s.out = saved{Format: format, Classes: u.Classes, JDK: u.JDK, Feature: u.Feature, Jars: u.Jars}
	for i := range u.Runs {
		s.run(&u.Runs[i])
	}
	z := gzip.NewWriter(w)
	return errors.Join(gob.NewEncoder(z).Encode(&s.out), z.Close())
}

type saver struct {
	out     saved
	methods map[Method]uint32
	names   map[string]uint32
}

func number[T comparable](known map[T]uint32, list *[]T, x T) uint32 {
	n, ok := known[x]
	if !ok {
		n = uint32(len(*list))
		known[x] = n
		*list = append(*list, x)
	}
	return n
}

func (s *saver) method(m Method) uint32 { return number(s.methods, &s.out.Methods, m) }
func (s *saver) name(n string) uint32   { return number(s.names, &s.out.Names, n) }

func (s *saver) run(r *Run) {
	t := r.Trace
	out := savedRun{Test: r.Test, Passed: r.Passed, Seconds: r.Seconds, Detailed: t.Detailed}
	for _, m := range t.Entered {
		out.Entered = append(out.Entered, s.method(m))
		if edges := t.Edges[m]; len(edges) > 0 {
			out.EdgesOf = append(out.EdgesOf, s.method(m))
			list := make([]uint32, len(edges))
			for i, e := range edges {
				list[i] = uint32(e)
			}
			out.Edges = append(out.Edges, list)
		}
	}
	for _, n := range t.Libraries {
		out.Libraries = append(out.Libraries, s.name(n))
	}
	for _, x := range t.Received {
		out.Received = append(out.Received, [2]uint32{s.method(x.Method), s.name(x.Type)})
	}
	for _, c := range t.Reflective {
		out.Reflective = append(out.Reflective, [2]uint32{s.method(c.From), s.method(c.To)})
	}
	for _, m := range t.Coarse {
		out.Coarse = append(out.Coarse, s.method(m))
	}
	s.out.Runs = append(s.out.Runs, out)
}

// ErrFormat is wrapped by the error about a file that Save did not write.
var ErrFormat = errors.New("not a file of observations of this version")

// Load reads a unit.
func Load(r io.Reader) (*Unit, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	var s saved
	if err := gob.NewDecoder(z).Decode(&s); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	if _, err := io.Copy(io.Discard, z); err != nil { // the checksum is at the end
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	if s.Format != format {
		return nil, fmt.Errorf("%w: %q", ErrFormat, s.Format)
	}
	u := &Unit{Classes: s.Classes, JDK: s.JDK, Feature: s.Feature, Jars: s.Jars}
	l := &loader{in: &s}
	for i := range s.Runs {
		u.Runs = append(u.Runs, l.run(&s.Runs[i]))
	}
	if l.bad {
		return nil, fmt.Errorf("%w: a number has no name", ErrFormat)
	}
	return u, nil
}

type loader struct {
	in  *saved
	bad bool
}

func (l *loader) method(n uint32) Method {
	if int(n) >= len(l.in.Methods) {
		l.bad = true
		return Method{}
	}
	return l.in.Methods[n]
}

func (l *loader) methods(list []uint32) []Method {
	var out []Method
	for _, n := range list {
		out = append(out, l.method(n))
	}
	return out
}

func (l *loader) name(n uint32) string {
	if int(n) >= len(l.in.Names) {
		l.bad = true
		return ""
	}
	return l.in.Names[n]
}

func (l *loader) run(r *savedRun) Run {
	t := &Trace{Detailed: r.Detailed, Entered: l.methods(r.Entered), Coarse: l.methods(r.Coarse)}
	for _, n := range r.Libraries {
		t.Libraries = append(t.Libraries, l.name(n))
	}
	if l.bad = l.bad || len(r.EdgesOf) != len(r.Edges); l.bad {
		return Run{}
	}
	if t.Detailed {
		t.Edges = map[Method][]int{}
	}
	for i, of := range r.EdgesOf {
		list := make([]int, len(r.Edges[i]))
		for k, e := range r.Edges[i] {
			list[k] = int(e)
		}
		slices.Sort(list)
		if t.Edges == nil {
			l.bad = true
			return Run{}
		}
		t.Edges[l.method(of)] = list
	}
	for _, x := range r.Received {
		t.Received = append(t.Received, Received{l.method(x[0]), l.name(x[1])})
	}
	for _, c := range r.Reflective {
		t.Reflective = append(t.Reflective, Call{l.method(c[0]), l.method(c[1])})
	}
	return Run{Test: r.Test, Passed: r.Passed, Seconds: r.Seconds, Trace: t}
}
