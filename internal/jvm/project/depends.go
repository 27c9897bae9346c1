package project

import (
	"fmt"
	"slices"
	"strings"

	"winnow/internal/jvm/agent"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/state"
)

// TestNG skips a test if one that it depends on was skipped or failed. So what such a test does belongs to those that depend on it.

// testngTest is the annotation that says what a test depends on.
const testngTest = "Lorg/testng/annotations/Test;"

// depends adds to what tests were handed the tests that they depend on by their annotations. Methods are named by patterns and groups are given at run time, too, so all tests of the class count, or of the classes that are named
// with a method, or all tests where it is groups.
func (r *recorder) depends(in *state.Inheritance) error {
	byClass := map[string][]*agent.TestTrace{}
	var all []*agent.TestTrace
	for _, t := range r.trace.Tests {
		if strings.HasPrefix(t.Key, "testng:") {
			byClass[t.Class], all = append(byClass[t.Class], t), append(all, t)
		}
	}
	known := map[string]dependencies{}
	done := map[*agent.TestTrace]bool{}
	for _, t := range all {
		on, err := r.dependenciesOf(internalName(t.Class), known)
		if err != nil {
			return err
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(t.Key, "testng:"), "(")
		var others []*agent.TestTrace
		for _, of := range slices.Concat(on[name], on[""]) {
			switch class := of[:max(0, strings.LastIndexByte(of, '.'))]; {
			case of == anyGroup:
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
			h := state.Handed{Label: "needs(" + nameOf(o.Key) + ")", Footprint: o.Own}
			if done[o] {
				h.Test = o // with what it depends on itself
			}
			in.Handed[t] = append(in.Handed[t], h)
		}
		done[t] = true
	}
	return nil
}

// dependencies are what tests of a class depend on, by the name of the method: names of methods, perhaps with that of their class, and anyGroup. Those of the class itself are under no name.
type dependencies map[string][]string

// anyGroup stands for tests of a group.
const anyGroup = "group"

// dependenciesOf reads the annotations of a class and its superclasses.
func (r *recorder) dependenciesOf(class string, known map[string]dependencies) (dependencies, error) {
	if out, ok := known[class]; ok {
		return out, nil
	}
	out := dependencies{}
	known[class] = out
	found, ok, err := r.library.path.Find(class)
	if err != nil || !ok || r.program.JDK(class) {
		return out, err
	}
	data, err := found.Read()
	if err != nil {
		return nil, err
	}
	c, err := classfile.Read(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", found.Place.Path, err)
	}
	above, err := r.dependenciesOf(c.SuperName(), known)
	if err != nil {
		return nil, err
	}
	for name, on := range above {
		out[name] = append(out[name], on...)
	}
	on, err := dependsOn(c, c.Attributes, classfile.InClass)
	out[""] = append(out[""], on...)
	for i := range c.Methods {
		m := &c.Methods[i]
		name, _ := c.MemberName(m)
		var more []string
		if err == nil {
			more, err = dependsOn(c, m.Attributes, classfile.InMethod)
		}
		out[name] = append(out[name], more...)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", found.Place.Path, err)
	}
	return out, nil
}

// dependsOn lists what TestNG's annotation in a list of attributes names.
func dependsOn(c *classfile.Class, attributes []classfile.Attribute, in classfile.Place) ([]string, error) {
	v, err := classfile.ValueOf[*classfile.Annotations](c, attributes, "RuntimeVisibleAnnotations", in)
	if v == nil || err != nil {
		return nil, err
	}
	var out []string
	for _, a := range v.List {
		if name, _ := c.Pool.UTF8(a.Type); name != testngTest {
			continue
		}
		for _, p := range a.Pairs {
			switch name, _ := c.Pool.UTF8(p.Name); name {
			case "dependsOnMethods":
				for _, e := range p.Value.Array {
					text, _ := c.Pool.UTF8(e.Const)
					out = append(out, text)
				}
			case "dependsOnGroups":
				if len(p.Value.Array) > 0 {
					out = append(out, anyGroup)
				}
			}
		}
	}
	return out, nil
}
