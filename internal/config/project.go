package config

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"winnow/internal/digest"
	"winnow/internal/engine"
	"winnow/internal/rts"
	"winnow/internal/vfs"
)

// Declare returns the project with what the configuration says of its tests: those that always run, and the inputs that are declared.
// root is the project's root directory. A directory is declared with everything that is below it when the project is opened.
func (c *Config) Declare(p engine.Project, files *vfs.Files, roots vfs.Roots, root string) (engine.Project, error) {
	d := &declared{Project: p, config: c, files: files}
	for _, in := range c.Inputs {
		uses, err := entities(in, roots, root)
		if err != nil {
			return nil, err
		}
		d.inputs = append(d.inputs, uses)
	}
	if finder, ok := p.(engine.Discoverer); ok {
		return finding{d, finder}, nil
	}
	return d, nil
}

// A finding is a declared project that finds tests by running.
type finding struct {
	*declared
	engine.Discoverer
}

// Found marks a test that always runs.
func (f finding) Found(id rts.TestID) rts.Test { return f.mark(f.Discoverer.Found(id)) }

// Concerns asks the project, if it is one that has parts.
func (d *declared) Concerns(e rts.Entity) bool {
	if p, ok := d.Project.(rts.Partial); ok {
		return p.Concerns(e)
	}
	return true
}

// entities lists what one declaration stands for. A directory stands for its listing and everything below it: what appears in it
// changes the listing.
func entities(in Inputs, roots vfs.Roots, root string) ([]rts.Entity, error) {
	var out []rts.Entity
	for _, name := range in.Env {
		out = append(out, rts.Entity{Kind: rts.KindEnv, Name: name})
	}
	for _, rel := range in.Paths {
		path := filepath.Join(root, filepath.FromSlash(rel))
		info, err := os.Stat(path)
		if err != nil || !info.IsDir() {
			kind := rts.KindFile
			if strings.HasSuffix(rel, "/") {
				kind = rts.KindDir
			}
			out = append(out, rts.Entity{Kind: kind, Name: roots.Portable(path)})
			continue
		}
		below, err := tree(path, roots)
		if err != nil {
			return nil, fmt.Errorf("%s: inputs %q: %w", FileName, rel, err)
		}
		out = append(out, below...)
	}
	return out, nil
}

func tree(dir string, roots vfs.Roots) ([]rts.Entity, error) {
	var out []rts.Entity
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		kind := rts.KindFile
		if e.IsDir() {
			kind = rts.KindDir
		}
		out = append(out, rts.Entity{Kind: kind, Name: roots.Portable(path)})
		return nil
	})
	return out, err
}

// A declared is a project with declarations.
type declared struct {
	engine.Project
	config *Config
	files  *vfs.Files
	inputs [][]rts.Entity // parallel to config.Inputs
}

var (
	_ engine.Rechecker = (*declared)(nil)
	_ engine.Requirer  = (*declared)(nil)
)

// Required returns the inputs that are declared for a test (S1.14).
func (d *declared) Required(test rts.TestID) []rts.Entity {
	var out []rts.Entity
	for i, in := range d.config.Inputs {
		if p, _ := d.config.Matching(in.Tests, string(test)); p != "" {
			out = append(out, d.inputs[i]...)
		}
	}
	return out
}

// Tests marks the tests that always run (S1.10).
func (d *declared) Tests() []rts.Test {
	tests := d.Project.Tests()
	out := make([]rts.Test, len(tests))
	for i, t := range tests {
		out[i] = d.mark(t)
	}
	return out
}

func (d *declared) mark(t rts.Test) rts.Test {
	if p, line := d.config.Matching(d.config.Always, string(t.ID)); p != "" {
		t.Always, t.AlwaysWhy = rts.Pinned, fmt.Sprintf("%s:%d always %q", FileName, line, p)
	} else if p, line := d.config.Matching(d.config.Opaque, string(t.ID)); p != "" {
		t.Always, t.AlwaysWhy = rts.Opaque, fmt.Sprintf("%s:%d opaque %q", FileName, line, p)
	}
	return t
}

// Digest answers for files, directories and variables, and asks the project for everything else.
func (d *declared) Digest(e rts.Entity) digest.Digest {
	if d.files.Knows(e.Kind) {
		return d.files.Digest(e)
	}
	return d.Project.Digest(e)
}

// Recheck looks at the files again: tests read them at moments that nobody sees (S1.9).
func (d *declared) Recheck() (rts.Snapshot, error) {
	var inner rts.Snapshot = d.Project
	if _, ok := d.Project.(engine.Rechecker); !ok && len(d.inputs) == 0 {
		return nil, nil // nothing is read at another moment than it is looked at
	}
	if r, ok := d.Project.(engine.Rechecker); ok {
		var err error
		if inner, err = r.Recheck(); err != nil {
			return nil, err
		}
	}
	return rechecked{d.files.Fresh(), inner}, nil
}

type rechecked struct {
	files *vfs.Files
	inner rts.Snapshot
}

func (r rechecked) Digest(e rts.Entity) digest.Digest {
	if r.files.Knows(e.Kind) {
		return r.files.Digest(e)
	}
	return r.inner.Digest(e)
}

// Run adds the declared inputs to what each test used.
func (d *declared) Run(ctx context.Context, tests []rts.TestID, sink engine.Sink) error {
	for _, t := range tests {
		for _, e := range d.Required(t) {
			d.files.Digest(e) // before any test can read it: what is read later is compared with this (S1.9)
		}
	}
	return d.Project.Run(ctx, tests, declaring{sink, d})
}

type declaring struct {
	engine.Sink
	project *declared
}

func (s declaring) Done(r engine.Result) {
	for _, e := range s.project.Required(r.Record.Test) {
		r.Own.Uses = append(r.Own.Uses, rts.Use{Entity: e, Digest: s.project.files.Digest(e)})
	}
	s.Sink.Done(r)
}
