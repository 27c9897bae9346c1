package collected

import (
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

// Together is what several tests did.
func Together(runs []observed.Run) *observed.Trace {
	out := &observed.Trace{Detailed: true, Edges: map[observed.Method][]int{}}
	coarse := map[observed.Method]bool{}
	for _, run := range runs {
		t := run.Trace
		out.Entered = append(out.Entered, t.Entered...)
		out.Libraries = append(out.Libraries, t.Libraries...)
		out.Received = append(out.Received, t.Received...)
		out.Reflective = append(out.Reflective, t.Reflective...)
		out.Coarse = append(out.Coarse, t.Coarse...)
		out.Detailed = out.Detailed && t.Detailed
		for m, edges := range t.Edges {
			out.Edges[m] = append(out.Edges[m], edges...)
		}
		for _, m := range t.Coarse {
			coarse[m] = true
		}
	}
	for m := range coarse { // one test without edges makes those of the others incomplete
		delete(out.Edges, m)
	}
	for m, edges := range out.Edges {
		slices.Sort(edges)
		out.Edges[m] = slices.Compact(edges)
	}
	out.Entered, out.Coarse = once(out.Entered), once(out.Coarse)
	slices.Sort(out.Libraries)
	out.Libraries = slices.Compact(out.Libraries)
	return out
}

func once(methods []observed.Method) []observed.Method {
	slices.SortFunc(methods, observed.Method.Compare)
	return slices.Compact(methods)
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
