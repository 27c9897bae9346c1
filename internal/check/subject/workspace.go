package subject

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Files are the files of the revisions of one program, by their paths in the directory of a Maven module.
type Files struct {
	Revisions []map[string]string
	// Dependencies are XML for the POM, besides JUnit's.
	Dependencies string
	// Release, if it is given, is the version of class files at most.
	Release int
	// Surefire is XML for Surefire's configuration, Build XML for the build. Version is that of Surefire where the tool's own does not count.
	Surefire, Build, Version string
}

// Generate makes a workspace of programs: each is a module of one Maven project.
func Generate(dir string, programs []Files) *Workspace {
	w := &Workspace{Dir: dir, Generated: true}
	for i := range programs {
		w.Modules = append(w.Modules, fmt.Sprintf("m%d", i))
	}
	w.Put = func(_ context.Context, setup Setup, r int) error {
		if err := write(filepath.Join(dir, "pom.xml"), parentPOM(w.Modules, setup)); err != nil {
			return err
		}
		for i := range programs {
			module := filepath.Join(dir, w.Modules[i])
			if err := write(filepath.Join(module, "pom.xml"), modulePOM(w.Modules[i], setup, &programs[i])); err != nil {
				return err
			}
			if err := mirror(filepath.Join(module, "src"), programs[i].Revisions[r]); err != nil {
				return err
			}
		}
		return nil
	}
	return w
}

// write writes a file if it has another content.
func write(file, text string) error {
	if old, err := os.ReadFile(file); err == nil && string(old) == text {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), 0o666)
}

// mirror makes a directory have exactly the files that begin with its name.
func mirror(dir string, files map[string]string) error {
	base := filepath.Base(dir)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if _, ok := files[base+"/"+filepath.ToSlash(rel)]; ok {
			return nil
		}
		return os.Remove(path)
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for name, text := range files {
		if err := write(filepath.Join(filepath.Dir(dir), filepath.FromSlash(name)), text); err != nil {
			return err
		}
	}
	return nil
}

const pomHead = `<project xmlns="http://maven.apache.org/POM/4.0.0">
<modelVersion>4.0.0</modelVersion>`

// plugin is Surefire in a POM. STARTS wants it in that of the parent, too.
func plugin(s Setup, configuration string) string {
	return "<plugin><groupId>org.apache.maven.plugins</groupId><artifactId>maven-surefire-plugin</artifactId><version>" + s.Surefire + "</version><configuration>" + configuration + "</configuration></plugin>"
}

func parentPOM(modules []string, s Setup) string {
	var b strings.Builder
	b.WriteString(pomHead + "<groupId>check</groupId><artifactId>all</artifactId><version>1</version><packaging>pom</packaging>\n<modules>")
	for _, m := range modules {
		fmt.Fprintf(&b, "<module>%s</module>", m)
	}
	return b.String() + "</modules>\n<build><plugins>" + plugin(s, "") + "</plugins></build></project>\n"
}

func modulePOM(name string, s Setup, f *Files) string {
	if f.Version != "" {
		s.Surefire = f.Version
	}
	release := s.Release
	if f.Release > 0 {
		release = min(release, f.Release)
	}
	options := fmt.Sprintf("<maven.compiler.release>%d</maven.compiler.release>", release)
	return fmt.Sprintf(pomHead+`
<parent><groupId>check</groupId><artifactId>all</artifactId><version>1</version></parent><artifactId>%s</artifactId>
<properties>%s<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version><scope>test</scope></dependency>%s</dependencies>
<build>%s<plugins>
<plugin><artifactId>maven-resources-plugin</artifactId><version>3.3.1</version></plugin>
<plugin><artifactId>maven-compiler-plugin</artifactId><version>3.14.1</version></plugin>
%s
</plugins></build></project>
`, name, options, f.Dependencies, f.Build, plugin(s, f.Surefire))
}

// Try runs a tool on programs that are modules of one project below dir, and hands over the steps of each. A project in which the tool crashes is tried again program by
// program, so that the crash is charged to the program that has it.
func (t *Tool) Try(ctx context.Context, dir string, programs []Files, change func(*Workspace), each func(program int, steps []Timed) error) error {
	if len(programs) == 0 {
		return nil
	}
	all, err := t.together(ctx, filepath.Join(dir, t.Name), programs, change)
	if err != nil {
		return err
	}
	crashed := len(programs) > 1 && slices.ContainsFunc(all[0], func(s Timed) bool { return s.Crash != "" })
	for i := range programs {
		steps := all[i]
		if crashed {
			alone, err := t.together(ctx, filepath.Join(dir, fmt.Sprintf("%s-%d", t.Name, i)), programs[i:i+1], change)
			if err != nil {
				return err
			}
			steps = alone[0]
		}
		if err := each(i, steps); err != nil {
			return err
		}
	}
	return nil
}

// together runs a tool on a project, which is removed afterwards.
func (t *Tool) together(ctx context.Context, dir string, programs []Files, change func(*Workspace)) ([][]Timed, error) {
	w := Generate(dir, programs)
	change(w)
	steps, err := t.Steps(ctx, w, len(programs[0].Revisions))
	if err != nil {
		return nil, err
	}
	return steps, os.RemoveAll(dir)
}
