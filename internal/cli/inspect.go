package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"winnow/internal/config"
	"winnow/internal/jvm/inspect"
	"winnow/internal/report"
)

func (a *app) inspectCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "inspect PATH [PATH] [CLASS] [METHOD]",
		Short: "What class files hold, and how two versions of them differ",
		Long: `PATH is a class file, a jar, a directory of classes or the home of a JDK. With one PATH the command shows what is there; with two, what differs between them.

CLASS is a name such as p.Foo, p/Foo, p.Foo.Inner or p.Foo$Inner, or the last part of one if only one class has it. METHOD is a name, or name and descriptor such as
add(II)I. If PATH is a class file there is no CLASS.

Two classes are the same if nothing that a program can observe differs: debug information, the order of constants and the numbers that compilers give do not count.
A difference is no error. Class files that cannot be read are listed, all others are shown, and the exit code is 3.`,
		Example: `  winnow inspect build/p/Foo.class
  winnow inspect build/p/Foo.class main
  winnow inspect app.jar
  winnow inspect app.jar p.Foo "add(II)I"
  winnow inspect old.jar new.jar
  winnow inspect --code old.jar new.jar p.Foo
  winnow inspect /usr/lib/jvm/java-17-openjdk-amd64 java.lang.String`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("`%s` needs a class file, a jar, a directory or the home of a JDK; `%s --help` has examples", c.CommandPath(), c.CommandPath())
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return a.inspect(c.Context(), args) },
	}
	c.Flags().BoolVar(&a.flags.all, "all", false, "show every list, digest and difference in full")
	c.Flags().BoolVar(&a.flags.code, "code", false, "with two paths: show how bodies differ, instruction by instruction")
	c.Flags().IntVar(&a.flags.release, "release", 0, fmt.Sprintf("read multi-release jars as Java `N` does (default: %d, the newest known)", inspect.NewestRelease))
	return c
}

// inspected is the JSON of `winnow inspect`; docs/json.md describes it.
type inspected struct {
	Schema  int              `json:"schema"`
	Command string           `json:"command"`
	Exit    Exit             `json:"exit"`
	Source  *inspect.Listing `json:"source,omitempty"`
	Class   *inspect.Class   `json:"class,omitempty"`
	Methods *inspect.Methods `json:"methods,omitempty"`
	Diff    *inspect.Diff    `json:"diff,omitempty"`
}

// A view is what package inspect shows.
type view interface {
	Text(w io.Writer, s inspect.Style, all bool) error
}

// An inspection is one `winnow inspect`: the inputs and the names in them.
type inspection struct {
	app           *app
	inputs        []*inspect.Input
	class, method string
}

func (a *app) inspect(ctx context.Context, args []string) (err error) {
	if a.flags.release != 0 && a.flags.release < 8 {
		return usage("--release %d: want 8 or more", a.flags.release)
	}
	style, err := a.style()
	if err != nil {
		return err
	}
	n := a.countPaths(args)
	x := &inspection{app: a}
	defer func() { err = errors.Join(err, x.close()) }()
	if err := x.open(ctx, args[:n]); err != nil {
		return err
	}
	if err := x.names(args[n:]); err != nil {
		return err
	}
	out := &inspected{Schema: report.Schema, Command: "inspect"}
	shown, unreadable, err := x.show(ctx, out)
	if err != nil {
		return inspectFault(err)
	}
	if len(unreadable) > 0 {
		out.Exit = ExitProject
	}
	return a.present(out, shown, style, unreadable)
}

// present writes what was found, and ends with the code for class files that could not be read.
func (a *app) present(out *inspected, shown view, style report.Style, unreadable []inspect.Unreadable) error {
	var err error
	if a.flags.json {
		err = writeJSON(a.Out, out)
	} else {
		err = shown.Text(a.Out, style, a.flags.all)
	}
	if err != nil || len(unreadable) == 0 {
		return err
	}
	fmt.Fprintf(a.Err, "winnow: %s; build it anew or leave it out\n", unreadable[0])
	if n := len(unreadable) - 1; n > 0 {
		fmt.Fprintf(a.Err, "winnow: %d more class files cannot be read\n", n)
	}
	return quit{ExitProject}
}

// countPaths tells how many of the arguments are paths: the first, and the second if there is such a file. A directory beside a class file is none: a class file is
// compared with another, and a method may have the name of a directory.
func (a *app) countPaths(args []string) int {
	if len(args) < 2 {
		return 1
	}
	second, err := os.Stat(a.path(args[1]))
	if err != nil {
		return 1
	}
	if first, err := os.Stat(a.path(args[0])); err == nil && !first.IsDir() && second.IsDir() && isClassName(args[0]) {
		return 1
	}
	return 2
}

