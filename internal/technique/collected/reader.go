package collected

import (
	"cmp"
	"maps"
	"slices"

	"winnow/internal/digest"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/observed"
)

// A Reader answers questions about one program, and remembers the answers. It is not safe for concurrent use.
type Reader struct {
	program *observed.Program
	bodies  map[observed.Method]*body
	above   map[string][]string
	missing map[string]bool
	jdk     digest.Digest // of every class of the JDK
}

// NewReader makes a reader.
func NewReader(p *observed.Program) *Reader {
	return &Reader{program: p, bodies: map[observed.Method]*body{}, above: map[string][]string{}, missing: map[string]bool{}, jdk: p.Checksum(object)}
}

const object = "java/lang/Object"

// Program is what the reader reads.
func (r *Reader) Program() *observed.Program { return r.program }

// Above are a class, which may be one that does not exist, and its supertypes, without those of the JDK. It is sorted.
func (r *Reader) Above(class string) []string {
	if known, ok := r.above[class]; ok {
		return known
	}
	out := map[string]bool{}
	for todo := []string{class}; len(todo) > 0; todo = todo[1:] {
		if name := todo[0]; !out[name] && name != "" && r.program.Checksum(name) != r.jdk {
			out[name] = true
			todo = append(todo, r.supertypes(name)...)
		}
	}
	r.above[class] = slices.Sorted(maps.Keys(out))
	return r.above[class]
}

// Missing tells whether there is no such class.
func (r *Reader) Missing(class string) bool {
	missing, ok := r.missing[class]
	if !ok {
		missing = class != "" && r.program.Checksum(class) == digest.Absent
		r.missing[class] = missing
	}
	return missing
}

// supertypes are the direct ones of an internal class, and all of a library's. One that cannot be loaded has a checksum that says so.
func (r *Reader) supertypes(class string) []string {
	if c := r.program.Class(class); c != nil {
		return append(c.File.InterfaceNames(), c.File.SuperName())
	}
	above, err := r.program.World().Supertypes(class)
	if err != nil {
		return nil
	}
	return above
}

// Together is what several tests did. Everything is once in it, because many tests of a class do the same.
func Together(runs []observed.Run) *observed.Trace {
	if len(runs) == 1 {
		return runs[0].Trace
	}
	out := &observed.Trace{Detailed: true, Edges: map[observed.Method][]int{}}
	entered, coarse := map[observed.Method]bool{}, map[observed.Method]bool{}
	libraries, received, reflective := map[string]bool{}, map[observed.Received]bool{}, map[observed.Call]bool{}
	for _, run := range runs {
		t := run.Trace
		out.Detailed = out.Detailed && t.Detailed
		note(entered, t.Entered)
		note(coarse, t.Coarse)
		note(libraries, t.Libraries)
		note(received, t.Received)
		note(reflective, t.Reflective)
		for m, edges := range t.Edges {
			out.Edges[m] = append(out.Edges[m], edges...)
		}
	}
	for m, edges := range out.Edges {
		slices.Sort(edges)
		out.Edges[m] = slices.Compact(edges)
		if coarse[m] { // one test without edges makes those of the others incomplete
			delete(out.Edges, m)
		}
	}
	out.Entered = slices.SortedFunc(maps.Keys(entered), observed.Method.Compare)
	out.Coarse = slices.SortedFunc(maps.Keys(coarse), observed.Method.Compare)
	out.Libraries = slices.Sorted(maps.Keys(libraries))
	out.Received = slices.SortedFunc(maps.Keys(received), func(a, b observed.Received) int {
		return cmp.Or(a.Method.Compare(b.Method), cmp.Compare(a.Type, b.Type))
	})
	out.Reflective = slices.SortedFunc(maps.Keys(reflective), func(a, b observed.Call) int { return cmp.Or(a.From.Compare(b.From), a.To.Compare(b.To)) })
	return out
}

func note[T comparable](set map[T]bool, list []T) {
	for _, x := range list {
		set[x] = true
	}
}

// Static tells whether a method is static.
func Static(p *observed.Program, m observed.Method) bool {
	c := p.Class(m.Class)
	if c == nil {
		return false
	}
	for i := range c.Canon.Methods {
		if of := &c.Canon.Methods[i]; of.FileName == m.Name && of.FileDescriptor == m.Descriptor {
			return of.Access&classfile.Static != 0
		}
	}
	return false
}
