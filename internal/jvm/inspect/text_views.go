package inspect

import (
	"fmt"
	"io"
	"strings"
)

// Text writes the view for people; with all, digests in full.
func (v *Class) Text(out io.Writer, s Style, all bool) error {
	w := &writer{w: out, style: s}
	w.line("%s", w.bold(v.headline()))
	w.item("file", "%s, %d bytes, class file version %s", v.place(), v.Bytes, javaVersion(v.Major, v.Minor))
	if v.Source != "" {
		w.item("source", "%s", v.Source)
	}
	if v.Canonical != "" {
		w.item("canonical", "%s", v.Canonical)
	}
	w.item("flags", "%s", v.Flags)
	if v.Opaque != "" {
		w.item("opaque", "%s", w.yellow(v.Opaque+": every digest covers the whole file"))
	}
	w.notes(v.Notes)
	w.unreadable(v.Unreadable)
	v.attributesText(w)
	w.item("digests", "shape %s  link %s  reflect %s", short(v.Shape, all), short(v.Link, all), short(v.Reflect, all))
	v.partsText(w, all)
	v.factsText(w, all)
	v.fieldsText(w)
	v.methodsText(w, all)
	return w.err
}

func (v *Class) place() string {
	if v.Entry != "" {
		return v.Entry + " in " + v.Input
	}
	return v.Input
}

// headline writes the class as Java declares it.
func (v *Class) headline() string {
	line := join(v.modifiers, v.Kind, dotted(v.Name))
	interfaces := make([]string, len(v.Interfaces))
	for i, name := range v.Interfaces {
		interfaces[i] = dotted(name)
	}
	word := " implements "
	if v.Kind == "interface" || v.Kind == "@interface" {
		word = " extends "
	} else if v.Super != "" && v.Super != "java/lang/Object" {
		line += " extends " + dotted(v.Super)
	}
	if len(interfaces) > 0 {
		line += word + strings.Join(interfaces, ", ")
	}
	return line
}

func (v *Class) attributesText(w *writer) {
	word := "attributes"
	for _, meaning := range []string{"body", "link", "reflect", "debug", "derived", "compiler", "unknown"} {
		var names []string
		for _, a := range v.Attributes {
			switch {
			case a.Meaning != meaning:
			case a.Count > 1:
				names = append(names, fmt.Sprintf("%s ×%d", a.Name, a.Count))
			default:
				names = append(names, a.Name)
			}
		}
		if len(names) > 0 {
			w.item(word, "%s%s", w.dim(pad(meaning, 10)), strings.Join(names, ", "))
			word = ""
		}
	}
}

func (v *Class) partsText(w *writer, all bool) {
	for _, kind := range []string{"link", "reflect"} {
		word := "  " + kind
		for _, p := range v.Parts {
			if p.Kind == kind {
				w.item(word, "%s%s", pad(p.Part, 21), w.dim(short(p.Digest, all)))
				word = ""
			}
		}
	}
}

func (v *Class) factsText(w *writer, all bool) {
	var facts []Fact
	for _, f := range v.Facts {
		if !strings.HasPrefix(f.What, orderPrefix) { // the order of things is their order here
			facts = append(facts, f)
		}
	}
	if len(facts) == 0 {
		return
	}
	w.line("%s", w.bold("declared"))
	some(w, facts, all, func(f Fact) { w.line("  %s", f.String()) })
}

func (v *Class) fieldsText(w *writer) {
	if len(v.Fields) == 0 {
		return
	}
	w.line("%s", w.bold("fields"))
	for _, f := range v.Fields {
		text := join(f.Flags, typeName(f.Descriptor), f.Name)
		if f.Constant != "" {
			text += " = " + f.Constant
		}
		w.line("  %s", text)
	}
}

// methodWidth is the width up to which methods are aligned.
const methodWidth = 90

func (v *Class) methodsText(w *writer, all bool) {
	if len(v.Methods) == 0 {
		return
	}
	w.line("%s", w.bold("methods"))
	width := widest(v.Methods, methodWidth, MethodLine.declaration)
	for _, m := range v.Methods {
		body := short(m.Body, all)
		if m.Body == "absent" {
			body = "no code"
		}
		canonical := ""
		if m.Canonical != "" {
			canonical = "  " + m.Canonical
		}
		w.line("  %s  %s%s", pad(harmless(m.declaration()), width), w.dim(body), w.dim(canonical))
	}
}

// declaration writes a method as Java does.
func (m MethodLine) declaration() string {
	return join(m.Flags, methodText(m.Name, m.Descriptor))
}

