package project

import (
	"slices"
	"strings"

	"winnow/internal/jvm/agent"
	"winnow/internal/jvm/state"
)

// testngFactory is the annotation of what makes objects with tests for TestNG.
const testngFactory = testngs + "Factory;"

// shareFactories gives all tests what TestNG did to make an object that it asks for further ones: their tests may be those of any class. What cannot be read may be one.
func (r *recorder) shareFactories(l *library) {
	for _, f := range r.trace.Found {
		if class, _ := agent.FoundClass(f.Name); !l.isFactory(internalName(class)) {
			continue
		}
		for _, t := range r.trace.Tests {
			if strings.HasPrefix(t.Group, "testng:") && !slices.Contains(t.Shared, f) {
				t.Shared = append(t.Shared, f)
			}
		}
	}
}

func (l *library) isFactory(class string) bool {
	if class == "" || l.jdk(class) {
		return false
	}
	v := l.volume(class)
	return v.class == nil || v.factory || l.isFactory(v.class.Super) || slices.ContainsFunc(v.class.Interfaces, l.isFactory)
}

// TestNG skips a test if one that it depends on was skipped or failed. So what such a test does belongs to those that depend on it.

// depends adds to what tests were handed the tests that they depend on by their annotations. Methods are named by patterns and groups are given at run time, too, so all tests of the class count, or of the classes that are named
// with a method, or all tests where it is groups.
func (r *recorder) depends(in *state.Inheritance) error {
	byClass := map[string][]*agent.TestTrace{}
	var all []*agent.TestTrace
	for _, t := range r.trace.Tests {
		if strings.HasPrefix(t.Group, "testng:") {
			byClass[t.Class], all = append(byClass[t.Class], t), append(all, t)
		}
	}
	known := map[string]state.Dependencies{}
	done := map[*agent.TestTrace]bool{}
	for _, t := range all {
		on, err := r.dependenciesOf(internalName(t.Class), known)
		if err != nil {
			return err
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(t.Group, "testng:"), "(")
		var others []*agent.TestTrace
		for _, of := range slices.Concat(on[name], on[""]) {
			switch class := of[:max(0, strings.LastIndexByte(of, '.'))]; {
			case of == state.AnyGroup:
				others = append(others, all...)
			case class == "":
				others = append(others, byClass[t.Class]...)
			default:
				others = append(others, byClass[class]...)
			}
		}
		seen := map[*agent.TestTrace]bool{t: true}
		for _, o := range others {
			if seen[o] {
				continue
			}
			seen[o] = true
			label := "needs(" + nameOf(o.Group) + ")"
			if done[o] { // with all that it has, and what it depends on itself
				in.Handed[t] = append(in.Handed[t], state.Handed{Label: label, Footprint: o.Own, Test: o})
				continue
			}
			for _, f := range append([]*agent.Footprint{o.Own}, o.Shared...) {
				in.Handed[t] = append(in.Handed[t], state.Handed{Label: label, Footprint: f})
			}
		}
		done[t] = true
	}
	return nil
}

// dependenciesOf reads the annotations of a class and its superclasses.
func (r *recorder) dependenciesOf(class string, known map[string]state.Dependencies) (state.Dependencies, error) {
	if out, ok := known[class]; ok {
		return out, nil
	}
	out := state.Dependencies{}
	known[class] = out
	c, err := r.library.Class(class)
	if err != nil || c == nil || r.program.JDK(class) {
		return out, err
	}
	above, err := r.dependenciesOf(c.Super, known)
	if err != nil {
		return nil, err
	}
	for _, from := range []state.Dependencies{above, c.Depends} {
		for name, on := range from {
			out[name] = append(out[name], on...)
		}
	}
	return out, nil
}
