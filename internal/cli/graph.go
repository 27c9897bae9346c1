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

	"github.com/spf13/cobra"

	"winnow/internal/check/subject"
	"winnow/internal/config"
	"winnow/internal/jvm/classpath"
	"winnow/internal/jvm/inspect"
	"winnow/internal/jvm/jig"
	"winnow/internal/jvm/jig/draw"
	"winnow/internal/jvm/observed"
	"winnow/internal/report"
)

// graphFlags are the flags of `winnow graph`.
type graphFlags struct {
	old, new, out, jdk, classpath string
	text                          bool
}

func (a *app) graphCommand() *cobra.Command {
	f := &graphFlags{}
	c := &cobra.Command{
		Use:   "graph CLASS[.METHOD] (PATH | --old PATH --new PATH)",
		Short: "Draw the Java Interclass Graph of a method or class, and its dangerous edges",
		Long: `Draws what the technique retest compares: the control flow of a method with its calls, labelled with the class of the receiver, and its handlers; or of a class how external code
enters it and how its methods call one another. With --old and --new both versions stand side by side: dangerous edges of the old one are red, and so is where the new one differs.

PATH is a jar or a directory of classes. CLASS is a name such as p.Foo, p/Foo or p.Foo$Inner, or the last part of one if only one class has it; METHOD is a name, or name and descriptor such as add(II)I.

The picture is an SVG file that every browser shows. Without -o the graph is written as text. docs/graph.md explains what is drawn.`,
		Example: `  winnow graph p.Foo.add app.jar -o add.svg
  winnow graph p.Foo.add --old old.jar --new target/classes -o add.svg
  winnow graph "p.Foo.add(II)I" --old old.jar --new new.jar --text
  winnow graph p.Foo --old old --new new -o foo.svg`,
		Args: func(c *cobra.Command, args []string) error { return f.arguments(c.CommandPath(), args) },
		RunE: func(c *cobra.Command, args []string) error { return a.drawGraph(c.Context(), f, args) },
	}
	c.Flags().StringVar(&f.old, "old", "", "the old version: a jar or a directory of classes (`PATH`)")
	c.Flags().StringVar(&f.new, "new", "", "the new version: a jar or a directory of classes (`PATH`)")
	c.Flags().StringVarP(&f.out, "output", "o", "", "write the picture to `FILE`, \"-\" for standard output")
	c.Flags().BoolVar(&f.text, "text", false, "write text in place of a picture")
	c.Flags().StringVar(&f.jdk, "jdk", "", "the `HOME` of the JDK that the classes are for (default: JAVA_HOME, else a JDK 17 or 25 that is found)")
	c.Flags().StringVar(&f.classpath, "classpath", "", "`JARS` and directories with the libraries, separated as in a class path")
	return c
}

// arguments checks how many versions there are.
func (f *graphFlags) arguments(command string, args []string) error {
	both := f.old != "" && f.new != ""
	switch {
	case len(args) == 0:
		return usage("`%s` needs a class, or a class and a method; `%s --help` has examples", command, command)
	case (f.old != "" || f.new != "") && !both:
		return usage("--old and --new belong together; for one version write `%s %s PATH`", command, args[0])
	case both && len(args) > 1:
		return usage("%q is one argument too many beside --old and --new; a method follows its class and a dot", args[1])
	case !both && len(args) == 1:
		return usage("which version of %s? Give a jar or a directory of classes, or two with --old and --new", args[0])
	case len(args) > 2:
		return usage("%q is one argument too many; two versions are given by --old and --new", args[2])
	}
	return nil
}

// A drawnVersion is a program that is drawn.
type drawnVersion struct {
	heading string
	program *observed.Program
}

func (a *app) drawGraph(ctx context.Context, f *graphFlags, args []string) (err error) {
	libraries, err := a.openLibraries(f)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, libraries.Close()) }()
	places := [][2]string{{"", args[len(args)-1]}}
	if f.old != "" {
		places = [][2]string{{"old: ", f.old}, {"new: ", f.new}}
	}
	var versions []drawnVersion
	for _, place := range places {
		p, err := a.readProgram(ctx, place[1], libraries)
		if err != nil {
			return err
		}
		versions = append(versions, drawnVersion{place[0] + place[1], p})
	}
	at, err := lookUp(args[0], versions)
	if err != nil {
		return err
	}
	drawn, err := at.draw(versions)
	if err != nil {
		return &fault{ExitProject, err}
	}
	return a.showGraph(f, drawn)
}

// jdkHome finds the JDK that classes are linked with.
func (a *app) jdkHome(given string) (string, error) {
	if given != "" {
		return given, nil
	}
	if home := a.Getenv("JAVA_HOME"); home != "" {
		return home, nil
	}
	for _, feature := range []int{17, 25} {
		if home, err := subject.FindJDK(feature, a.Getenv); err == nil {
			return home, nil
		}
	}
	return "", usage("there is no JDK to link the classes with; set JAVA_HOME or give --jdk")
}

