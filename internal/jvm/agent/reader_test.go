package agent

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
)

// readSlowly reads a log that grows in steps of some bytes.
func readSlowly(t testing.TB, plan *Plan, data []byte, step int) (*Trace, *Cut, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "growing.log")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := NewReader(plan, path)
	for part := range slices.Chunk(data, step) {
		r.Read()
		if _, err := f.Write(part); err != nil {
			t.Fatal(err)
		}
	}
	return r.Trace()
}

// checkReader compares what a reader says of a log that grows with what is said of the whole log.
func checkReader(t testing.TB, plan *Plan, l *Log, want *Trace) {
	t.Helper()
	data := l.Append(nil)
	for _, step := range []int{len(data), len(data)/7 + 1} {
		got, cut, err := readSlowly(t, plan, data, step)
		if err != nil || cut != nil {
			t.Fatalf("read in steps of %d bytes: %v, %v", step, err, cut)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("a log that was read in steps of %d bytes has another trace", step)
		}
	}
}

// TestReader: every byte may be the last that is there when the reader looks; definitions may come late; a damaged end is told like by ReadLog; what is no log is an error.
func TestReader(t *testing.T) {
	p, plan := newLife(t, 17)
	log := p.live(plan, "initializes").logs[0]
	want, err := Attribute(plan, log)
	if err != nil {
		t.Fatal(err)
	}
	data := log.Append(nil)
	if got, cut, err := readSlowly(t, plan, data, 97); err != nil || cut != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("in small steps: %v, %v, or another trace", err, cut)
	}

	late := &Log{}
	var definitions []Record
	for _, block := range log.Blocks {
		var others []Record
		for _, r := range block {
			if _, ok := r.(*Define); ok {
				definitions = append(definitions, r)
			} else {
				others = append(others, r)
			}
		}
		if len(others) > 0 {
			late.Blocks = append(late.Blocks, others)
		}
	}
	if len(definitions) == 0 {
		t.Fatal("no definitions")
	}
	late.Blocks = append(late.Blocks, definitions)
	checkReader(t, plan, late, want)

	cut := len(data) - 3
	whole, err := DecodeLog(data[:cut])
	if err != nil {
		t.Fatal(err)
	}
	if _, got, err := readSlowly(t, plan, data[:cut], 1000); err != nil || !reflect.DeepEqual(got, whole.Cut) {
		t.Errorf("cut: %v, %v, want %v", err, got, whole.Cut)
	}
	late.Blocks = late.Blocks[:len(late.Blocks)-1]
	for name, bad := range map[string][]byte{"empty": {}, "no log": []byte("something else"), "another plan": data, "no definitions": late.Append(nil)} {
		of := plan
		if name == "another plan" {
			other := *plan
			other.digest++
			of = &other
		}
		if trace, _, err := readSlowly(t, of, bad, 5000); !errors.Is(err, ErrLog) || trace != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, _, err := NewReader(plan, filepath.Join(t.TempDir(), "gone")).Trace(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// TestRepeats: the next invocation of a method has the same footprint only if nothing tells the two apart.
func TestRepeats(t *testing.T) {
	process := newFootprint("process")
	trace := func(change func(*TestTrace)) *TestTrace {
		of := &TestTrace{Group: "g", Begin: 20, End: 30, Shared: []*Footprint{process}, Own: &Footprint{Methods: []int{1, 2}, Events: []NamedEvent{{FileRead, "p"}}}}
		change(of)
		return of
	}
	last := trace(func(of *TestTrace) { of.Begin, of.End = 10, 20 })
	if !trace(func(*TestTrace) {}).repeats(last) {
		t.Error("two that did the same are told apart")
	}
	for name, change := range map[string]func(*TestTrace){
		"another method":      func(of *TestTrace) { of.Group = "h" },
		"at the same time":    func(of *TestTrace) { of.Begin = 19 },
		"skipped":             func(of *TestTrace) { of.Begin = 0 },
		"another group":       func(of *TestTrace) { of.Shared = []*Footprint{newFootprint("class"), process} },
		"other methods":       func(of *TestTrace) { of.Own.Methods = []int{1, 3} },
		"other events":        func(of *TestTrace) { of.Own.Events = nil },
		"other edges":         func(of *TestTrace) { of.Own.Edges = []int{5} },
		"other receivers":     func(of *TestTrace) { of.Own.Receivers = []Receiver{{}} },
		"other reflection":    func(of *TestTrace) { of.Own.Reflective = []ReflectiveCall{{}} },
		"an open initializer": func(of *TestTrace) { of.Own.Open = true },
	} {
		if trace(change).repeats(last) {
			t.Errorf("%s: taken for the same", name)
		}
	}
}
