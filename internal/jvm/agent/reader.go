package agent

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
)

// A Reader attributes a log while it is written, so that little is left to do when the process ends.
type Reader struct {
	path string
	a    *attribution
	at   int64    // where the next block begins
	wait []Record // records that name a class whose definition has not come yet, and all behind them
	cut  *Cut
	err  error // what makes the log useless
}

// NewReader returns a reader that has read nothing.
func NewReader(p *Plan, path string) *Reader {
	a, err := newAttribution(p)
	return &Reader{path: path, a: a, err: err}
}

// Read reads what was written since it was called last, as far as it is whole. What goes wrong is told by Trace.
func (r *Reader) Read() {
	if r.a == nil || r.a.trace.Finished { // no more comes
		return
	}
	if r.take() == nil {
		r.work(false)
	}
}

// Trace reads the rest of the log of a process that has ended, and says what each test did. Cut is where the log stops to be readable, nil if it is whole.
func (r *Reader) Trace() (*Trace, *Cut, error) {
	if err := r.take(); err != nil {
		return nil, nil, err
	}
	if r.at == 0 {
		r.err = errNotLog
	}
	trace, err := r.finish()
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", r.path, err)
	}
	return trace, r.cut, nil
}

// finish takes in all records that are left.
func (r *Reader) finish() (*Trace, error) {
	r.work(true)
	if r.err == nil {
		r.err = r.a.finish()
	}
	if r.err != nil {
		return nil, r.err
	}
	return r.a.trace, nil
}

// Defined lists the classes that were defined with probes, as far as the log was read: see Trace.
func (r *Reader) Defined() []int {
	if r.a == nil {
		return nil
	}
	return r.a.trace.Defined
}

// take reads the blocks that are whole. An error means that the file cannot be read now.
func (r *Reader) take() error {
	f, err := os.Open(r.path)
	if err != nil {
		return err
	}
	defer f.Close()
	data, err := io.ReadAll(io.NewSectionReader(f, r.at, math.MaxInt64-r.at))
	if err != nil {
		return err
	}
	if r.at == 0 {
		if len(data) < len(logMagic) {
			return nil // perhaps there will be more
		}
		if string(data[:len(logMagic)]) != logMagic {
			r.err = errNotLog
			return nil
		}
		r.at, data = int64(len(logMagic)), data[len(logMagic):]
	}
	r.cut = nil
	for len(data) > 0 {
		records, n, reason := decodeBlock(data)
		if reason != "" {
			r.cut = &Cut{Offset: int(r.at), Lost: len(data), Reason: reason}
			return nil
		}
		r.add(records)
		r.at, data = r.at+int64(n), data[n:]
	}
	return nil
}

// add adds the records of a block. The definitions among them are taken in before anything else.
func (r *Reader) add(records []Record) {
	r.wait = append(r.wait, records...)
	for _, rec := range records {
		if d, ok := rec.(*Define); ok && r.err == nil {
			if err := r.a.define(d); err != nil {
				r.err = fmt.Errorf("attribute: %w", err)
			}
		}
	}
}

// work takes in the records. A class may be initialized, by another thread, before its definition is noted: then the rest waits, unless all is there.
func (r *Reader) work(all bool) {
	if r.err != nil {
		return
	}
	done := 0
	for _, rec := range r.wait {
		err := r.a.record(rec)
		if errors.Is(err, errUndefined) && !all {
			break
		}
		if err != nil {
			r.err = fmt.Errorf("attribute: %w", err)
			return
		}
		done++
	}
	r.wait = append(r.wait[:0], r.wait[done:]...)
}
