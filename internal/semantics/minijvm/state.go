package minijvm

import (
	"fmt"
	"slices"
	"strings"
)

// A Flag is how far a class is initialized.
type Flag uint8

// The flags. A class that is not on the static heap is Absent.
const (
	Absent Flag = iota
	Prepared
	Processing
	Done
	Error
)

func (f Flag) String() string {
	return [...]string{"Absent", "Prepared", "Processing", "Done", "Error"}[f]
}

// An ICS is the initialization call status of a frame.
type ICS uint8

// The four call states. A frame that is Calling C Cs looks for the superclasses of C that must be initialized first, Called Cs runs the static initializers of Cs,
// Throwing Cs a marks Cs as failed because of the exception at a.
const (
	No ICS = iota
	Calling
	Called
	Throwing
)

// A slot is a field of an object or of a class, by name and declaring class, with its value.
type slot struct {
	f MemberID
	d ClassID
	v Value
}

// A span is a range of slots.
type span struct{ from, to int32 }

// An instance is an object: its class and its slots.
type instance struct {
	class ClassID
	span
}

// A Frame is the activation of a method. Class is the class that declares the running method.
type Frame struct {
	Class  ClassID
	Method MemberID
	PC     int32
	ICS    ICS
	Init   ClassID // of Calling: the class looked at
	Raised int32   // of Throwing: the address of the exception

	base, locals int32 // the frame's locals are values[base:base+locals], its operand stack ends where the next frame begins
	inits        int32 // where the list Cs begins; its first element is the last in memory
}

// A State is a state of the machine. It knows nothing of a program, so that one state can be stepped under two programs. The memory of a State is reused by CopyFrom
// and StartState; the zero value is an end state.
type State struct {
	// Raised is the address of the exception that nobody caught, or -1.
	Raised int32

	heap    []instance
	slots   []slot
	frames  []Frame
	values  []Value
	inits   []ClassID
	known   Set // the classes on the static heap
	flags   [MaxClasses]Flag
	statics [MaxClasses]span
	sslots  []slot
}

// reset makes the state empty and keeps its memory.
func (s *State) reset() {
	s.Raised = -1
	s.heap, s.slots, s.frames, s.values, s.inits, s.sslots = s.heap[:0], s.slots[:0], s.frames[:0], s.values[:0], s.inits[:0], s.sslots[:0]
	s.known, s.flags = 0, [MaxClasses]Flag{}
}

// StartState makes s the state in which the run of a program's Test begins: one object of each system exception, Start already initialized, and a frame that runs its
// main.
func StartState(p *Program, s *State) {
	s.reset()
	for _, c := range systemExceptions {
		s.allocate(p, c)
	}
	s.prepare(p, Start)
	s.flags[Start] = Done
	s.enter(Start, p.Class(Start).Method(Main), 0)
}

// CopyFrom makes s equal to t.
func (s *State) CopyFrom(t *State) {
	s.Raised, s.known, s.flags, s.statics = t.Raised, t.known, t.flags, t.statics
	s.heap, s.slots = append(s.heap[:0], t.heap...), append(s.slots[:0], t.slots...)
	s.frames, s.values, s.inits = append(s.frames[:0], t.frames...), append(s.values[:0], t.values...), append(s.inits[:0], t.inits...)
	s.sslots = append(s.sslots[:0], t.sslots...)
}

// Equal tells whether two states are the same state.
func (s *State) Equal(t *State) bool {
	return s.Raised == t.Raised && s.known == t.known && s.flags == t.flags &&
		slices.Equal(s.heap, t.heap) && slices.Equal(s.slots, t.slots) &&
		slices.Equal(s.frames, t.frames) && slices.Equal(s.values, t.values) && slices.Equal(s.inits, t.inits) && s.equalStatics(t)
}

// equalStatics compares static fields class by class: classes may have been prepared in different orders.
func (s *State) equalStatics(t *State) bool {
	for k := s.known; k != 0; {
		var c ClassID
		c, k = k.First()
		if !slices.Equal(s.ofClass(c), t.ofClass(c)) {
			return false
		}
	}
	return true
}

func (s *State) ofClass(c ClassID) []slot { return s.sslots[s.statics[c].from:s.statics[c].to] }

// End tells whether s is an end state: there is no frame.
func (s *State) End() bool { return len(s.frames) == 0 }

// Flag returns how far a class is initialized.
func (s *State) Flag(c ClassID) Flag {
	if c >= MaxClasses {
		return Absent
	}
	return s.flags[c]
}

// Top returns the running frame; ok is false in an end state.
func (s *State) Top() (f Frame, ok bool) {
	if s.End() {
		return Frame{}, false
	}
	return s.frames[len(s.frames)-1], true
}

// Frames returns the frames, the running one last. The caller must not alter them.
func (s *State) Frames() []Frame { return s.frames }

// Stack returns the operand stack of the frame with an index, its top last.
func (s *State) Stack(i int) []Value {
	return s.values[s.frames[i].base+s.frames[i].locals : s.bound(i)]
}

// Locals returns the locals of the frame with an index.
func (s *State) Locals(i int) []Value {
	return s.values[s.frames[i].base : s.frames[i].base+s.frames[i].locals]
}

func (s *State) bound(i int) int32 {
	if i+1 < len(s.frames) {
		return s.frames[i+1].base
	}
	return int32(len(s.values))
}

