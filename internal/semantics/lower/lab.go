package lower

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"winnow/internal/jvm/classpath"
	"winnow/internal/jvm/maven"
	"winnow/internal/jvm/project"
	"winnow/internal/rts"
	"winnow/internal/safety"
	"winnow/internal/semantics/minijvm"
	"winnow/internal/vfs"
)

// A Case is a program that is to run.
type Case struct {
	Number    int // of its package
	Program   *minijvm.Program
	Predicted *Prediction
	Form      Form
}

func (c *Case) pkg() string { return fmt.Sprintf("p%d", c.Number) }

// A Lab runs lowered programs on one JDK.
type Lab struct {
	jdk, dir string
	rules    safety.Rules
	seen     *classpath.Seen
	// wrong alters what was collected; tests show that it is noticed.
	wrong func(p *minijvm.Program, collected map[string][]uint32)
}

// Open prepares a JDK, by its home. The directory is for temporary files.
func Open(ctx context.Context, jdk, dir string) (*Lab, error) {
	jdk, err := filepath.EvalSymlinks(jdk)
	if err != nil {
		return nil, err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	l := &Lab{jdk: jdk, dir: dir, seen: new(classpath.Seen)}
	return l, compileHost(ctx, jdk, dir)
}

func (l *Lab) host() string { return filepath.Join(l.dir, "host") }

// Run runs cases and returns what was observed, in the same order: all in one JVM, or each alone in one of its own.
func (l *Lab) Run(ctx context.Context, cases []*Case, alone bool) (_ []*Observation, err error) {
	dir, err := os.MkdirTemp(l.dir, "run-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	b := &batch{lab: l, dir: dir, jar: filepath.Join(dir, "programs.jar"), cases: cases}
	if err := b.write(); err != nil {
		return nil, err
	}
	book := &ledger{done: map[rts.TestID]rts.Result{}}
	if err := b.record(ctx, alone, book); err != nil {
		return nil, err
	}
	return b.observations(book)
}

// A batch is some programs on one class path.
type batch struct {
	lab      *Lab
	dir, jar string
	cases    []*Case
	observed map[string]*Observation // by package
}

// write puts all class files into one jar.
func (b *batch) write() error {
	var data bytes.Buffer
	w := zip.NewWriter(&data)
	for _, c := range b.cases {
		classes, err := c.Form.Classes(c.Program, c.pkg())
		if err != nil {
			return err
		}
		for _, name := range slices.Sorted(maps.Keys(classes)) {
			f, err := w.CreateHeader(&zip.FileHeader{Name: name + ".class", Method: zip.Deflate})
			if err != nil {
				return err
			}
			if _, err := f.Write(classes[name]); err != nil {
				return err
			}
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(b.jar, data.Bytes(), 0o644)
}

// record runs the programs as the product runs the tests of a module: what Maven would do is done here, everything else is the product's.
func (b *batch) record(ctx context.Context, alone bool, sink rts.Sink) error {
	m, err := project.Look(ctx, b.request(), project.Options{
		Root: b.dir, Files: vfs.NewFiles(vfs.NewRoots(vfs.Root{Name: "project", Path: b.dir})), Dir: filepath.Join(b.dir, "data"), Cache: project.NewCache(filepath.Join(b.lab.dir, "cache")),
		Seen: b.lab.seen, Rules: b.lab.rules,
	})
	if err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- m.Run(ctx, nil, sink) }()
	answer := <-m.Answer()
	if len(answer.Options) == 0 {
		return <-done
	}
	err = b.drive(ctx, answer.Options, alone)
	m.Ended(err == nil)
	return errors.Join(err, <-done)
}

func (b *batch) request() *maven.Request {
	return &maven.Request{
		Module: "winnow:lab:1", BaseDir: b.dir, Root: b.dir, Mojo: maven.Mojo{Goal: "test", Execution: "default-test"}, JVM: filepath.Join(b.lab.jdk, "bin", "java"), WorkingDir: b.dir,
		Classes: filepath.Join(b.dir, "target", "classes"), TestClasses: filepath.Join(b.dir, "target", "test-classes"), ClassPath: []string{b.lab.host(), b.jar},
	}
}

// drive runs the JVMs: one, or one for each program, as many at a time as there are processors.
func (b *batch) drive(ctx context.Context, options []string, alone bool) error {
	parts := [][]*Case{b.cases}
	if alone {
		parts = slices.Collect(slices.Chunk(b.cases, 1))
	}
	b.observed = map[string]*Observation{}
	var lock sync.Mutex
	var errs []error
	next := make(chan int)
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(parts)) {
		group.Go(func() {
			for i := range next {
				got, err := b.process(ctx, options, i, parts[i])
				lock.Lock()
				errs = append(errs, err)
				maps.Copy(b.observed, got)
				lock.Unlock()
			}
		})
	}
	for i := range parts {
		next <- i
	}
	close(next)
	group.Wait()
	return errors.Join(errs...)
}

// process runs one JVM.
func (b *batch) process(ctx context.Context, options []string, i int, cases []*Case) (map[string]*Observation, error) {
	var list strings.Builder
	for _, c := range cases {
		fmt.Fprintf(&list, "%s %d%s\n", c.pkg(), len(c.Predicted.Runs), c.Predicted.classList(c.Program))
	}
	file := filepath.Join(b.dir, fmt.Sprintf("list-%d", i))
	result := filepath.Join(b.dir, fmt.Sprintf("result-%d", i))
	if err := os.WriteFile(file, []byte(list.String()), 0o644); err != nil {
		return nil, err
	}
	if err := b.lab.drive(ctx, options, b.jar, file, result); err != nil {
		return nil, err
	}
	return results(result)
}

// observations joins what the driver saw and what the product recorded.
func (b *batch) observations(book *ledger) (out []*Observation, err error) {
	for _, c := range b.cases {
		o := b.observed[c.pkg()]
		if o == nil {
			return nil, fmt.Errorf("program %d was not run", c.Number)
		}
		for i := range o.Runs {
			test := rts.TestID(fmt.Sprintf("%s.Start#%s:junit3", c.pkg(), []string{"first", "again"}[i]))
			if o.Runs[i].Collected, err = book.collection(test, c.pkg()); err != nil {
				return nil, err
			}
			if b.lab.wrong != nil {
				b.lab.wrong(c.Program, o.Runs[i].Collected)
			}
		}
		out = append(out, o)
	}
	return out, nil
}
