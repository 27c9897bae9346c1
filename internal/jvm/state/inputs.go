package state

import (
	"cmp"
	"slices"

	"winnow/internal/jvm/agent"
)

// Inputs are kinds of things that a body may ask the JDK for.
type Inputs uint8

// The kinds.
const (
	Files    Inputs = 1 << iota // and directories and resources
	Settings                    // system properties and variables of the environment
	Classes                     // by reflection, or by their names
	World                       // processes and the network

	anyInput = Files | Settings | Classes | World
)

// A Filled is what other footprints may have asked the JDK for to fill state that a test finds. No body tells what they got, so their events do; the bodies are inherited.
type Filled struct {
	Label  string             // "state(class.field)"
	Method int                // that fills it or asks for something, by its id in the plan
	In     []*agent.Footprint // that entered it before the test ended, in the order in which they began
	Inputs Inputs             // that it may have asked for, itself or by what it calls
}

// asked is what a class of the JDK asks for by its methods. Of several entries the longest one counts. What is in no list may ask for anything.
var asked = map[string]Inputs{
	"java/lang/": 0, "java/lang/Class": Classes, "java/lang/ClassLoader": Files | Classes, "java/lang/Module": Files | Classes, "java/lang/Package": Files | Classes, "java/lang/StackWalker": Classes,
	"java/lang/reflect/": Classes, "java/lang/invoke/": Classes, "java/lang/invoke/LambdaMetafactory": 0, "java/lang/invoke/StringConcatFactory": 0, "java/lang/Process": World,
	"java/lang/management/": anyInput, "java/lang/foreign/": anyInput, "java/lang/module/": anyInput, "java/lang/instrument/": anyInput,
	"java/io/": 0, "java/io/File": Files, "java/io/RandomAccessFile": Files, "java/io/Object": Classes,
	"java/nio/": 0, "java/nio/file/": Files, "java/nio/channels/": Files | World,
	"java/util/": 0, "java/util/ResourceBundle": Files | Classes | Settings, "java/util/ServiceLoader": Files | Classes, "java/util/PropertyResourceBundle": Files, "java/util/logging/": anyInput, "java/util/prefs/": anyInput,
	"java/util/zip/ZipFile": Files, "java/util/jar/JarFile": Files,
	"java/math/": 0, "java/time/": 0, "java/text/": 0, "java/beans/": Classes, "java/net/URI": 0, "java/net/URL": 0, "java/net/URLConnection": Files | World,
}

// askedBy has methods that ask for something else than their class does.
var askedBy = map[string]Inputs{
	"java/lang/Class.getResource": Files, "java/lang/Class.getResourceAsStream": Files,
	"java/lang/Class.getName": 0, "java/lang/Class.getSimpleName": 0, "java/lang/Class.getTypeName": 0, "java/lang/Class.getClassLoader": 0, "java/lang/Class.isInstance": 0, "java/lang/Class.cast": 0, "java/lang/Class.hashCode": 0,
	"java/lang/Class.equals": 0, "java/lang/Class.toString": 0, "java/lang/Class.desiredAssertionStatus": 0,
	"java/lang/System.getProperty": Settings, "java/lang/System.getProperties": Settings, "java/lang/System.getenv": Settings, "java/lang/System.lineSeparator": Settings, "java/lang/System.load": Files, "java/lang/System.loadLibrary": Files,
	"java/lang/Integer.getInteger": Settings, "java/lang/Long.getLong": Settings, "java/lang/Boolean.getBoolean": Settings, "java/lang/Runtime.exec": World, "java/lang/Thread.getContextClassLoader": 0,
	"java/io/PrintStream.<init>": Files, "java/io/PrintWriter.<init>": Files, "java/util/Scanner.<init>": Files, "java/util/Formatter.<init>": Files,
	"java/net/URL.openStream": Files | World, "java/net/URL.openConnection": Files | World, "java/net/URL.getContent": Files | World,
}

// inputs are what a call of the JDK asks for.
func (m Member) inputs() Inputs {
	if of, known := askedBy[m.Class+"."+m.Name]; known {
		return of
	}
	for end := len(m.Class); end > 0; end-- {
		if of, known := asked[m.Class[:end]]; known {
			return of
		}
	}
	return anyInput
}

// inputs are what a body asks for by its own calls.
func (c *cells) inputs(b *Body) Inputs {
	if b == nil {
		return anyInput
	}
	var out Inputs
	for _, m := range b.Calls {
		if m.Class[0] == '[' {
			continue
		}
		if !c.program.JDK(m.Class) {
			if !c.inJDK(m) {
				continue
			}
			m.Class = c.firstOfJDK(m.Class)
		}
		out |= m.inputs()
	}
	return out
}

