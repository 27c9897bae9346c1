package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// A progress shows on a terminal how far the run is, on one line that is written over. On anything else it shows nothing.
type progress struct {
	mu   sync.Mutex
	w    io.Writer // nil: show nothing
	next time.Time
}

func newProgress(w io.Writer) *progress {
	if f, ok := w.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			return &progress{w: w}
		}
	}
	return &progress{}
}

// of starts a part of the run; the result is called for each of its steps, on any goroutine.
func (p *progress) of(name string, steps int) func() {
	if p.w == nil {
		return func() {}
	}
	done := 0
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		done++
		if now := time.Now(); now.After(p.next) {
			p.next = now.Add(100 * time.Millisecond)
			fmt.Fprintf(p.w, "\r\x1b[K%s %d/%d", name, done, steps)
		}
	}
}

func (p *progress) clear() {
	if p.w != nil {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
