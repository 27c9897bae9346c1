package instrument

import (
	"fmt"
	"sync"

	"winnow/internal/jvm/classfile"
)

// A Rewriter rewrites classes by a scheme. It may be used from several goroutines.
type Rewriter struct {
	scheme  Scheme
	hooks   map[string][]int // by class: indices into scheme.Hooks
	buffers sync.Pool
}

// New makes a rewriter.
func New(s Scheme) (*Rewriter, error) {
	s = s.withDefaults()
	if err := s.check(); err != nil {
		return nil, err
	}
	r := &Rewriter{scheme: s, hooks: map[string][]int{}}
	for i, h := range s.Hooks {
		r.hooks[h.Class] = append(r.hooks[h.Class], i)
	}
	return r, nil
}

// Rewrite rewrites a class file. The result shares memory with data, which must not change afterwards. The ids start at 0.
func (r *Rewriter) Rewrite(data []byte) (*Result, error) {
	c, err := classfile.Read(data)
	if err != nil {
		return nil, err
	}
	if c.Name() == r.scheme.Class {
		return nil, fmt.Errorf("instrument: %s is the probe class itself", r.scheme.Class)
	}
	j := &job{Rewriter: r, class: c, data: data, result: &Result{Name: c.Name(), Bytes: data}}
	j.plan()
	buf, _ := r.buffers.Get().(*[]byte)
	if buf == nil {
		buf = new([]byte)
	}
	j.out = (*buf)[:0]
	start := poolEnd(c, data)
	j.rewriteMethods(start)
	if j.edges > 0 {
		j.result.IDs = len(j.methods) + j.edges
	}
	if j.inserted {
		j.assemble(start)
	}
	*buf = j.out
	r.buffers.Put(buf)
	return j.result, nil
}

// poolEnd is the offset of what follows the constant pool: everything else has a known length.
func poolEnd(c *classfile.Class, data []byte) int {
	n := 6 + 2 + 2*len(c.Interfaces) + attributesLength(c.Attributes)
	for _, members := range [2][]classfile.Member{c.Fields, c.Methods} {
		n += 2
		for i := range members {
			n += 6 + attributesLength(members[i].Attributes)
		}
	}
	return len(data) - n
}

func attributesLength(attributes []classfile.Attribute) int {
	n := 2
	for i := range attributes {
		n += 6 + len(attributes[i].Info)
	}
	return n
}