// firstOfJDK is the class of the JDK that a class extends.
func (c *cells) firstOfJDK(class string) string {
	for {
		n, known := c.classes[class]
		if !known || c.types[n].jdk || c.types[n].class == nil {
			return class
		}
		class = c.types[n].class.Super
	}
}

// findInputs finds for each method what it may ask for: itself, or also by what it calls or makes for others to call. A body that is not known, or that can run methods that it does not name, may ask for anything.
func (h *heir) findInputs() error {
	callers := make([][]int32, len(h.methods))
	for n := range h.methods {
		callers[n] = h.in[n]
	}
	for n := range h.methods {
		b := h.methods[n].body
		if b == nil {
			continue
		}
		for i := range b.Functions {
			targets, err := h.call(b.Functions[i].Target)
			if err != nil {
				return err
			}
			for _, to := range targets {
				callers[to] = append(slices.Clip(callers[to]), int32(n))
			}
		}
	}
	h.inputs = make([]Inputs, len(h.methods))
	var todo []int32
	for n := range h.methods {
		of := h.types[h.methods[n].class]
		if of.frame {
			continue
		}
		b := h.methods[n].body
		h.inputs[n] = h.cells.inputs(b)
		asks := asker{int32(n), h.inputs[n]}
		if !of.ours {
			asks.inputs &= Files
		}
		if asks.inputs != 0 {
			h.askers = append(h.askers, asks)
		}
		if b.wildness() != tame {
			h.inputs[n] = anyInput
		}
		if h.inputs[n] != 0 {
			todo = append(todo, int32(n))
		}
	}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, m := range callers[n] {
			if all := h.inputs[m] | h.inputs[n]; all != h.inputs[m] && !h.types[h.methods[m].class].frame {
				h.inputs[m] = all
				todo = append(todo, m)
			}
		}
	}
	return nil
}

// An asker is a method that asks for something itself. Of those of libraries only files count: what else they ask for is mostly how they are made, and all tests would depend on what each of them looks at.
type asker struct {
	method int32
	inputs Inputs
}

// filled lists what others may have asked for to fill state that the test finds. For state of the project these are the footprints that entered the method that fills it, with all that it may have asked for. State of
// libraries is filled by methods that all tests enter, so there they are the footprints that entered a method which asks.
func (h *heir) filled() []Filled {
	var out []Filled
	for _, s := range h.starts {
		if h.inputs[s.filler] != 0 && h.followed[s.filler] == h.turn && h.asked[s.filler] != h.turn && h.inProject(s.cell) {
			h.asked[s.filler] = h.turn
			out = h.fills(out, s.cell, asker{s.filler, h.inputs[s.filler]})
		}
	}
	for _, a := range h.askers {
		if h.followed[a.method] == h.turn && h.asked[a.method] != h.turn {
			if c := h.starts[h.root[a.method]].cell; !h.inProject(c) {
				out = h.fills(out, c, a)
			}
		}
	}
	return out
}

// inProject tells whether a cell is state of the project.
func (h *heir) inProject(c int) bool {
	of := h.cells.all[c]
	return of.container || h.types[of.owner].ours
}

// fills adds what was asked for by those who entered a method before the test ended.
func (h *heir) fills(out []Filled, c int, a asker) []Filled {
	in := h.entering(a.method)
	n, _ := slices.BinarySearchFunc(in, h.ends, func(f *agent.Footprint, ends uint64) int {
		if h.begins[h.number[f]] <= ends {
			return -1
		}
		return 1
	})
	if n == 0 {
		return out
	}
	return append(out, Filled{"state(" + h.cells.all[c].label + ")", h.methods[a.method].id, in[:n:n], a.inputs})
}

// entering lists the footprints that entered a method, in the order in which they began.
func (h *heir) entering(n int32) []*agent.Footprint {
	out, known := h.enterers[n]
	if !known {
		numbers := slices.Clone(h.with[n])
		slices.SortStableFunc(numbers, func(a, b int32) int { return cmp.Compare(h.begins[a], h.begins[b]) })
		for _, k := range numbers {
			out = append(out, h.from[k])
		}
		h.enterers[n] = out
	}
	return out
}

// Asks tells whether an event is about something of these kinds.
func (in Inputs) Asks(k agent.EventKind) bool {
	switch k {
	case agent.FileRead, agent.FileAsked, agent.DirectoryListed, agent.ResourceSought:
		return in&Files != 0
	case agent.PropertyRead, agent.PropertiesRead, agent.VariableRead, agent.VariablesRead:
		return in&Settings != 0
	case agent.ClassReflected, agent.ClassFound, agent.ClassSought, agent.ClassParsed:
		return in&Classes != 0
	case agent.ProcessStarted, agent.NetworkUsed:
		return in&World != 0
	case agent.FileWritten, agent.PropertyWritten, agent.DefaultSet: // what it gives, not what it gets
		return false
	}
	return true
}
