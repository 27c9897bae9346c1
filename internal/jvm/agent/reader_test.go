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

// TestRepeats: a test has the footprint of the one before only if it is another invocation of the same method, in the same groups and after it.
func TestRepeats(t *testing.T) {
	class := &state{TestTrace: &TestTrace{Node: Node{Kind: 0, Key: "[engine:x]/[class:c]"}}}
	template := &state{TestTrace: &TestTrace{Node: Node{Key: "[engine:x]/[class:c]/[template:m]", Method: "m()"}}, parent: class}
	test := func(change func(*state)) *state {
		of := &state{TestTrace: &TestTrace{Node: Node{Kind: IsTest, Key: template.Key + "/[2]", Method: "m()"}, Begin: 10}, parent: template, ended: true}
		change(of)
		return of
	}
	same := func(*state) {}
	if !test(same).repeats(test(same)) {
		t.Error("two invocations are told apart")
	}
	alone := func(method string) func(*state) {
		return func(of *state) { of.parent, of.Key, of.Method = class, class.Key+"/[method:"+method+"]", method }
	}
	if !test(alone("m()")).repeats(test(alone("m()"))) {
		t.Error("a test that is repeated is told apart")
	}
	container := &state{TestTrace: &TestTrace{Node: Node{Key: template.Key + "/[container]", Method: "m()"}}, parent: template}
	within := func(kind Kind, parent *state) func(*state) {
		return func(of *state) { of.Framework, of.Kind, of.parent = JUnitPlatform, kind, parent }
	}
	for name, of := range map[string][2]func(*state){
		"a container behind an invocation":            {within(0, template), within(IsTest, template)},
		"an invocation in another container":          {within(IsTest, container), within(IsTest, template)},
		"a container behind one of another container": {within(0, template), within(IsTest, container)},
	} {
		if !test(of[0]).repeats(test(of[1])) {
			t.Errorf("%s: told apart", name)
		}
	}
	inner := func(of *state) { within(IsTest, container)(of); of.Flags = Inner }
	for name, of := range map[string][2]func(*state){
		"of an engine inside": {inner, within(IsTest, template)},
		"another method":      {alone("m()"), alone("n()")},
		"another template":    {same, func(of *state) { of.parent = &state{TestTrace: template.TestTrace, parent: class} }},
		"at the same time":    {same, func(of *state) { of.ended = false }},
		"skipped":             {same, func(of *state) { of.Begin = 0 }},
		"another group":       {same, func(of *state) { of.around = []*state{class} }},
		"no test":             {func(of *state) { of.Kind = 0 }, same},
	} {
		if test(of[0]).repeats(test(of[1])) {
			t.Errorf("%s: taken for the same", name)
		}
	}
}
