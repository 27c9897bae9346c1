package instrument

import (
	"fmt"
	"strconv"

	"winnow/internal/digest"
)

// format is part of every scheme's digest. It changes with anything that makes the same scheme write other bytes.
const format = "instrument 1"

// A Scheme says what is inserted into classes. The zero value is the usual one: probes and windows, no hooks.
type Scheme struct {
	Class     string // internal name of the probe class; default java/lang/$Winnow
	Array     string // name of its static field of type byte[]; default A
	InitEnter string // name of its static method (I)V that opens a window; default initEnter
	InitExit  string // name of its static method (I)V that closes a window; default initExit
	Hooks     []Hook
	HooksOnly bool // no probes and no windows, for classes such as the JDK's
	// InitializersOnly: of the methods without a hook, only class initializers get a probe, and their window.
	InitializersOnly bool
	Edges            bool // probes on the edges of the control flow, too; see Result.Edges
	// Receivers: instance methods, constructors aside, pass their receiver and their id to Received when they are entered.
	Receivers bool
	Received  string // name of the probe class's static method (Object, int)V for that; default received
}

// The defaults of Scheme.
const (
	DefaultClass     = "java/lang/$Winnow"
	DefaultArray     = "A"
	DefaultInitEnter = "initEnter"
	DefaultInitExit  = "initExit"
	DefaultReceived  = "received"
)

func (s Scheme) withDefaults() Scheme {
	set := func(field *string, value string) {
		if *field == "" {
			*field = value
		}
	}
	set(&s.Class, DefaultClass)
	set(&s.Array, DefaultArray)
	set(&s.InitEnter, DefaultInitEnter)
	set(&s.InitExit, DefaultInitExit)
	set(&s.Received, DefaultReceived)
	return s
}

// Digest names the scheme: two schemes with the same digest rewrite every class to the same bytes.
func (s Scheme) Digest() digest.Digest {
	s = s.withDefaults()
	var b digest.Builder
	for _, part := range []string{format, s.Class, s.Array, s.InitEnter, s.InitExit, strconv.FormatBool(s.HooksOnly), strconv.Itoa(len(s.Hooks))} {
		b.AddString(part)
	}
	for _, h := range s.Hooks {
		b.AddString(h.Class).AddString(h.Target).AddString(fmt.Sprint(h.Pass)).AddString(strconv.Itoa(len(h.Methods)))
		for _, m := range h.Methods {
			b.AddString(m.Name).AddString(m.Descriptor)
		}
		if h.Leaving {
			b.AddString("leaving")
		}
	}
	if s.InitializersOnly {
		b.AddString("initializers")
	}
	if s.Edges {
		b.AddString("edges")
	}
	if s.Receivers {
		b.AddString("receivers").AddString(s.Received)
	}
	return b.Sum()
}

// check tells why a name of the scheme cannot stand in a class file.
func (s Scheme) check() error {
	for _, name := range []string{s.Class, s.Array, s.InitEnter, s.InitExit, s.Received} {
		if len(name) > maxUtf8 {
			return fmt.Errorf("scheme: a name of %d bytes is too long", len(name))
		}
	}
	return nil
}

// maxUtf8 is the length of the longest text that a Utf8 constant can hold.
const maxUtf8 = 65535
