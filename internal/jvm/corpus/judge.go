package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classpath"
)

// judge runs the checks over all sources, one after the other, prints a line for each and returns the sum.
func judge(w io.Writer, p *progress, sources []source, checks []check) *tally {
	sum := newTally("total")
	for _, l := range locateAll(sources) {
		t := judgeSource(l, p, checks)
		p.clear()
		t.print(w)
		sum.add(t)
	}
	return sum
}

func judgeSource(l *located, p *progress, checks []check) *tally {
	t := newTally(l.name)
	src, classes, err := l.open()
	if err != nil {
		t.fail(err)
		return t
	}
	for _, v := range judgeAll(src, classes, checks, p.of(l.name, len(classes))) {
		t.count(v)
	}
	if err := src.Close(); err != nil {
		t.fail(err)
	}
	return t
}

// A verdict is what was found out about one class file.
type verdict struct {
	version  int
	size     int
	jsr      bool // has jsr or ret
	failures []error
}

// judgeAll uses all cores. The verdicts are in the order of the classes, so what is printed does not depend on chance.
func judgeAll(src classpath.Source, classes []classpath.Entry, checks []check, step func()) []verdict {
	verdicts := make([]verdict, len(classes))
	var next atomic.Int64
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(classes)); i = next.Add(1) - 1 {
				verdicts[i] = judgeClass(src, classes[i], checks)
				step()
			}
		})
	}
	group.Wait()
	return verdicts
}

func judgeClass(src classpath.Source, e classpath.Entry, checks []check) verdict {
	name := e.Name
	if e.Module != "" {
		name = e.Module + "/" + name
	}
	data, err := src.Read(e)
	if err == nil && len(data) < 8 {
		err = fmt.Errorf("%d bytes are no class file", len(data))
	}
	if err != nil {
		return verdict{failures: []error{fmt.Errorf("%s: %w", name, err)}}
	}
	v := verdict{version: int(binary.BigEndian.Uint16(data[6:])), size: len(data), jsr: hasJsr(data)}
	for _, c := range checks {
		if err := c.guarded(name, data); err != nil {
			v.failures = append(v.failures, fmt.Errorf("%s: %s: %w", c.name, name, err))
		}
	}
	return v
}

// guarded runs a check; a panic is a failure of the class at hand, not the end of the run.
func (c check) guarded(name string, data []byte) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return c.run(name, data)
}

var errFound = errors.New("found")

// hasJsr tells whether a class has a subroutine. Code that cannot be read has none here; the checks say that it cannot.
func hasJsr(data []byte) bool {
	find := check{"jsr", func(_ string, data []byte) error {
		return eachCode(data, func(_ string, code []byte) error {
			var in bytecode.Instruction
			for pc := 0; pc < len(code) && in.Decode(code, pc) == nil; pc += in.Len {
				if in.Op == bytecode.Jsr || in.Op == bytecode.JsrW || in.Op == bytecode.Ret {
					return errFound
				}
			}
			return nil
		})
	}}
	return errors.Is(find.guarded("", data), errFound)
}
