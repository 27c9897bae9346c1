package agent

import (
	"encoding/binary"
	"strings"
)

// A Record is a part of a block. The types below are all there are; doc.go has their encoding.
type Record interface {
	tag() byte
	read(*cursor)
	append(dst []byte) []byte
}

// A Start is the first record: what the process is.
type Start struct {
	PID            uint64
	Time           uint64 // milliseconds since 1970
	Home, Version  string // of the JVM
	ClassPath, Dir string // java.class.path and user.dir
	Plan           uint64 // hash of the plan file
	Hooked         bool   // all hooks into the JDK are in place
}

// A Text is a string that later records refer to by its number, counted from 0.
type Text struct{ Text string }

// A Define is a class that was defined with its probes.
type Define struct {
	Class  int // index into Plan.Classes
	Base   int // the ids of the class in this process start here
	Loader int // number of its loader; 0 is the boot loader
}

// A Coarse is a class that was defined without probes.
type Coarse struct {
	Name   string // internal name; may be empty
	Reason CoarseReason
	Loader int
}

// A Loader is a class loader; they are numbered from 1.
type Loader struct{ Class string }

// A Node is a test or a group of tests.
type Node struct {
	ID, Parent int // numbered from 1; a root has parent 0
	Framework  Framework
	Kind       Kind
	Flags      NodeFlags
	// Key names the node; doc.go has the forms.
	Key string
	// Class is the binary name of the source class, with dots; Method the name and, from the JUnit Platform, the parameter types. Empty if not known.
	Class, Method string
}

// Engine is what runs the node: an engine of the JUnit Platform by its id, the innermost one in a suite; else "junit4", "junit3" or "testng". Only tests of
// "junit-jupiter", "junit-vintage", "testng", "junit4" and "junit3" can be excluded.
func (n *Node) Engine() string {
	if n.Framework != JUnitPlatform {
		name, _, _ := strings.Cut(n.Key, ":")
		return name
	}
	const mark = "[engine:"
	at := strings.LastIndex(n.Key, mark)
	if at < 0 {
		return ""
	}
	name, _, _ := strings.Cut(n.Key[at+len(mark):], "]")
	return name
}

// A Begin is the start of a node.
type Begin struct {
	Node   int
	Time   uint64 // nanoseconds since the agent's start
	Thread uint64
}

// An End is the end of a node. A node that was skipped has no Begin.
type End struct {
	Node    int
	Time    uint64
	Thread  uint64
	Outcome Outcome
	Why     string // class of what was thrown
}

// A Segment is what happened between two boundaries.
type Segment struct {
	Time   uint64  // of its end
	Active []int   // nodes that were running
	Hits   []int   // ids of this process
	Events []Event // by kind and text
	Beside []int   // texts "class.method": other threads were inside of these when the segment began
}

// An Event is something that the program asked the JDK for.
type Event struct {
	Kind EventKind
	Text int // number of the text
}

// An Init is what the initializer of a class did.
type Init struct {
	ID int // of the initializer in this process
	// Open: the end was not seen, because the initializer threw, or went on beyond a boundary.
	Open   bool
	Hits   []int
	Events []Event
	Nested []int // initializers that ran inside
}

// An Excluded is a test that was taken out of the run.
type Excluded struct{ Key string }

// A Problem is something that the agent could not do.
type Problem struct {
	Code ProblemCode
	Text string
}

// A Closing is the moment from which on the JVM runs the program's shutdown hooks.
type Closing struct{ Time uint64 }

// A Preparing is the moment when an engine turns to the next class or the like, of which it has not told yet.
type Preparing struct{}

// A Found is what happened while the tests of a class were looked for, before the first node.
type Found struct {
	Class  int // text: its binary name
	Hits   []int
	Events []Event
}

// A Finish is the orderly end of the process.
type Finish struct{ Time uint64 }

// newRecord makes an empty record of a tag, nil if there is no such.
func newRecord(tag byte) Record {
	all := []Record{&Start{}, &Text{}, &Define{}, &Coarse{}, &Loader{}, &Node{}, &Begin{}, &End{}, &Segment{}, &Init{}, &Excluded{}, &Problem{}, &Finish{}, &Closing{}, &Preparing{}, &Found{}}
	if tag == 0 || int(tag) > len(all) {
		return nil
	}
	return all[tag-1]
}

func (*Start) tag() byte     { return 1 }
func (*Text) tag() byte      { return 2 }
func (*Define) tag() byte    { return 3 }
func (*Coarse) tag() byte    { return 4 }
func (*Loader) tag() byte    { return 5 }
func (*Node) tag() byte      { return 6 }
func (*Begin) tag() byte     { return 7 }
func (*End) tag() byte       { return 8 }
func (*Segment) tag() byte   { return 9 }
func (*Init) tag() byte      { return 10 }
func (*Excluded) tag() byte  { return 11 }
func (*Problem) tag() byte   { return 12 }
func (*Finish) tag() byte    { return 13 }
func (*Closing) tag() byte   { return 14 }
func (*Preparing) tag() byte { return 15 }
func (*Found) tag() byte     { return 16 }

func (r *Start) read(c *cursor) {
	r.PID, r.Time = c.number(), c.number()
	r.Home, r.Version, r.ClassPath, r.Dir = c.text(), c.text(), c.text(), c.text()
	r.Plan = c.u8()
	r.Hooked = c.flag()
}

