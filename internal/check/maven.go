package check

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"winnow/internal/check/campaign"
	"winnow/internal/check/cases"
	"winnow/internal/check/defects"
	"winnow/internal/check/rule"
	"winnow/internal/check/subject"
)

// A Builder checks tools that are processes of their own on Maven projects.
type Builder struct {
	// Tools are judged; the baseline is plain Maven.
	Tools []*subject.Tool
	Rules []*rule.Rule
	// Dir is for projects; it must not be below the system's temporary directory, where some tools do not look.
	Dir     string
	Timeout time.Duration
	// Batch is how many programs are modules of one project.
	Batch int
	// Log, if it is given, gets what each tool did as soon as it is known. A campaign that is killed loses what one tool was doing with one batch.
	Log *campaign.Log
	// Keep keeps what tools print.
	Keep string
}

// A MavenProgram is an evolving program whose tests are JUnit's.
type MavenProgram struct {
	Program
	Files subject.Files
	// Same tells for each revision whether it equals the one before.
	Same []bool
	// Reveals are tests that must fail newly at the last revision; otherwise the program says nothing.
	Reveals []string
}

var testMethod = regexp.MustCompile(`(?m)^(\s*)public void (\w+)\(\)`)

// ForMaven makes a program with plain tests one for JUnit 4: public methods without parameters become tests.
func ForMaven(p *Program) *MavenProgram {
	m := &MavenProgram{Program: *p}
	for i := range p.Revisions {
		r := &p.Revisions[i]
		m.Same = append(m.Same, i > 0 && r.Equal(&p.Revisions[i-1]))
		files := map[string]string{}
		for name, text := range r.Sources {
			files["src/main/java/"+name] = text
		}
		for name, text := range r.Resources {
			files["src/main/resources/"+name] = text
		}
		for name, text := range r.Tests {
			if strings.HasSuffix(name, "Test.java") && !strings.Contains(text, "org.junit") {
				text = testMethod.ReplaceAllString(text, "$1@org.junit.Test public void $2()")
			}
			files["src/test/java/"+name] = text
		}
		m.Files.Revisions = append(m.Files.Revisions, files)
	}
	return m
}

// Plan is the work for Maven programs, in batches.
func (b *Builder) Plan(all iter.Seq[*MavenProgram], total int) Plan {
	size := max(b.Batch, 1)
	return Plan{Pieces: (total + size - 1) / size, Work: func(yield func(Work) bool) {
		var batch []*MavenProgram
		n := 0
		flush := func() bool {
			if len(batch) == 0 {
				return true
			}
			mine, number := batch, n
			batch, n = nil, n+1
			return yield(Work{Do: func(ctx context.Context, done func(string) bool, add func(*campaign.Entry) error) error {
				return b.batch(ctx, number, mine, done, add)
			}})
		}
		for p := range all {
			if batch = append(batch, p); len(batch) == size && !flush() {
				return
			}
		}
		flush()
	}}
}

func (b *Builder) batch(ctx context.Context, number int, all []*MavenProgram, done func(string) bool, add func(*campaign.Entry) error) error {
	all = slices.DeleteFunc(slices.Clone(all), func(p *MavenProgram) bool { return done(p.Name) })
	if len(all) == 0 {
		return nil
	}
	dir, err := os.MkdirTemp(b.Dir, fmt.Sprintf("batch%d-*", number))
	if err != nil {
		return err
	}
	tools := append([]*subject.Tool{subject.MavenAll()}, b.Tools...)
	var tried [][][]subject.Timed
	for _, tool := range tools {
		steps, err := b.try(ctx, number, dir, tool, all)
		if err != nil {
			return err
		}
		tried = append(tried, steps)
	}
	for i, p := range all {
		if err := add(b.entry(p, tools, tried, i)); err != nil {
			return err
		}
	}
	return os.RemoveAll(dir)
}

// try runs a tool on the programs of a batch that it was not run on before, and returns its steps on all of them.
func (b *Builder) try(ctx context.Context, number int, dir string, tool *subject.Tool, all []*MavenProgram) ([][]subject.Timed, error) {
	out := make([][]subject.Timed, len(all))
	var left []int
	var files []subject.Files
	for i, p := range all {
		if out[i] = b.known(p.Name, tool.Name); out[i] == nil {
			left, files = append(left, i), append(files, p.Files)
		}
	}
	err := tool.Try(ctx, dir, files, func(w *subject.Workspace) {
		w.Timeout = b.Timeout * time.Duration(len(w.Modules)+2)
		w.Log = b.keep(number)
	}, func(k int, steps []subject.Timed) error {
		out[left[k]] = steps
		return b.note(all[left[k]].Name, tool.Name, steps)
	})
	return out, err
}

