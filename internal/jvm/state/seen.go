package state

import (
	"slices"
	"strings"

	"winnow/internal/jvm/agent"
)

// A method that changes fields of an object, or what they hold, and nothing else of it, changes nothing for a test that reads no such field: most often a singleton that is reset after each test, and that few tests use. So
// for each method that changes what a static field of the project leads to, the classes are known whose fields it changes, if that is all; and for each test the classes of which it reads fields that can change.

// onlyFields lists the classes in which the method changes fields of objects to which a cell leads, or an array or object of the JDK that it got from such a field, with their supertypes and subtypes. There are none
// if it may change something else: an array or object that it got in another way, an object of a library, or one that has a part of its state in the JDK or in a library.
func (s *solution) onlyFields(root int, of *cell) []int32 {
	if of.plain || of.function {
		return nil
	}
	var out []int32
	for e, v := range s.changed {
		if all := v.all().or(v.Of); !all.has(root) {
			continue
		}
		if e.t < 0 || !s.types[e.t].ours {
			return nil
		}
		for _, class := range append(s.subtypes(e.t), e.t) {
			if s.extendsJDK(class) {
				return nil
			}
			for _, up := range s.types[class].above {
				t := s.types[up]
				switch {
				case t.ours:
					out = append(out, up)
				case !t.jdk:
					return nil
				}
			}
		}
	}
	return union(nil, out)
}

// seeInto notes for each method the classes of the project of which it reads fields that can change or hold something that can, in objects to which static fields of the project can lead. A body that is not known, or reads fields without
// naming them, sees everything.
func (h *heir) seeInto() {
	h.into, h.seesAll = make([][]int32, len(h.methods)), make([]bool, len(h.methods))
	for n := range h.methods {
		b := h.methods[n].body
		h.seesAll[n] = b == nil || slices.ContainsFunc(b.Calls, Member.readsAnyField)
		for _, c := range h.reads[n] {
			of := h.all[c]
			if of.static || of.kept || h.types[of.owner].captured || !h.types[of.owner].ours || !h.matters(of.owner) {
				continue
			}
			if f := h.types[of.owner].field(of); f == nil || !f.Final || followed(of.descriptor) {
				h.into[n] = append(h.into[n], of.owner)
			}
		}
		h.into[n] = union(nil, h.into[n])
	}
}

// readsAnyField tells whether a method of the JDK can read fields of any object without reflection.
func (m Member) readsAnyField() bool {
	switch m.Class {
	case "java/io/ObjectOutputStream", "java/io/ObjectInputStream", "sun/misc/Unsafe", "jdk/internal/misc/Unsafe", "java/lang/invoke/VarHandle", "sun/reflect/ReflectionFactory", "javax/script/ScriptEngine":
		return true
	case "java/lang/invoke/MethodHandle":
		return strings.HasPrefix(m.Name, "invoke")
	}
	return false
}

// see notes what a footprint that the test has looks into by reflection.
func (h *heir) see(k int32) {
	for _, class := range h.looked[k] {
		h.inside[class] = h.turn
	}
}

// lookedAt lists the classes of the project that a footprint looked at by reflection.
func (s *stretches) lookedAt(f *agent.Footprint) []int32 {
	var out []int32
	for _, e := range f.Events {
		if e.Kind != agent.ClassReflected {
			continue
		}
		if class, known := s.classes[strings.ReplaceAll(e.Text, ".", "/")]; known && s.types[class].ours {
			out = append(out, class)
		}
	}
	return union(nil, out)
}

// lookedInto lists the classes of which a footprint may have read fields, as Notes.Reads have them.
func (h *heir) lookedInto(k int32) []string {
	classes, all := slices.Clone(h.looked[k]), false
	for _, n := range h.has[k] {
		classes, all = append(classes, h.into[n]...), all || h.seesAll[n]
	}
	var out []string
	for _, class := range union(nil, classes) {
		out = append(out, FieldsOf(h.types[class].name))
	}
	if all {
		out = append(out, AnyFields)
	}
	return out
}

// sees tells whether the test reads fields of objects of one of some classes, as far as it is known by now.
func (h *heir) sees(classes []int32) bool {
	return h.everywhere == h.turn || slices.ContainsFunc(classes, func(class int32) bool { return h.inside[class] == h.turn })
}

// unseen tells whether a filler of a cell changes nothing that the test looks at.
func (h *heir) unseen(of *cell, filler int32) bool {
	fields, only := of.fields[filler]
	return only && !h.sees(fields)
}