func (r *Start) append(b []byte) []byte {
	b = binary.AppendUvarint(binary.AppendUvarint(b, r.PID), r.Time)
	for _, s := range []string{r.Home, r.Version, r.ClassPath, r.Dir} {
		b = appendText(b, s)
	}
	return appendFlag(binary.BigEndian.AppendUint64(b, r.Plan), r.Hooked)
}

func (c *cursor) flag() bool {
	v := c.u1()
	c.bad = c.bad || v > 1
	return v == 1
}

func appendFlag(b []byte, v bool) []byte {
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}

func (r *Text) read(c *cursor)             { r.Text = c.text() }
func (r *Text) append(b []byte) []byte     { return appendText(b, r.Text) }
func (r *Loader) read(c *cursor)           { r.Class = c.text() }
func (r *Loader) append(b []byte) []byte   { return appendText(b, r.Class) }
func (r *Excluded) read(c *cursor)         { r.Key = c.text() }
func (r *Excluded) append(b []byte) []byte { return appendText(b, r.Key) }
func (r *Finish) read(c *cursor)           { r.Time = c.number() }
func (r *Finish) append(b []byte) []byte   { return binary.AppendUvarint(b, r.Time) }
func (r *Closing) read(c *cursor)          { r.Time = c.number() }
func (r *Closing) append(b []byte) []byte  { return binary.AppendUvarint(b, r.Time) }
func (*Preparing) read(*cursor)            {}
func (*Preparing) append(b []byte) []byte  { return b }

func (r *Define) read(c *cursor) { r.Class, r.Base, r.Loader = c.int(), c.int(), c.int() }

func (r *Define) append(b []byte) []byte {
	return appendInt(appendInt(appendInt(b, r.Class), r.Base), r.Loader)
}

func (r *Coarse) read(c *cursor) {
	r.Name = c.text()
	r.Reason, r.Loader = CoarseReason(c.upTo(1, byte(Early))), c.int()
}

func (r *Coarse) append(b []byte) []byte {
	return appendInt(append(appendText(b, r.Name), byte(r.Reason)), r.Loader)
}

func (r *Node) read(c *cursor) {
	r.ID, r.Parent = c.int(), c.int()
	r.Framework, r.Kind, r.Flags = Framework(c.upTo(1, byte(TestNG))), Kind(c.upTo(0, 7)), NodeFlags(c.upTo(0, 3))
	r.Key, r.Class, r.Method = c.text(), c.text(), c.text()
}

func (r *Node) append(b []byte) []byte {
	b = append(appendInt(appendInt(b, r.ID), r.Parent), byte(r.Framework), byte(r.Kind), byte(r.Flags))
	return appendText(appendText(appendText(b, r.Key), r.Class), r.Method)
}

// upTo reads a byte of a range.
func (c *cursor) upTo(low, high byte) byte {
	v := c.u1()
	c.bad = c.bad || v < low || v > high
	return v
}

func (r *Begin) read(c *cursor) { r.Node, r.Time, r.Thread = c.int(), c.number(), c.number() }

func (r *Begin) append(b []byte) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(appendInt(b, r.Node), r.Time), r.Thread)
}

func (r *End) read(c *cursor) {
	r.Node, r.Time, r.Thread = c.int(), c.number(), c.number()
	r.Outcome, r.Why = Outcome(c.upTo(1, byte(Skipped))), c.text()
}

func (r *End) append(b []byte) []byte {
	b = binary.AppendUvarint(binary.AppendUvarint(appendInt(b, r.Node), r.Time), r.Thread)
	return appendText(append(b, byte(r.Outcome)), r.Why)
}

func (r *Segment) read(c *cursor) {
	r.Time = c.number()
	r.Active, r.Hits = c.rising(), c.ids()
	r.Events, r.Beside = c.events(), c.rising()
}

func (r *Segment) append(b []byte) []byte {
	b = appendIDs(appendRising(binary.AppendUvarint(b, r.Time), r.Active), r.Hits)
	return appendRising(appendEvents(b, r.Events), r.Beside)
}

func (c *cursor) events() []Event {
	var out []Event
	for range c.count(2) {
		e := Event{EventKind(c.upTo(1, byte(FieldUnwatched))), c.int()}
		if n := len(out); n > 0 && (out[n-1].Kind > e.Kind || out[n-1].Kind == e.Kind && out[n-1].Text >= e.Text) {
			c.bad = true
		}
		out = append(out, e)
	}
	return out
}

func appendEvents(b []byte, events []Event) []byte {
	b = appendInt(b, len(events))
	for _, e := range events {
		b = appendInt(append(b, byte(e.Kind)), e.Text)
	}
	return b
}

func (r *Init) read(c *cursor) {
	r.ID = c.int()
	r.Open = c.flag()
	r.Hits, r.Events, r.Nested = c.ids(), c.events(), c.rising()
}

func (r *Init) append(b []byte) []byte {
	b = appendIDs(appendFlag(appendInt(b, r.ID), r.Open), r.Hits)
	return appendRising(appendEvents(b, r.Events), r.Nested)
}

func (r *Found) read(c *cursor) { r.Class, r.Hits, r.Events = c.int(), c.ids(), c.events() }

func (r *Found) append(b []byte) []byte {
	return appendEvents(appendIDs(appendInt(b, r.Class), r.Hits), r.Events)
}

func (r *Problem) read(c *cursor) {
	r.Code, r.Text = ProblemCode(c.upTo(1, byte(NotExcluded))), c.text()
}

func (r *Problem) append(b []byte) []byte { return appendText(append(b, byte(r.Code)), r.Text) }