// openLibraries opens the JDK and the libraries that classes are linked with.
func (a *app) openLibraries(f *graphFlags) (*observed.Libraries, error) {
	home, err := a.jdkHome(f.jdk)
	if err != nil {
		return nil, err
	}
	var jars []string
	for _, jar := range filepath.SplitList(f.classpath) {
		if _, err := os.Stat(a.path(jar)); err != nil {
			return nil, usage("--classpath: there is no %s", jar)
		}
		jars = append(jars, a.path(jar))
	}
	home = a.path(home)
	if _, err := classpath.Platform(home); err != nil {
		return nil, usage("%s is no JDK: %v; set JAVA_HOME or give --jdk", home, err)
	}
	l, err := observed.OpenLibraries(inspect.NewestRelease, home, jars...)
	if err != nil {
		return nil, &fault{ExitProject, err}
	}
	return l, nil
}

// readProgram reads the classes of a jar or a directory.
func (a *app) readProgram(ctx context.Context, place string, libraries observed.External) (_ *observed.Program, err error) {
	if _, err := os.Stat(a.path(place)); err != nil {
		return nil, usage("there is no %s; `winnow graph` takes a jar or a directory of classes", place)
	}
	path, err := classpath.OpenPath(inspect.NewestRelease, a.path(place))
	if err != nil {
		return nil, &fault{ExitProject, err}
	}
	defer func() { err = errors.Join(err, path.Close()) }()
	if state := path.Places()[0].State; state != classpath.Present {
		return nil, &fault{ExitProject, fmt.Errorf("%s is neither a directory of classes nor a whole jar; build it anew", place)}
	}
	files := map[string][]byte{}
	for found, err := range path.Classes() {
		if err == nil {
			files[found.Class], err = found.Read()
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, &fault{ExitProject, err}
		}
	}
	if len(files) == 0 {
		return nil, usage("%s has no class file; give the directory above the packages, such as target/classes", place)
	}
	p, err := observed.NewProgram(files, libraries)
	if err != nil {
		return nil, &fault{ExitProject, fmt.Errorf("%s: %w; build it anew", place, err)}
	}
	return p, nil
}

// A graphed is what is drawn: a class, or one of its methods.
type graphed struct {
	class, name, descriptor string
}

// lookUp finds what a name stands for in any of the versions.
func lookUp(name string, versions []drawnVersion) (graphed, error) {
	classes := map[string]bool{}
	for _, v := range versions {
		for _, c := range v.program.Names() {
			classes[c] = true
		}
	}
	found, err := matchClass(name, classes)
	if err != nil || found != "" {
		return graphed{class: found}, err
	}
	base, descriptor, _ := strings.Cut(name, "(")
	i := strings.LastIndexAny(base, ".#")
	if i > 0 {
		if found, err = matchClass(base[:i], classes); err != nil {
			return graphed{}, err
		}
	}
	if found != "" {
		if descriptor != "" {
			descriptor = "(" + descriptor
		}
		return matchMethod(found, base[i+1:], descriptor, versions)
	}
	var known []string
	for c := range classes {
		known = append(known, strings.ReplaceAll(c, "/", "."), c[strings.LastIndexByte(c, '/')+1:])
	}
	slices.Sort(known)
	if near := config.Nearest(base, known); near != "" {
		return graphed{}, usage("there is no class %s; did you mean %s?", name, near)
	}
	if i > 0 {
		if near := config.Nearest(base[:i], known); near != "" {
			return graphed{}, usage("there is no class %s; did you mean %s.%s?", base[:i], near, base[i+1:])
		}
	}
	return graphed{}, usage("there is no class %s; `winnow inspect PATH` lists the classes", name)
}

// matchClass finds a class by its name, or by the last part of one; "" if there is none.
func matchClass(name string, classes map[string]bool) (string, error) {
	plain := strings.NewReplacer(".", "/", "$", "/")
	want := plain.Replace(name)
	var matches []string
	for c := range classes {
		switch got := plain.Replace(c); {
		case got == want:
			return c, nil
		case strings.HasSuffix(got, "/"+want):
			matches = append(matches, c)
		}
	}
	slices.Sort(matches)
	switch len(matches) {
	case 0:
		return "", nil
	case 1:
		return matches[0], nil
	}
	return "", usage("%s may be any of %d: %s", name, len(matches), strings.Join(matches[:min(5, len(matches))], ", "))
}

// matchMethod finds a method with code of a class.
func matchMethod(class, name, descriptor string, versions []drawnVersion) (graphed, error) {
	var matches, known []string
	for _, v := range versions {
		c := v.program.Class(class)
		if c == nil {
			continue
		}
		for i := range c.Canon.Methods {
			m := &c.Canon.Methods[i]
			known = append(known, m.FileName)
			if m.FileName == name && (descriptor == "" || descriptor == m.FileDescriptor) {
				matches = append(matches, m.FileDescriptor)
			}
		}
	}
	slices.Sort(matches)
	matches = slices.Compact(matches)
	switch len(matches) {
	case 1:
		return graphed{class, name, matches[0]}, nil
	case 0:
		if near := config.Nearest(name, known); near != "" {
			return graphed{}, usage("%s has no method %s%s; did you mean %s?", class, name, descriptor, near)
		}
		return graphed{}, usage("%s has no method %s%s", class, name, descriptor)
	}
	return graphed{}, usage("%s.%s may be any of %d: %s%s; write name and descriptor", class, name, len(matches), name, strings.Join(matches, ", "+name))
}

