package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"winnow/internal/config"
	"winnow/internal/engine"
	"winnow/internal/jvm/project"
	"winnow/internal/rts"
	"winnow/internal/safety"
	"winnow/internal/sheet"
	"winnow/internal/store"
	"winnow/internal/technique"
	"winnow/internal/technique/cells"
	"winnow/internal/technique/methods"
	"winnow/internal/technique/retestall"
	"winnow/internal/technique/testtube"
	"winnow/internal/vcs"
	"winnow/internal/vfs"
)

// sheetKind is the kind of a project of spreadsheets.
const sheetKind = "sheet"

// A kind is a sort of project that can be recognised. One without open cannot be tested yet.
type kind struct {
	name, says string
	// find returns what shows that there is such a project, relative to the root.
	find func(root string, cfg *config.Config) ([]string, error)
	// supported tells whether winnow can test it.
	supported bool
}

var kinds = []kind{
	{sheetKind, "spreadsheets (NAME.tests beside NAME.xlsx)", findSheets, true},
	{mavenKind, "Maven (pom.xml)", findFile("pom.xml"), true},
	{"gradle", "Gradle (build.gradle, build.gradle.kts)", findFile("build.gradle", "build.gradle.kts"), false},
	{"go", "Go modules (go.mod)", findFile("go.mod"), false},
}

func findSheets(root string, cfg *config.Config) ([]string, error) {
	return sheet.Find(root, cfg.Ignores)
}

func findFile(names ...string) func(string, *config.Config) ([]string, error) {
	return func(root string, cfg *config.Config) ([]string, error) {
		var found []string
		for _, n := range names {
			_, err := os.Stat(filepath.Join(root, n))
			switch {
			case err == nil && !cfg.Ignores(n):
				found = append(found, n)
			case err != nil && !errors.Is(err, fs.ErrNotExist):
				return nil, err
			}
		}
		return found, nil
	}
}

// A workspace is an opened project with everything that a command needs.
type workspace struct {
	root, shown string
	kind        string
	cfg         *config.Config
	sheets      *sheet.Project
	project     engine.Project
	store       *store.Store
	location    string
	notices     []string
	unstored    bool // there is no store, and none can be made
}

func (w *workspace) close() error {
	if w.store == nil {
		return nil
	}
	return w.store.Close()
}

// locate finds the root: what --project says, else the nearest directory upwards that is marked as one, else here. A repository, or a directory where only other things of Winnow's are, may have its
// project further down: then it is the outermost directory with a POM on the way.
func (a *app) locate() (string, error) {
	if a.flags.project != "" {
		root := a.flags.project
		if !filepath.IsAbs(root) {
			root = filepath.Join(a.Dir, root)
		}
		info, err := os.Stat(root)
		if err != nil || !info.IsDir() {
			return "", usage("--project %s: there is no such directory", a.flags.project)
		}
		return filepath.Clean(root), nil
	}
	below := ""
	for dir := a.Dir; ; dir = filepath.Dir(dir) {
		has := func(name ...string) bool {
			_, err := os.Stat(filepath.Join(dir, filepath.Join(name...)))
			return err == nil
		}
		if has("pom.xml") {
			below = dir
		}
		switch {
		case has(config.FileName), has(storeDir, storeFile):
			return dir, nil
		case has(storeDir), has(".git"):
			return cmp.Or(below, dir), nil
		case dir == filepath.Dir(dir):
			return a.Dir, nil
		}
	}
}

// open finds the project and reads it.
func (a *app) open(ctx context.Context) (*workspace, error) {
	w, err := a.openRoot()
	if err != nil {
		return nil, err
	}
	if err := a.openProject(w); err != nil {
		return nil, err
	}
	if err := a.openStore(ctx, w); err != nil {
		return nil, err
	}
	return w, nil
}

// openRoot finds the root and reads its configuration.
func (a *app) openRoot() (*workspace, error) {
	root, err := a.locate()
	if err != nil {
		return nil, err
	}
	cfg, err := config.Load(filepath.Join(root, config.FileName))
	if err != nil {
		return nil, &fault{ExitUsage, err}
	}
	shown := root
	if rel, err := filepath.Rel(a.Dir, root); err == nil && !strings.HasPrefix(rel, "..") {
		shown = rel
	}
	return &workspace{root: root, shown: filepath.ToSlash(shown), cfg: cfg}, nil
}

// openProject decides which kind of project this is and reads it.
func (a *app) openProject(w *workspace) error {
	found, err := a.recognise(w)
	if err != nil {
		return err
	}
	switch w.kind {
	case mavenKind:
		return nil // its tests are known when it is built
	case sheetKind:
		p, err := sheet.Open(w.root, found)
		if err != nil {
			return &fault{ExitProject, err}
		}
		w.sheets = p
		roots := rootsOf(w.root)
		w.project, err = w.cfg.Declare(p, vfs.NewFiles(roots), roots, w.root)
		if err != nil {
			return &fault{ExitProject, err}
		}
		var names []string
		for _, t := range p.Tests() {
			names = append(names, string(t.ID))
		}
		w.notices = append(w.notices, w.cfg.Idle(names)...)
		return nil
	}
	return usage("%s: projects of kind %s cannot be tested yet", w.shown, w.kind)
}