// note puts what a tool did on a program into the log, so that it need not be done again.
func (b *Builder) note(program, tool string, steps []subject.Timed) error {
	if b.Log == nil {
		return nil
	}
	t := &campaign.Tried{Program: program, Subject: tool}
	for _, s := range steps {
		t.Steps, t.Millis = append(t.Steps, s.Step), append(t.Millis, s.Took.Milliseconds())
	}
	return b.Log.Try(t)
}

// known is what a tool did on a program according to the log, nil if it does not say.
func (b *Builder) known(program, tool string) (out []subject.Timed) {
	if b.Log == nil {
		return nil
	}
	if t := b.Log.Tried(program, tool); t != nil && len(t.Millis) == len(t.Steps) {
		for r, s := range t.Steps {
			out = append(out, subject.Timed{Step: s, Took: time.Duration(t.Millis[r]) * time.Millisecond})
		}
	}
	return out
}

// keep writes what a tool printed to a file.
func (b *Builder) keep(number int) func(tool string, r int, output []byte) error {
	return func(tool string, r int, output []byte) error {
		if b.Keep == "" {
			return nil
		}
		return os.WriteFile(filepath.Join(b.Keep, fmt.Sprintf("batch%d-%s-%d.log", number, tool, r)), output, 0o666)
	}
}

// entry judges one program of a batch.
func (b *Builder) entry(p *MavenProgram, tools []*subject.Tool, tried [][][]subject.Timed, i int) *campaign.Entry {
	t := &rule.Trial{Program: p.Name, Same: p.Same}
	for k, tool := range tools {
		h := rule.History{Subject: tool.Name, Role: tool.Role, Family: tool.Family}
		for _, s := range tried[k][i] {
			h.Steps = append(h.Steps, s.Step)
		}
		t.Histories = append(t.Histories, h)
	}
	e := b.judge(p, t)
	for k := range e.Subjects {
		for _, s := range tried[k+1][i] {
			e.Subjects[k].Millis = append(e.Subjects[k].Millis, s.Took.Milliseconds())
		}
	}
	e.Constraint, e.Operator = p.Constraint, p.Operator
	if len(e.Violations) > 0 && len(p.Revisions) > 0 {
		text, err := p.Format()
		if err != nil {
			e.Detail = err.Error()
		}
		e.Sources = []campaign.Source{{Rule: e.Violations[0].Rule, Subject: e.Violations[0].Subject, Text: string(text)}}
	}
	return e
}

// judge judges a trial, or says why that makes no sense.
func (b *Builder) judge(p *MavenProgram, t *rule.Trial) *campaign.Entry {
	all := t.Histories[0].Steps
	for r := range all {
		if !all[r].Done() {
			status := campaign.NotCompilable
			if r == 0 {
				status = campaign.BaseNotUsable
			}
			return &campaign.Entry{Program: p.Name, Status: status, Detail: all[r].Crash}
		}
	}
	for _, test := range p.Reveals {
		last := len(all) - 1
		if o, ran := all[last].Outcomes[test]; !ran || !o.Failed || all[0].Outcomes[test].Failed {
			return &campaign.Entry{Program: p.Name, Status: campaign.CannotBeJudged, Detail: test + " does not reveal the bug here"}
		}
	}
	return campaign.Judge(b.Rules, t)
}

// ForDefect makes a bug an evolving program: the fixed revision, again, and the buggy one.
func ForDefect(b *defects.Bug) *MavenProgram {
	m := &MavenProgram{Same: []bool{false, true, false}, Reveals: b.Reveals}
	m.Name, m.Constraint = b.Name, b.Project
	m.Files.Release = 8
	m.Files.Revisions = []map[string]string{b.Fixed, b.Fixed, b.Buggy}
	return m
}

// ForCondition makes a condition an evolving program.
func ForCondition(c *cases.Condition) *MavenProgram {
	m := &MavenProgram{Same: []bool{false, true, false}}
	m.Name, m.Constraint = c.ID, "generality"
	last := maps.Clone(c.Files)
	maps.Copy(last, c.Edit)
	m.Files = subject.Files{
		Revisions: []map[string]string{c.Files, c.Files, last}, Dependencies: c.Dependencies, Surefire: c.Surefire, Build: c.Build, Version: c.Version,
	}
	return m
}