// A drawing is what `winnow graph` shows.
type drawing struct {
	title  string
	panels []draw.Panel
}

// draw makes the pictures.
func (s graphed) draw(versions []drawnVersion) (*drawing, error) {
	var b jig.Builder
	var graphs []*jig.Graph
	for _, v := range versions {
		g, err := b.Build(v.program)
		if err != nil {
			return nil, err
		}
		graphs = append(graphs, g)
	}
	out := &drawing{title: s.class + "." + s.name + s.descriptor}
	views := []*draw.View{draw.Plain(graphs[0])}
	if len(graphs) == 2 {
		c, err := jig.Compare(graphs[0], graphs[1])
		if err != nil {
			return nil, err
		}
		views = []*draw.View{draw.Old(c), draw.New(c)}
	}
	for i, v := range views {
		p := draw.Panel{Heading: versions[i].heading}
		var err error
		switch m := (observed.Method{Class: s.class, Name: s.name, Descriptor: s.descriptor}); {
		case !versions[i].program.Internal(s.class):
			p.Note = "there is no class " + s.class
		case s.name == "":
			out.title = s.class
			p.Picture, err = v.Class(s.class)
		case !hasBody(graphs[i], m):
			p.Note = fmt.Sprintf("there is no %s with code", m)
		default:
			p.Picture, err = v.Method(m)
		}
		if err != nil {
			return nil, err
		}
		out.panels = append(out.panels, p)
	}
	return out, nil
}

func hasBody(g *jig.Graph, m observed.Method) bool {
	_, _, ok := g.Body(m)
	return ok
}

// graphJSON is the JSON of `winnow graph`; docs/graph.md describes it.
type graphJSON struct {
	Schema  int         `json:"schema"`
	Command string      `json:"command"`
	Exit    Exit        `json:"exit"`
	Of      string      `json:"of"`
	Panels  []panelJSON `json:"panels"`
}

type panelJSON struct {
	Heading   string      `json:"heading"`
	Note      string      `json:"note,omitempty"`
	Boxes     []boxJSON   `json:"boxes"`
	Arrows    []arrowJSON `json:"arrows"`
	Dangerous int         `json:"dangerous"`
}

type boxJSON struct {
	Lines   []string `json:"lines"`
	Differs bool     `json:"differs,omitempty"`
}

type arrowJSON struct {
	From   int    `json:"from"`
	To     int    `json:"to"`
	Label  string `json:"label,omitempty"`
	Danger string `json:"danger,omitempty"`
}

func (d *drawing) json() *graphJSON {
	out := &graphJSON{Schema: report.Schema, Command: "graph", Of: d.title}
	for _, p := range d.panels {
		j := panelJSON{Heading: p.Heading, Note: p.Note, Boxes: []boxJSON{}, Arrows: []arrowJSON{}}
		if p.Picture != nil {
			j.Dangerous = p.Picture.Dangers()
			for _, b := range p.Picture.Boxes {
				j.Boxes = append(j.Boxes, boxJSON{b.Lines, b.Marked})
			}
			for _, arrow := range p.Picture.Arrows {
				j.Arrows = append(j.Arrows, arrowJSON{arrow.From, arrow.To, arrow.Label, arrow.Danger})
			}
		}
		out.Panels = append(out.Panels, j)
	}
	return out
}

// showGraph writes a drawing where it was asked for.
func (a *app) showGraph(f *graphFlags, d *drawing) error {
	var b bytes.Buffer
	var err error
	switch {
	case a.flags.json && (f.out == "" || f.out == "-"):
		return writeJSON(a.Out, d.json())
	case f.text || f.out == "":
		err = draw.Text(&b, d.panels...)
	default:
		err = draw.SVG(&b, d.title, d.panels...)
	}
	if err != nil {
		return err
	}
	if f.out == "" || f.out == "-" {
		_, err = a.Out.Write(b.Bytes())
		return err
	}
	if err := os.WriteFile(a.path(f.out), b.Bytes(), 0o666); err != nil {
		return usage("%v; choose another file for -o", err)
	}
	dangers := 0
	if d.panels[0].Picture != nil {
		dangers = d.panels[0].Picture.Dangers()
	}
	said := fmt.Sprintf("%s: %s", f.out, d.title)
	if len(d.panels) == 2 {
		said += fmt.Sprintf(", dangerous edges: %d", dangers)
	}
	if a.flags.json {
		return writeJSON(a.Out, d.json())
	}
	_, err = fmt.Fprintln(a.Out, said)
	return err
}