// Inits returns the list Cs of the frame with an index, its first element last.
func (s *State) Inits(i int) []ClassID {
	if i+1 < len(s.frames) {
		return s.inits[s.frames[i].inits:s.frames[i+1].inits]
	}
	return s.inits[s.frames[i].inits:]
}

// Objects returns the number of objects on the heap; their addresses start at 0.
func (s *State) Objects() int { return len(s.heap) }

// ClassOf returns the class of the object at an address.
func (s *State) ClassOf(addr int) (ClassID, bool) {
	if addr < 0 || addr >= len(s.heap) {
		return NoClass, false
	}
	return s.heap[addr].class, true
}

// Static returns the value of a static field that d declares; ok is false if the static heap does not have it.
func (s *State) Static(d ClassID, f MemberID) (v Value, ok bool) {
	if cell := s.static(d, f); cell != nil {
		return cell.v, true
	}
	return Null, false
}

func (s *State) static(d ClassID, f MemberID) *slot {
	if d >= MaxClasses || !s.known.Has(d) {
		return nil
	}
	return find(s.ofClass(d), f, d)
}

func (s *State) field(addr int, f MemberID, d ClassID) *slot {
	return find(s.slots[s.heap[addr].from:s.heap[addr].to], f, d)
}

func find(slots []slot, f MemberID, d ClassID) *slot {
	for i := range slots {
		if slots[i].f == f && slots[i].d == d {
			return &slots[i]
		}
	}
	return nil
}

// allocate adds an object with default fields. Its slots are in order of class numbers, so that equal objects have equal slots under all programs.
func (s *State) allocate(p *Program, c ClassID) int {
	from := int32(len(s.slots))
	for above := p.Above(c); above != 0; {
		var d ClassID
		d, above = above.First()
		for _, f := range p.classes[d].Fields {
			if !f.Static {
				s.slots = append(s.slots, slot{f.Name, d, f.Type.Default()})
			}
		}
	}
	s.heap = append(s.heap, instance{c, span{from, int32(len(s.slots))}})
	return len(s.heap) - 1
}

// prepare puts a class on the static heap with default fields.
func (s *State) prepare(p *Program, c ClassID) {
	from := int32(len(s.sslots))
	for _, f := range p.classes[c].Fields {
		if f.Static {
			s.sslots = append(s.sslots, slot{f.Name, c, f.Type.Default()})
		}
	}
	s.known |= 1 << c
	s.flags[c], s.statics[c] = Prepared, span{from, int32(len(s.sslots))}
}

// enter pushes a frame whose first locals are the n topmost values of the frame below.
func (s *State) enter(class ClassID, m *Method, n int) {
	base := len(s.values)
	s.values = append(s.values, s.values[base-n:]...)
	for range m.Locals {
		s.values = append(s.values, Unit)
	}
	s.frames = append(s.frames, Frame{Class: class, Method: m.Name, base: int32(base), locals: int32(len(s.values) - base), inits: int32(len(s.inits))})
}

// leave drops the running frame.
func (s *State) leave() {
	f := &s.frames[len(s.frames)-1]
	s.values, s.inits = s.values[:f.base], s.inits[:f.inits]
	s.frames = s.frames[:len(s.frames)-1]
}

// Text returns the state for people: frames from the running one downwards, the static heap, the objects beside the preallocated ones.
func (s *State) Text(n *Names) string {
	var b strings.Builder
	if s.Raised >= 0 {
		fmt.Fprintf(&b, "raised %s\n", s.object(n, int(s.Raised)))
	}
	for i := len(s.frames) - 1; i >= 0; i-- {
		fmt.Fprintf(&b, "frame %s\n", s.frameText(n, i))
	}
	for _, c := range (s.known &^ SetOf(Start)).All() {
		fmt.Fprintf(&b, "class %s %s%s\n", n.Class(c), s.flags[c], fields(n, s.ofClass(c), false))
	}
	for a := len(systemExceptions); a < len(s.heap); a++ {
		fmt.Fprintf(&b, "object %s\n", s.object(n, a))
	}
	return b.String()
}

func (s *State) object(n *Names, a int) string {
	c, ok := s.ClassOf(a)
	if !ok {
		return fmt.Sprintf("@%d", a)
	}
	return fmt.Sprintf("@%d %s%s", a, n.Class(c), fields(n, s.slots[s.heap[a].from:s.heap[a].to], true))
}

func fields(n *Names, slots []slot, qualified bool) string {
	out := ""
	for _, x := range slots {
		name := n.Member(x.f)
		if qualified {
			name = n.Class(x.d) + "." + name
		}
		out += fmt.Sprintf(" %s=%v", name, x.v)
	}
	return out
}

func (s *State) frameText(n *Names, i int) string {
	f := &s.frames[i]
	out := fmt.Sprintf("%s.%s:%d stack %v locals %v", n.Class(f.Class), n.Member(f.Method), f.PC, s.Stack(i), s.Locals(i))
	list := s.initsText(n, i)
	switch f.ICS {
	case Calling:
		return fmt.Sprintf("%s Calling %s %s", out, n.Class(f.Init), list)
	case Called:
		return fmt.Sprintf("%s Called %s", out, list)
	case Throwing:
		return fmt.Sprintf("%s Throwing %s @%d", out, list, f.Raised)
	}
	return out
}

func (s *State) initsText(n *Names, i int) string {
	var names []string
	for _, c := range slices.Backward(s.Inits(i)) {
		names = append(names, n.Class(c))
	}
	return "[" + strings.Join(names, " ") + "]"
}
