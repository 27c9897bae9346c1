package pool

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"testing"
)

// FuzzAnswer reads what a host might send: no bytes may lead to a panic, to methods that do not exist, or to an outcome without a test.
func FuzzAnswer(f *testing.F) {
	var good []byte
	put := func(numbers ...uint32) {
		for _, n := range numbers {
			good = binary.BigEndian.AppendUint32(good, n)
		}
	}
	put(saysReturned, 0, 0, 0, 2, 0, 1, 0, 1, 1, 0, 1, 1, 0) // returned, unit 0, two hits, no event, one window
	put(saysThrew, 0, 0, 0, 0, 0, 0)
	put(0, 0)
	f.Add(good)
	f.Add(good[:20])
	f.Add([]byte{255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, data []byte) {
		job := &Job{Tests: tests("t.T", "a", "b"), Record: true}
		c := &code{methods: []Method{{"p/A", "m", "()V"}, {"p/A", "<clinit>", "()V"}}, inits: map[int]string{1: "p/A"}}
		run := &Run{Outcomes: make([]Outcome, 2)}
		r := reader{job: job, code: c, run: run}
		a := &answer{in: bufio.NewReader(bytes.NewReader(data))}
		r.read(a)
		if a.err == nil && r.done != 2 {
			t.Errorf("%d outcomes without an error", r.done)
		}
		r.died()
		for i := range run.Outcomes {
			o := &run.Outcomes[i]
			if i < r.done && (o.Own == nil || o.Unit >= len(run.Units)) {
				t.Errorf("outcome %d: %+v of %d units", i, o, len(run.Units))
			}
		}
	})
}

func TestAnswer(t *testing.T) {
	a := &answer{in: bufio.NewReader(bytes.NewReader([]byte{0, 0, 0, 3, 'a', 'b', 'c', 0xff, 0xff, 0xff, 0xff}))}
	if s := a.text(); s != "abc" || a.err != nil {
		t.Errorf("%q, %v", s, a.err)
	}
	if a.bytes() != nil || a.err == nil {
		t.Error("a negative length is accepted")
	}
}