// Text writes the view for people; with all, digests in full.
func (v *Methods) Text(out io.Writer, s Style, all bool) error {
	w := &writer{w: out, style: s}
	w.notes(v.Notes)
	w.unreadable(v.Unreadable)
	for i := range v.Methods {
		if i > 0 {
			w.line("")
		}
		v.Methods[i].text(w, v.Class, all)
	}
	return w.err
}

func (m *Method) text(w *writer, class string, all bool) {
	w.line("%s", w.bold(m.declaration()))
	w.item("class", "%s", dotted(class))
	w.item("descriptor", "%s", m.Name+m.Descriptor)
	if m.Canonical != "" {
		w.item("canonical", "%s", m.Canonical)
	}
	if m.Body == "absent" {
		w.item("body", "no code")
		return
	}
	w.item("body", "%s, %s in %s", m.Body, count(m.Instructions, "instruction"), count(len(m.Blocks), "block"))
	for i, b := range m.Blocks {
		w.line("%s %s", w.bold(fmt.Sprintf("block %d", i)), w.dim(short(b.Digest, all)))
		for k, code := range b.Code {
			w.line("  %5d  %s", b.Start+k, code)
		}
	}
	if len(m.Handlers) > 0 {
		w.line("%s", w.bold("exception table"))
	}
	for _, h := range m.Handlers {
		catch := "anything"
		if h.Catch != "" {
			catch = h.Catch
		}
		w.line("  %5d to %d: catch %s at %d", h.Start, h.End-1, catch, h.To)
	}
}

// Text writes the view for people; with all, every list in full.
func (v *Listing) Text(out io.Writer, s Style, all bool) error {
	w := &writer{w: out, style: s}
	w.line("%s", w.bold(v.Input))
	w.item("kind", "%s", v.Kind)
	if v.MultiRelease {
		w.item("release", "multi-release, read as by Java %d", v.Release)
	}
	if v.Classes == 0 && len(v.Unreadable) == 0 {
		w.item("classes", "%s", w.yellow("none"))
	} else {
		w.item("classes", "%d with %s", v.Classes, count(v.Methods, "method"))
	}
	var versions []string
	for _, x := range v.Versions {
		versions = append(versions, fmt.Sprintf("%s: %d", javaName(x.Major), x.Classes))
	}
	if len(versions) > 0 {
		w.item("versions", "%s", strings.Join(versions, ", "))
	}
	w.item("other files", "%d", v.Others)
	v.rootsText(w, all)
	section(w, "hidden", v.Hidden, all, func(h Hidden) { w.line("  %s  %s", h.Entry, w.dim(h.Why)) })
	section(w, "opaque", v.Opaque, all, func(o Opaque) { w.line("  %s  %s", dotted(o.Class), w.dim(o.Why)) })
	section(w, "problems", v.Problems, all, w.problem)
	w.unreadable(v.Unreadable)
	v.allText(w)
	return w.err
}

func (w *writer) problem(p Problem) {
	w.line("  %s  %s", p.Name, w.yellow(strings.TrimSuffix(p.Kind+": "+p.Detail, ": ")))
}

// section writes a list under its number.
func section[T any](w *writer, word string, list []T, all bool, line func(T)) {
	if len(list) > 0 {
		w.item(word, "%d", len(list))
		some(w, list, all, line)
	}
}

// rootsText names the roots, if classes stand elsewhere than their names say.
func (v *Listing) rootsText(w *writer, all bool) {
	if len(v.Roots) == 0 || len(v.Roots) == 1 && v.Roots[0].Root == "" {
		return
	}
	w.item("roots", "%d", len(v.Roots))
	some(w, v.Roots, all, func(r RootCount) {
		root := r.Root
		if root == "" {
			root = "the top"
		}
		w.line("  %s  %s", root, w.dim(count(r.Classes, "class")))
	})
}

func (v *Listing) allText(w *writer) {
	if len(v.All) == 0 {
		return
	}
	width := widest(v.All, methodWidth, func(c ClassLine) string { return dotted(c.Name) })
	w.line("%s  %s  %s  %s", w.bold(pad("class", width)), w.bold(pad("shape", 32)), w.bold(pad("link", 32)), w.bold(pad("reflect", 32)))
	for _, c := range v.All {
		canonical := ""
		if c.Canonical != "" {
			canonical = "  " + c.Canonical
		}
		w.line("%s  %s  %s  %s%s", pad(harmless(dotted(c.Name)), width), c.Shape, c.Link, c.Reflect, w.dim(canonical))
	}
}
