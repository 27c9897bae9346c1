package inspect

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Text writes the view for people; with all, every list in full.
func (d *Diff) Text(out io.Writer, s Style, all bool) error {
	w := &writer{w: out, style: s}
	w.line("%s", w.bold(d.Old.Input+" → "+d.New.Input))
	w.line("%s", d.Totals.sentence())
	if d.Others != nil {
		d.Others.text(w, all)
	}
	w.notes(d.Notes)
	for _, side := range []Side{d.Old, d.New} {
		if len(side.Problems) > 0 {
			w.line("%s", w.bold(side.Input))
			section(w, "problems", side.Problems, all, w.problem)
		}
	}
	w.unreadable(d.Unreadable)
	if len(d.SameMeaning) > 0 {
		w.line("")
		w.line("%s", w.bold("other bytes, same meaning"))
		for _, r := range d.SameMeaning {
			w.line("  %s  %s", dotted(r.Class), w.dim(strings.Join(r.What, ", ")))
		}
	}
	d.namesText(w, "-", "removed", d.Removed, all)
	d.namesText(w, "+", "added", d.Added, all)
	d.changedText(w, all)
	return w.err
}

// shownClasses is how many changed classes are shown unless all are asked for.
const shownClasses = 50

// changedText writes the changed classes. Those that differ in nothing but their version, as after a change of compilers, become one line.
func (d *Diff) changedText(w *writer, all bool) {
	versions := map[string]int{}
	var rest []*ClassDiff
	for i := range d.Changed {
		if v := d.Changed[i].onlyVersion(); v != "" && !all {
			versions[v]++
			continue
		}
		rest = append(rest, &d.Changed[i])
	}
	for _, v := range slices.Sorted(maps.Keys(versions)) {
		w.line("")
		w.line("%s  %s", w.bold(count(versions[v], "class")), w.op("~", v))
	}
	for i, c := range rest {
		if i == shownClasses && !all {
			w.line("")
			w.line("%s", w.dim(fmt.Sprintf("… and %d more changed classes; --all shows them, a name behind the paths shows one", len(rest)-i)))
			return
		}
		w.line("")
		c.text(w)
	}
}

// onlyVersion is the detail about the version if it is all that differs, otherwise "".
func (c *ClassDiff) onlyVersion() string {
	if len(c.Parts) != 1 || len(c.Methods)+len(c.Renumbered) > 0 || c.Parts[0].Part != "version" || len(c.Parts[0].Details) != 1 {
		return ""
	}
	return c.Parts[0].Details[0].String()
}

// sentence is the summary of a comparison.
func (t Totals) sentence() string {
	same := fmt.Sprintf("%s the same", count(t.Same, "class"))
	if t.Same > 0 {
		same += fmt.Sprintf(" (%d byte for byte, %d in meaning only)", t.SameBytes, t.SameMeaning)
	}
	line := fmt.Sprintf("%s, %d changed, %d added, %d removed", same, t.Changed, t.Added, t.Removed)
	if t.Unreadable > 0 {
		line += fmt.Sprintf(", %d unreadable", t.Unreadable)
	}
	return line
}

func (o *OthersDiff) text(w *writer, all bool) {
	n := o.Same + len(o.Changed) + len(o.Added) + len(o.Removed)
	if n == 0 {
		return
	}
	w.line("%s the same, %d changed, %d added, %d removed", count(o.Same, "other file"), len(o.Changed), len(o.Added), len(o.Removed))
	for _, x := range []struct {
		op    string
		names []string
	}{{"~", o.Changed}, {"+", o.Added}, {"-", o.Removed}} {
		some(w, x.names, all, func(name string) { w.line("  %s %s", w.op(x.op, x.op), name) })
	}
}

func (d *Diff) namesText(w *writer, op, word string, names []ClassName, all bool) {
	if len(names) == 0 {
		return
	}
	w.line("")
	w.line("%s", w.bold(word))
	some(w, names, all, func(n ClassName) {
		canonical := ""
		if n.Canonical != "" {
			canonical = "  " + n.Canonical
		}
		w.line("  %s%s", w.op(op, op+" "+dotted(n.Name)), w.dim(canonical))
	})
}

func (c *ClassDiff) text(w *writer) {
	title, canonical := dotted(c.New), ""
	if c.Old != c.New {
		title = dotted(c.Old) + " is now " + title
	}
	if c.Class != c.New {
		canonical = "  " + c.Class
	}
	w.line("%s%s", w.bold(title), w.dim(canonical))
	if c.SameBytes && len(c.Parts)+len(c.Methods) > 0 && !c.asked() {
		w.line("  the file is the same byte for byte; numbered classes that it refers to are others now")
	}
	if c.Opaque != "" {
		w.line("  %s", w.yellow("opaque: "+c.Opaque))
	}
	for _, kind := range []string{"link", "reflect"} {
		c.partsText(w, kind)
	}
	for _, r := range c.Renumbered {
		w.line("  %s %s is now %s", w.dim("renumbered"), r.Old, r.New)
	}
	for i := range c.Methods {
		c.Methods[i].text(w)
	}
}

// asked tells whether methods were asked for by name.
func (c *ClassDiff) asked() bool {
	for i := range c.Methods {
		if c.Methods[i].Op == "=" {
			return true
		}
	}
	return false
}

// partsText writes the parts with the facts that differ, and in one line those that merely follow from the members.
func (c *ClassDiff) partsText(w *writer, kind string) {
	var following []string
	for _, p := range c.Parts {
		switch {
		case p.Kind != kind:
			continue
		case p.Says == followsFromMembers:
			following = append(following, p.Part)
			continue
		}
		w.line("  %s %s", w.dim(pad(kind, 8)), p.Part)
		if p.Says != "" {
			w.line("    %s", w.dim(p.Says))
		}
		for _, d := range p.Details {
			w.line("    %s", w.op(d.Op, d.String()))
		}
	}
	if len(following) > 0 {
		w.line("  %s %s", w.dim(pad(kind, 8)), w.dim(strings.Join(following, ", ")+": "+followsFromMembers))
	}
}

// longOrder is the length from which an order is not written out.
const longOrder = 120

// String is the printed form: "+ interface java.lang.Runnable", "~ superclass: p.A → p.B".
func (d Detail) String() string {
	text := d.Op + " " + d.What
	switch {
	case strings.HasPrefix(d.What, orderPrefix) && len(d.New) > longOrder:
		return fmt.Sprintf("%s: %d of them stand in another order", text, strings.Count(d.New, ", ")+1)
	case d.Op == "~":
		return fmt.Sprintf("%s: %s → %s", text, orNothing(d.Old), orNothing(d.New))
	case d.Old+d.New != "":
		return text + ": " + d.Old + d.New
	}
	return text
}

func orNothing(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}

func (m *MethodDiff) text(w *writer) {
	extra := ""
	if m.Canonical != "" {
		extra += "  " + m.Canonical
	}
	if m.OldName != "" {
		extra += "  was " + m.OldName
	}
	switch {
	case m.Says != "":
		extra += "  " + m.Says
	case m.Op == "=":
		extra += "  the same body"
	}
	w.line("  %s %s%s", w.dim("method  "), w.op(m.Op, m.Op+" "+methodText(m.Name, m.Descriptor)), w.dim(extra))
	for _, l := range m.Code {
		w.line("    %s %s", w.dim(number(l.Old)+" "+number(l.New)), w.op(l.Op, l.Op+" "+l.Text))
	}
}

func number(n int) string {
	if n < 0 {
		return "     "
	}
	return fmt.Sprintf("%5d", n)
}
