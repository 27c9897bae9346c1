package subject

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"winnow/internal/check/pool"
	"winnow/internal/check/rule"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/table"
)

// A Material is one revision as it is inside this process. It must not be changed.
type Material struct {
	Tests     []pool.TestID
	Resources map[string]string
	// Plain is a run of all tests without recording, Recorded one with it.
	Plain, Recorded *pool.Run
	// Detailed: the recorded run has edges, receivers and reflective calls.
	Detailed bool

	program *table.Program
	tracer  *tracer
	jdk     string
	files   map[string][]byte // by internal name
	seen    *seen
}

// trace gives what all in-process subjects share about the tests.
func (m *Material) trace() *tracer {
	if m.tracer == nil {
		m.tracer = newTracer(m)
	}
	return m.tracer
}

// Classes opens the tables of a revision's classes. They are written to a directory that must be empty.
func (m *Material) Classes(ctx context.Context, jdk, dir string, classes map[string][]byte) error {
	for name, data := range classes {
		file := filepath.Join(dir, filepath.FromSlash(name)+".class")
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(file, data, 0o666); err != nil {
			return err
		}
	}
	program, err := table.Open(ctx, table.Options{JDK: jdk, ClassPath: []string{dir}})
	if err != nil {
		return fmt.Errorf("tables of a revision: %w", err)
	}
	m.program, m.jdk, m.files = program, jdk, classes
	return nil
}

// Close releases the tables.
func (m *Material) Close() error {
	if m.program == nil {
		return nil
	}
	return m.program.Close()
}

// failed tells whether a result is a failure.
func failed(r pool.Result) bool { return r != pool.Passed }

// outcomes are those of a run.
func outcomes(run *pool.Run) map[string]rule.Outcome {
	out := map[string]rule.Outcome{}
	for _, o := range run.Outcomes {
		if o.Result != pool.NotRun {
			out[o.Test.String()] = rule.Outcome{Failed: failed(o.Result), State: o.State}
		}
	}
	return out
}

// RetestAll runs every test. It is the baseline of every trial inside the process.
type RetestAll struct{}

// Describe says what it is.
func (RetestAll) Describe() Description {
	return Description{Name: "retest-all", Title: "runs every test", Role: rule.Baseline}
}

// Begin needs nothing.
func (RetestAll) Begin(_ context.Context, lab *Lab) (Session, error) {
	if lab.Material == nil {
		return nil, fmt.Errorf("no material: use a baseline that runs Maven")
	}
	return retesting{lab}, nil
}

type retesting struct{ lab *Lab }

func (s retesting) Step(_ context.Context, r int) (rule.Step, error) {
	m := s.lab.Material[r]
	step := rule.Step{Outcomes: outcomes(m.Plain)}
	step.Selected = step.Executed()
	return step, nil
}

func (s retesting) Close() error { return nil }

// FindTests lists the tests of some classes: public methods without parameters, in the order of their names.
func (m *Material) FindTests(classes []string) ([]pool.TestID, error) {
	var out []pool.TestID
	for _, class := range classes {
		t, err := m.program.Table(class)
		if err != nil {
			return nil, err
		}
		if t == nil {
			continue
		}
		for i := range t.Methods {
			of := &t.Methods[i]
			if of.Access&classfile.Public != 0 && of.Access&classfile.Static == 0 && strings.HasPrefix(of.FileDescriptor, "()") && of.FileName != "<init>" {
				out = append(out, pool.TestID{Class: strings.ReplaceAll(class, "/", "."), Method: of.FileName})
			}
		}
	}
	return out, nil
}
