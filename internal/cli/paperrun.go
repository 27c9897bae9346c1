package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"winnow/internal/digest"
	"winnow/internal/jvm/maven"
	"winnow/internal/jvm/observed"
	"winnow/internal/rts"
	"winnow/internal/vfs"
)

// A paperRun lets a technique of a paper decide about one test execution. What it was told at earlier runs is in files, and is told again.
type paperRun struct {
	paper *paper
	dir   string // where its history is
	units int
	tests []observed.Test // that it was told about
	// unproven are tests that it leaves out though the default would run them.
	unproven []string
}

// byPaper makes the selection of a module by the technique of a paper, if one was asked for. The default's selection is what it is compared with.
func (h *mavenRun) byPaper(ctx context.Context, m *mavenModule) (err error) {
	p := paperNamed(h.flags.technique)
	if p == nil || m.engine.Config.All {
		return nil
	}
	now, err := m.Classes()
	if err != nil {
		return err
	}
	r := &paperRun{paper: p, dir: h.paperDir(p, m.request)}
	var shelf observed.Shelf
	defer func() { err = errors.Join(err, shelf.Close()) }()
	selector, err := r.replay(ctx, &shelf)
	if err != nil {
		return err
	}
	program, err := shelf.Program(now)
	if err != nil {
		return err
	}
	var tests []observed.Test
	for i := range m.sel.Decisions {
		tests = append(tests, m.Observed(m.sel.Decisions[i].Test.ID))
	}
	selected, err := selector.Select(program, tests)
	if err != nil {
		return fmt.Errorf("%s: %w", p.Name, err)
	}
	r.decide(m.sel, selected)
	m.paper = r
	return nil
}

// paperDir is where the history of a technique on an execution is.
func (h *mavenRun) paperDir(p *paper, r *maven.Request) string {
	return filepath.Join(filepath.Dir(h.w.location), "techniques", p.Name, digest.OfString(h.scope(r)).Short())
}

// replay tells a new selector all that happened.
func (r *paperRun) replay(ctx context.Context, shelf *observed.Shelf) (observed.Selector, error) {
	s := r.paper.New()
	for {
		file := r.file()
		u, err := loadUnit(file)
		if errors.Is(err, os.ErrNotExist) {
			return s, nil
		}
		if err == nil {
			err = r.tell(s, u, shelf)
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, fmt.Errorf("%w; remove %s to begin again", err, r.dir)
		}
		r.units++
	}
}

// count finds the number of the next file.
func (r *paperRun) count() {
	for r.units = 0; ; r.units++ {
		if _, err := os.Stat(r.file()); err != nil {
			return
		}
	}
}

func (r *paperRun) file() string { return filepath.Join(r.dir, fmt.Sprintf("%06d.unit", r.units)) }

func (r *paperRun) tell(s observed.Selector, u *observed.Unit, shelf *observed.Shelf) error {
	program, err := shelf.Program(u)
	if err != nil {
		return err
	}
	for _, run := range u.Runs {
		if !slices.Contains(r.tests, run.Test) {
			r.tests = append(r.tests, run.Test)
		}
	}
	if _, err := s.Select(program, r.tests); err != nil { // some note at a selection what the classes are
		return err
	}
	return s.Ran(program, u.Runs)
}

// decide puts the technique's answer in the place of the default's.
func (r *paperRun) decide(sel *rts.Selection, selected observed.Selection) {
	for i := range sel.Decisions {
		d := &sel.Decisions[i]
		reason, ok := selected[string(d.Test.ID)]
		switch {
		case d.Obsolete != "":
		case ok:
			d.Reasons = []rts.Reason{{Code: rts.TechniqueAll, Detail: r.paper.Name + ": " + reason}}
		case d.Selected():
			r.unproven = append(r.unproven, string(d.Test.ID))
			d.Reasons = nil
			d.Proof = &rts.Proof{Unproven: true}
		}
	}
}

// keep adds what ran to the history.
func (r *paperRun) keep(u *observed.Unit) error {
	var b bytes.Buffer
	if err := u.Save(&b); err != nil {
		return err
	}
	if err := os.MkdirAll(r.dir, 0o755); err != nil {
		return err
	}
	return vfs.WriteWhole(r.file(), b.Bytes())
}

// says is what the user must know about the selection.
func (r *paperRun) says(module string) string {
	text := fmt.Sprintf("%s: %s, as its paper has it, decides what runs; it assumes %s", module, r.paper.Name, r.paper.Bias)
	if n := len(r.unproven); n > 0 {
		text += fmt.Sprintf(". It leaves out %s that the default would run: %s", counted(n, "test", "tests"), strings.Join(r.unproven[:min(n, 5)], ", "))
		if n > 5 {
			text += " …"
		}
	}
	return text
}