func isClassName(path string) bool {
	const ext = ".class"
	return len(path) > len(ext) && path[len(path)-len(ext):] == ext
}

func (x *inspection) close() error {
	var errs []error
	for _, in := range x.inputs {
		errs = append(errs, in.Close())
	}
	return errors.Join(errs...)
}

func (x *inspection) open(ctx context.Context, paths []string) error {
	a := x.app
	o := inspect.Options{Dir: a.Dir, Release: a.flags.release}
	if a.Terminal {
		o.Progress = a.readingProgress()
	}
	for _, path := range paths {
		in, err := o.Open(ctx, path)
		switch {
		case errors.Is(err, os.ErrNotExist):
			return usage("there is no %s; `winnow inspect` takes a class file, a jar, a directory or the home of a JDK", path)
		case errors.Is(err, context.Canceled):
			return err
		case err != nil:
			return &fault{ExitProject, err}
		}
		x.inputs = append(x.inputs, in)
	}
	if len(x.inputs) == 2 && (x.inputs[0].Kind == inspect.KindClass) != (x.inputs[1].Kind == inspect.KindClass) {
		return usage("%s is a %s and %s is a %s; compare two class files, or two places with classes", paths[0], x.inputs[0].Kind, paths[1], x.inputs[1].Kind)
	}
	return nil
}

// readingProgress shows how far the reading of an input is, on one line that is written over and removed at the end.
func (a *app) readingProgress() func(path string, done, total int) {
	var next time.Time
	return func(path string, done, total int) {
		switch now := time.Now(); {
		case done == total:
			fmt.Fprint(a.Err, "\r\x1b[K")
		case now.After(next):
			next = now.Add(100 * time.Millisecond)
			fmt.Fprintf(a.Err, "\r%d of %d  %s\x1b[K", done, total, path)
		}
	}
}

// names takes the arguments behind the paths: a class, unless the paths are class files, and a method.
func (x *inspection) names(args []string) error {
	most := []*string{&x.class, &x.method}
	if x.inputs[0].Kind == inspect.KindClass {
		most = most[1:]
	}
	if len(args) > len(most) {
		return usage("%q is one argument too many, or there is no such file; `winnow inspect --help` has examples", args[len(most)])
	}
	for i, arg := range args {
		if arg == "" {
			return usage("argument %q is empty", arg)
		}
		*most[i] = arg
	}
	return nil
}

// show makes the view that was asked for, and lists the class files that could not be read for it.
func (x *inspection) show(ctx context.Context, out *inspected) (shown view, unreadable []inspect.Unreadable, err error) {
	all, in := x.app.flags.all, x.inputs[0]
	switch {
	case len(x.inputs) == 2:
		return x.compare(ctx, out)
	case x.method != "":
		if out.Methods, err = in.Methods(x.class, x.method); err != nil {
			return nil, nil, err
		}
		return out.Methods, out.Methods.Unreadable, nil
	case x.class != "" || in.Kind == inspect.KindClass:
		if out.Class, err = in.Class(x.class); err != nil {
			return nil, nil, err
		}
		return out.Class, out.Class.Unreadable, nil
	}
	out.Source = in.List(all)
	return out.Source, out.Source.Unreadable, nil
}

func (x *inspection) compare(ctx context.Context, out *inspected) (view, []inspect.Unreadable, error) {
	f := &x.app.flags
	d, err := inspect.Compare(ctx, x.inputs[0], x.inputs[1], inspect.DiffOptions{Class: x.class, Method: x.method, Code: f.code, All: f.all})
	if err != nil {
		return nil, nil, err
	}
	if d.Old.Classes+d.New.Classes+len(d.Unreadable) == 0 {
		return nil, nil, usage("neither %s nor %s has a class file; there is nothing to compare", d.Old.Input, d.New.Input)
	}
	out.Diff = d
	return d, d.Unreadable, nil
}

// inspectFault gives an error its exit code, and a wrong name a suggestion.
func inspectFault(err error) error {
	var name *inspect.NameError
	var unreadable *inspect.UnreadableError
	var f *fault
	switch {
	case errors.As(err, &f), errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &unreadable):
		return &fault{ExitProject, fmt.Errorf("%w; build it anew", err)}
	case !errors.As(err, &name):
		return &fault{ExitProject, err}
	}
	if near := config.Nearest(name.Name, name.Known); near != "" && len(name.Matches) == 0 {
		return usage("%v; did you mean %s?", err, near)
	}
	return usage("%v", err)
}
