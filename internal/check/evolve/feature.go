package evolve

import (
	"embed"
	"fmt"
	"io/fs"
	"iter"
	"slices"
	"strings"
)

//go:embed features/*.txt
var featureFiles embed.FS

// A Feature is a part of Java that the bounded space does not have: classes that use it, and that call a method of a program of the space.
type Feature struct {
	ID, Summary string
	sources     map[string]string
	resources   map[string]string
}

// Features lists F1 and up in this order.
func Features() ([]Feature, error) {
	var out []Feature
	paths, err := fs.Glob(featureFiles, "features/*.txt")
	if err != nil {
		return nil, err
	}
	for i, path := range paths {
		text, err := featureFiles.ReadFile(path)
		if err != nil {
			return nil, err
		}
		e, err := ParseEvolving(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		r := e.Revisions[0]
		out = append(out, Feature{ID: fmt.Sprintf("F%d", i+1), Summary: e.Name, sources: r.Sources, resources: r.Resources})
	}
	return out, nil
}

// base is the constraint whose programs features are added to.
const base = "JD7"

// Programs walks programs with the feature, numbered from 0: each program of the space under JD7, with the classes of the feature, in which the word CALL stands for a call of a method of the
// program.
func (f Feature) Programs(seed uint64) iter.Seq2[int, *Program] {
	return func(yield func(int, *Program) bool) {
		i := slices.IndexFunc(Constraints(), func(c Constraint) bool { return c.ID == base })
		for n, p := range Constraints()[i].Programs(seed) {
			if !yield(n, f.with(p)) {
				return
			}
		}
	}
}

// with adds the feature to a program.
func (f Feature) with(p *Program) *Program {
	sources := map[string]string{}
	for path, text := range f.sources {
		sources[path] = strings.ReplaceAll(text, "CALL", p.call())
	}
	// The sources are part of the package, and a test reads all of them: they parse.
	added, err := ParseProgram(sources)
	if err != nil {
		panic(fmt.Sprintf("feature %s: %v", f.ID, err))
	}
	p.Classes = append(p.Classes, added.Classes...)
	p.Resources = f.resources
	return p.Clone()
}

// call is an expression that calls the first public method, "1" if there is none.
func (p *Program) call() string {
	for _, c := range p.Classes {
		for _, m := range c.Members {
			if m.Kind != MethodMember || !is(m.Modifiers, "public") {
				continue
			}
			args := map[string]string{"int": "4", "long": "5L"}
			if len(m.Params) == 0 {
				return fmt.Sprintf("new %s().%s()", c.Full(), m.Name)
			}
			return fmt.Sprintf("new %s().%s(%s)", c.Full(), m.Name, args[m.Params[0].Type])
		}
	}
	return "1"
}