// recognise finds out the kind, and returns what shows it.
func (a *app) recognise(w *workspace) ([]string, error) {
	type finding struct {
		kind  kind
		found []string
	}
	var hits []finding
	for _, k := range kinds {
		if a.flags.kind != "" && k.name != a.flags.kind {
			continue
		}
		found, err := k.find(w.root, w.cfg)
		if err != nil {
			return nil, &fault{ExitProject, err}
		}
		if len(found) > 0 {
			hits = append(hits, finding{k, found})
		}
	}
	if able := slices.IndexFunc(hits, func(f finding) bool { return f.kind.supported }); able >= 0 && !slices.ContainsFunc(hits[able+1:], func(f finding) bool { return f.kind.supported }) {
		hits = hits[able : able+1] // what cannot be tested yet does not stand in the way
	}
	switch len(hits) {
	case 1:
		w.kind = hits[0].kind.name
		if real, err := filepath.EvalSymlinks(w.root); err == nil && w.kind == mavenKind {
			w.root = real // Maven names directories so
		}
		return hits[0].found, nil
	case 0:
		return nil, a.nothingHere(w)
	}
	var b strings.Builder
	for _, h := range hits {
		note := ""
		if !h.kind.supported {
			note = ", which cannot be tested yet"
		}
		fmt.Fprintf(&b, "\n  --kind %-7s %s%s: %s", h.kind.name, h.kind.says, note, some(h.found))
	}
	return nil, usage("%s has several kinds of project; choose one:%s", w.shown, b.String())
}

func (a *app) nothingHere(w *workspace) error {
	var b strings.Builder
	for _, k := range kinds {
		if a.flags.kind == "" || a.flags.kind == k.name {
			fmt.Fprintf(&b, "\n  %s", k.says)
		}
	}
	if b.Len() == 0 {
		var names []string
		for _, k := range kinds {
			names = append(names, k.name)
		}
		msg := fmt.Sprintf("--kind %s is not known; known are %s", a.flags.kind, strings.Join(names, ", "))
		if near := config.Nearest(a.flags.kind, names); near != "" {
			msg += fmt.Sprintf("; did you mean %s?", near)
		}
		return usage("%s", msg)
	}
	return usage("no project in %s; looked for:%s\nGo to the project, or name it with --project DIRECTORY", w.root, b.String())
}

func some(found []string) string {
	if len(found) > 3 {
		return fmt.Sprintf("%s and %d more", strings.Join(found[:3], ", "), len(found)-3)
	}
	return strings.Join(found, ", ")
}

// rootsOf names the places that records are relative to.
func rootsOf(project string) vfs.Roots {
	home, err := os.UserHomeDir()
	if err != nil {
		home = ""
	}
	repository := ""
	if home != "" {
		repository = filepath.Join(home, ".m2", "repository")
	}
	return vfs.NewRoots(vfs.Root{Name: "project", Path: project}, vfs.Root{Name: "home", Path: home}, vfs.Root{Name: "repository", Path: repository},
		vfs.Root{Name: "jdk", Path: os.Getenv("JAVA_HOME")}, vfs.Root{Name: "temp", Path: os.TempDir()})
}

// engine wires a project of spreadsheets, store and technique.
func (a *app) engine(ctx context.Context, w *workspace) (*engine.Engine, error) {
	return a.engineFor(ctx, w, w.project, cells.Technique, func(b technique.Bodies) technique.Judge { return cells.New(w.sheets, b, safety.Rules{}) })
}

// mavenEngine does so for a module of a Maven project.
func (a *app) mavenEngine(ctx context.Context, w *workspace, p engine.Project, m *project.Module) (*engine.Engine, error) {
	e, err := a.engineFor(ctx, w, p, methods.Technique, func(b technique.Bodies) technique.Judge { return methods.New(b, classes{m}, a.rules) })
	if err == nil {
		e.Config.StoreEvery = 10 * time.Second // a JVM's tests are reported at its end, in a few seconds
	}
	return e, err
}

// classes finds the program of a class for the technique.
type classes struct{ *project.Module }

func (c classes) Find(e rts.Entity) (methods.Program, string, bool) { return c.Module.Find(e) }

// engineFor wires a project with the technique that was asked for, or the usual one of its kind.
func (a *app) engineFor(ctx context.Context, w *workspace, p engine.Project, usual technique.Technique, judge func(technique.Bodies) technique.Judge) (*engine.Engine, error) {
	name := a.flags.technique
	if name == "" || w.kind == mavenKind && paperNamed(name) != nil { // a paper's technique is asked afterwards
		name = usual.Name
	}
	e := &engine.Engine{Project: p, Store: w.store}
	switch name {
	case usual.Name:
		e.Config.Technique, e.Config.NewJudge = usual, judge
	case testtube.Technique.Name:
		e.Config.Technique = testtube.Technique
		e.Config.NewJudge = func(technique.Bodies) technique.Judge { return testtube.Judge{} }
	case retestall.Technique.Name:
		e.Config.Technique = retestall.Technique
		e.Config.All, e.Config.AllWhy = true, retestall.Reason
	default:
		return nil, a.unknownTechnique(name, w.kind)
	}
	if a.flags.all {
		e.Config.All, e.Config.AllWhy = true, rts.Reason{Code: rts.Asked}
	}
	if a.flags.base != "" {
		commits, err := vcs.Ancestors(ctx, w.root, a.flags.base)
		if err != nil {
			return nil, &fault{ExitUsage, err}
		}
		// A record made with local changes was not made at its commit.
		e.Config.Admit = func(m rts.Meta) bool { return !m.Dirty && commits[m.Revision] }
	}
	return e, nil
}

// meta says where the records of this run come from.
func (w *workspace) meta(ctx context.Context, technique string) rts.Meta {
	rev, dirty := vcs.Head(ctx, w.root)
	return rts.Meta{Revision: rev, Dirty: dirty, Technique: technique}
}

// version names the program.
const version = "0.1.0"

func (a *app) versionText() string {
	return fmt.Sprintf("winnow %s %s/%s %s", version, runtime.GOOS, runtime.GOARCH, runtime.Version())
}
