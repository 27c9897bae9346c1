package lower

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"winnow/internal/digest"
	"winnow/internal/jvm/project"
	"winnow/internal/rts"
)

// An Observation is what a real JVM and the product say about a program.
type Observation struct {
	Runs    []ObservedRun
	Flags   map[string]string // by class: done, failed, not; unfit if trying to initialize it had another effect
	Statics map[string]string // by class.field
}

// An ObservedRun is one run of a test.
type ObservedRun struct {
	Raised string // the class of the exception as Java prints it, or "-"
	// Collected are the classes of the program in the test's record, by name, with the entries of their tables; no entries mean the whole class.
	Collected map[string][]uint32
}

// results reads what the driver wrote, by package.
func results(path string) (map[string]*Observation, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	out, err := decodeResults(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return out, nil
}

// resultWords is how many words a line of each kind has.
var resultWords = map[string]int{"run": 4, "class": 4, "static": 5}

func decodeResults(data []byte) (map[string]*Observation, error) {
	out := map[string]*Observation{}
	text, ended := strings.CutSuffix(string(data), "end\n")
	if !ended {
		return nil, errors.New("the driver did not come to its end")
	}
	for line := range strings.Lines(text) {
		words := strings.Split(strings.TrimSuffix(line, "\n"), " ")
		if resultWords[words[0]] != len(words) {
			return nil, fmt.Errorf("the driver wrote %q", line)
		}
		pkg := strings.TrimSuffix(words[1], ".")
		o := out[pkg]
		if o == nil {
			o = &Observation{Flags: map[string]string{}, Statics: map[string]string{}}
			out[pkg] = o
		}
		o.note(words)
	}
	return out, nil
}

func (o *Observation) note(words []string) {
	switch words[0] {
	case "run":
		o.Runs = append(o.Runs, ObservedRun{Raised: words[3]})
	case "class":
		o.Flags[words[2]] = words[3]
	case "static":
		o.Statics[words[2]+"."+strings.TrimPrefix(words[3], "_")] = words[4]
	}
}

// A ledger keeps what the product records.
type ledger struct {
	shared []rts.Footprint
	done   map[rts.TestID]rts.Result
	notRun []rts.TestID
}

func (l *ledger) Shared(f rts.Footprint) int {
	l.shared = append(l.shared, f)
	return len(l.shared) - 1
}

func (l *ledger) Body(digest.Digest, []byte) {}

func (l *ledger) Done(r rts.Result) { l.done[r.Record.Test] = r }

func (l *ledger) NotRun(test rts.TestID, _ string) { l.notRun = append(l.notRun, test) }

// errNoRecord says that the product has no record of a test that can be trusted.
var errNoRecord = errors.New("the product has no complete record")

// collection returns the classes of a package in the record of a test, by their names there, with the entries that were covered.
func (l *ledger) collection(test rts.TestID, pkg string) (map[string][]uint32, error) {
	r, ok := l.done[test]
	if !ok || r.Record.Incomplete {
		return nil, fmt.Errorf("%s: %w", test, errNoRecord)
	}
	out := map[string][]uint32{}
	seen := make([]bool, len(l.shared))
	var add func(f *rts.Footprint)
	add = func(f *rts.Footprint) {
		for _, u := range f.Uses {
			if name, ok := strings.CutPrefix(u.Entity.Name, pkg+"/"); ok && u.Entity.Kind == project.Class {
				out[name] = append(out[name], u.Entries...)
			}
		}
		for _, i := range f.Includes {
			if !seen[i] {
				seen[i] = true
				add(&l.shared[i])
			}
		}
	}
	add(&r.Own)
	return out, nil
}
