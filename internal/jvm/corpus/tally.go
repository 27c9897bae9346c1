package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// A tally counts what a source had, or all of them together. Printed form:
//
//	junit-3.8       100 classes  versions 45  6 with jsr/ret  161120 bytes  0 failures
type tally struct {
	name     string
	classes  int
	bytes    int64
	versions map[int]int // class files per version
	subs     map[int]int // class files with jsr or ret per version
	failures []error
	sources  int // in a sum
}

func newTally(name string) *tally {
	return &tally{name: name, versions: map[int]int{}, subs: map[int]int{}}
}

func (t *tally) fail(err error) { t.failures = append(t.failures, err) }

func (t *tally) count(v verdict) {
	t.classes++
	t.bytes += int64(v.size)
	t.failures = append(t.failures, v.failures...)
	if v.version > 0 {
		t.versions[v.version]++
	}
	if v.jsr {
		t.subs[v.version]++
	}
}

func (t *tally) add(o *tally) {
	t.sources++
	t.classes += o.classes
	t.bytes += o.bytes
	t.failures = append(t.failures, o.failures...)
	for v, n := range o.versions {
		t.versions[v] += n
	}
	for v, n := range o.subs {
		t.subs[v] += n
	}
}

// demand fails if the sum lacks what the list of artifacts is there for.
func (t *tally) demand() {
	for v := 45; v <= 49; v++ {
		if t.subs[v] == 0 {
			t.fail(fmt.Errorf("no class file of version %d with jsr or ret in %d of that version", v, t.versions[v]))
		}
	}
}

// shown is how many failures of one source are printed.
const shown = 20

func (t *tally) print(w io.Writer) {
	if t.sources > 0 {
		fmt.Fprintf(w, "%s: %d sources, ", t.name, t.sources)
		fmt.Fprintf(w, "%d classes, versions %s, %d with jsr/ret, %d bytes, %d failures\n", t.classes, list(t.versions), t.withJsr(), t.bytes, len(t.failures))
		return
	}
	fmt.Fprintf(w, "%-24s %5d classes  versions %-11s %4d with jsr/ret  %9d bytes  %d failures\n",
		t.name, t.classes, list(t.versions), t.withJsr(), t.bytes, len(t.failures))
	for _, err := range t.failures[:min(shown, len(t.failures))] {
		fmt.Fprintf(w, "    %s\n", strings.ReplaceAll(err.Error(), "\n", "\n    "))
	}
	if n := len(t.failures) - shown; n > 0 {
		fmt.Fprintf(w, "    and %d more\n", n)
	}
}

func (t *tally) withJsr() int {
	n := 0
	for _, k := range t.subs {
		n += k
	}
	return n
}

// list prints versions with commas, and three or more that follow each other as a range: "45-52,55".
func list(versions map[int]int) string {
	var parts []string
	all := slices.Sorted(maps.Keys(versions))
	for i := 0; i < len(all); {
		j := i
		for j+1 < len(all) && all[j+1] == all[j]+1 {
			j++
		}
		if j < i+2 {
			j = i
		}
		part := fmt.Sprint(all[i])
		if j > i {
			part += fmt.Sprintf("-%d", all[j])
		}
		parts = append(parts, part)
		i = j + 1
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ",")
}
