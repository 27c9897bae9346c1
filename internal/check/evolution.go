package check

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"winnow/internal/check/campaign"
	"winnow/internal/check/subject"
	"winnow/internal/vcs"
)

// Histories is the plan for real projects: clones with their histories, whose builds are used as they are, and releases, in directories or published, whose POM is generated. The first revision runs twice.
func (b *Builder) Histories(ctx context.Context, cam *campaign.Campaign, paths []string) (Plan, error) {
	var work []Work
	for _, path := range paths {
		if _, err := os.Stat(filepath.Join(path, ".git")); err == nil {
			h := &gitHistory{builder: b, clone: path, revisions: cam.Revisions, args: cam.Maven}
			work = append(work, Work{Do: h.do})
			continue
		}
		p, err := Releases(path)
		if err != nil {
			return Plan{}, err
		}
		work = append(work, Work{Do: func(ctx context.Context, done func(string) bool, add func(*campaign.Entry) error) error {
			return b.batch(ctx, 0, []*MavenProgram{p}, done, add)
		}})
	}
	for _, r := range cam.Releases {
		work = append(work, Work{Do: func(ctx context.Context, done func(string) bool, add func(*campaign.Entry) error) error {
			if done(r.Artifact) {
				return nil
			}
			p, err := b.published(ctx, r, cam.POMDependencies())
			if err != nil {
				return err
			}
			return b.batch(ctx, 0, []*MavenProgram{p}, done, add)
		}})
	}
	return Plan{Pieces: len(work), Work: slices.Values(work)}, nil
}

// Releases makes an evolving program of a directory with one directory for each release, in the order of their names. A release has src/main/java and src/test/java, as the
// published sources of an artifact and its tests are unpacked. A file dependencies.xml beside them goes into the POM.
func Releases(dir string) (*MavenProgram, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var all []map[string]string
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		files, err := readTree(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		all = append(all, files)
	}
	if len(all) < 2 {
		return nil, fmt.Errorf("%s: want a clone, or two or more directories with releases", dir)
	}
	text, err := os.ReadFile(filepath.Join(dir, "dependencies.xml"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return releases(filepath.Base(dir), all, string(text)), nil
}

// releases makes an evolving program of the files of releases, the first one twice.
func releases(name string, all []map[string]string, dependencies string) *MavenProgram {
	p := &MavenProgram{}
	p.Name, p.Constraint, p.Files.Release, p.Files.Dependencies = name, name, 8, dependencies
	p.Files.Revisions = append([]map[string]string{all[0]}, all...)
	for r := range p.Files.Revisions {
		p.Same = append(p.Same, r == 1)
	}
	return p
}

// readTree reads the files below src.
func readTree(root string) (map[string]string, error) {
	out := map[string]string{}
	err := filepath.WalkDir(filepath.Join(root, "src"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		out[filepath.ToSlash(rel)] = string(data)
		return err
	})
	return out, err
}

// A gitHistory is the last revisions of a clone.
type gitHistory struct {
	builder   *Builder
	clone     string
	revisions int
	args      []string
}

func (h *gitHistory) do(ctx context.Context, done func(string) bool, add func(*campaign.Entry) error) error {
	name := filepath.Base(h.clone)
	if done(name) {
		return nil
	}
	log, err := vcs.Log(ctx, h.clone, h.revisions)
	if err != nil {
		return err
	}
	revs := []string{}
	for _, c := range log {
		revs = append(revs, c.Revision)
	}
	if len(revs) < 2 {
		return add(&campaign.Entry{Program: name, Constraint: name, Status: campaign.BaseNotUsable, Detail: "it has less than two revisions"})
	}
	revs = append([]string{revs[0]}, revs...) // the first one twice
	dir, err := os.MkdirTemp(h.builder.Dir, "history-*")
	if err != nil {
		return err
	}
	tools := append([]*subject.Tool{subject.MavenAll()}, h.builder.Tools...)
	p := &MavenProgram{}
	p.Name, p.Constraint = name, name
	var tried [][][]subject.Timed
	for _, tool := range tools {
		steps := h.builder.known(name, tool.Name)
		if steps == nil {
			if steps, err = h.steps(ctx, filepath.Join(dir, tool.Name), tool, revs); err != nil {
				return err
			}
			if err := h.builder.note(name, tool.Name, steps); err != nil {
				return err
			}
		}
		tried = append(tried, [][]subject.Timed{steps})
	}
	for r := range revs {
		p.Same = append(p.Same, r == 1)
	}
	if err := add(h.builder.entry(p, tools, tried, 0)); err != nil {
		return err
	}
	return os.RemoveAll(dir)
}

// steps runs one tool in a clone of its own.
func (h *gitHistory) steps(ctx context.Context, dir string, tool *subject.Tool, revs []string) ([]subject.Timed, error) {
	if _, err := vcs.Clone(ctx, h.clone, dir); err != nil {
		return nil, err
	}
	w := &subject.Workspace{Dir: dir, Args: h.args, Timeout: h.builder.Timeout * 10, Log: h.builder.keep(0)}
	w.Put = func(ctx context.Context, _ subject.Setup, r int) error { return vcs.Checkout(ctx, dir, revs[r]) }
	steps, err := tool.Steps(ctx, w, len(revs))
	if err != nil {
		return nil, err
	}
	return steps[0], nil
}
