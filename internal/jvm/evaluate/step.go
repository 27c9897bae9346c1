package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// A step is one run and what is kept of it.
type step struct {
	finished
	Revision string              `json:"revision"`
	Outcomes outcomes            `json:"outcomes,omitempty"`
	Sessions map[string][]string `json:"sessions,omitempty"` // under the judge: outermost classes by session
	Winnow   string              `json:"winnow,omitempty"`   // digest of the program that was judged
	Says     *statement          `json:"says,omitempty"`     // what Winnow said
	Audit    *audit              `json:"audit,omitempty"`
	Broken   bool                `json:"broken,omitempty"` // the revision cannot be built
	Again    int                 `json:"again,omitempty"`  // under the judge: test classes that were run
}

// A statement is what Winnow printed as JSON, as far as it is compared with what happened.
type statement struct {
	Error  string `json:"error"`
	Totals struct {
		Tests    int `json:"tests"`
		Selected int `json:"selected"`
		Executed int `json:"executed"`
	} `json:"totals"`
	Modules []struct {
		Module  string `json:"module"`
		Verdict string `json:"verdict"`
		Why     reason `json:"why"`
	} `json:"modules"`
	Tests   []told   `json:"tests"`
	Notices []string `json:"notices"`
}

// A told test is one that Winnow selected. Tests that were left out are not kept.
type told struct {
	ID       string   `json:"id"`
	Selected bool     `json:"selected"`
	Reasons  []reason `json:"reasons"`
}

type reason struct {
	Code string `json:"code"`
	Kind string `json:"kind,omitempty"`
	Name string `json:"name,omitempty"`
}

// An audit is what Winnow's own mutation run said.
type audit struct {
	Tried []mutant `json:"tried"`
}

type mutant struct {
	Name   string `json:"mutant"`
	Status string `json:"status"` // unbuildable, all-selected, missed, timed-out, killed, survived
	Missed []struct {
		Test string `json:"test"`
	} `json:"missed,omitempty"`
}

// add takes in another batch. A mutant that was drawn twice is counted once.
func (a *audit) add(b *audit) {
	for _, m := range b.Tried {
		if !slices.ContainsFunc(a.Tried, func(was mutant) bool { return was.Name == m.Name }) {
			a.Tried = append(a.Tried, m)
		}
	}
}

// count is the number of mutants with one of the statuses.
func (a *audit) count(statuses ...string) int {
	n := 0
	for _, m := range a.Tried {
		if slices.Contains(statuses, m.Status) {
			n++
		}
	}
	return n
}

// misses names the mutants with a killing test that was not selected.
func (a *audit) misses() []string {
	var all []string
	for _, m := range a.Tried {
		for _, test := range m.Missed {
			all = append(all, fmt.Sprintf("mutant %s: %s was not selected", m.Name, test.Test))
		}
		if m.Status == "missed" && len(m.Missed) == 0 {
			all = append(all, "mutant "+m.Name)
		}
	}
	return all
}

func readStatement(file string) (*statement, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var s statement
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, fmt.Errorf("what winnow printed, %s: %w", file, err)
	}
	selected := s.Tests[:0]
	for _, t := range s.Tests {
		if t.Selected {
			selected = append(selected, t)
		}
	}
	s.Tests = selected
	return &s, nil
}

// readAudit reads what winnow audit printed.
func readAudit(file string) (*audit, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var a audit
	if err := json.Unmarshal(data, &a); err != nil {
		return nil, fmt.Errorf("what winnow audit printed, %s: %w", file, err)
	}
	if len(a.Tried) == 0 {
		return nil, fmt.Errorf("what winnow audit printed, %s: no mutants", file)
	}
	return &a, nil
}

// load returns a step that was done earlier, nil if it was not.
func load(file string) (*step, error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var s step
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, fmt.Errorf("%s: %w; remove it to repeat the step", file, err)
	}
	return &s, nil
}

// save writes a step whole or not at all.
func (s *step) save(file string) error {
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(file+".part", data, 0o666); err != nil {
		return err
	}
	return os.Rename(file+".part", file)
}
