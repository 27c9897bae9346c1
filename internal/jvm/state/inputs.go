package state

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

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
	List   int                // lists of one number have the same beginning
	In     []*agent.Footprint // that asked before the test ended, in the order in which they began
	Inputs Inputs             // that they asked for
}

// asked is what a class of the JDK asks for by its methods. Of several entries the longest one counts. What is in no list may ask for anything.
var asked = map[string]Inputs{
	"java/lang/": 0, "java/lang/Class": Classes, "java/lang/ClassLoader": Files | Classes, "java/lang/Module": Files | Classes, "java/lang/Package": Files | Classes, "java/lang/StackWalker": Classes,
	"java/lang/reflect/": Classes, "java/lang/invoke/": Classes, "java/lang/invoke/LambdaMetafactory": 0, "java/lang/invoke/StringConcatFactory": 0, "java/lang/Process": World,
	"java/lang/management/": anyInput, "java/lang/foreign/": anyInput, "java/lang/module/": anyInput, "java/lang/instrument/": anyInput,
	"java/io/": 0, "java/io/File": Files, "java/io/RandomAccessFile": Files, "java/io/Object": Classes,
	"java/nio/": 0, "java/nio/file/": Files, "java/nio/channels/": World, "java/nio/channels/FileChannel": Files, "java/nio/channels/AsynchronousFileChannel": Files,
	"java/util/": 0, "java/util/ResourceBundle": Files | Classes | Settings, "java/util/ServiceLoader": Files | Classes, "java/util/PropertyResourceBundle": Files, "java/util/prefs/": anyInput,
	"java/util/zip/ZipFile": Files, "java/util/jar/JarFile": Files,
	"java/security/": 0, "javax/crypto/": 0, "sun/misc/Unsafe": 0, "java/net/": 0, "java/net/Socket": World, "java/net/ServerSocket": World, "java/net/DatagramSocket": World, "java/net/MulticastSocket": World, "java/net/HttpURLConnection": World, "java/net/http/": World, "javax/net/": World,
	"java/math/": 0, "java/time/": 0, "java/text/": 0, "java/beans/": Classes, "java/net/URLConnection": Files | World, "java/net/JarURLConnection": Files | World, "java/net/URLClassLoader": Files | Classes,
}

// askedBy has methods that ask for something else than their class does.
var askedBy = map[string]Inputs{
	"java/lang/Class.getResource": Files, "java/lang/Class.getResourceAsStream": Files,
	"java/lang/Class.getName": 0, "java/lang/Class.getSimpleName": 0, "java/lang/Class.getTypeName": 0, "java/lang/Class.getClassLoader": 0, "java/lang/Class.isInstance": 0, "java/lang/Class.cast": 0, "java/lang/Class.hashCode": 0,
	"java/lang/Class.equals": 0, "java/lang/Class.toString": 0, "java/lang/Class.desiredAssertionStatus": 0,
	"java/lang/System.getProperty": Settings, "java/lang/System.getProperties": Settings, "java/lang/System.getenv": Settings, "java/lang/System.lineSeparator": Settings, "java/lang/System.load": Files, "java/lang/System.loadLibrary": Files,
	"java/lang/Integer.getInteger": Settings, "java/lang/Long.getLong": Settings, "java/lang/Boolean.getBoolean": Settings, "java/lang/Runtime.exec": World, "java/lang/Thread.getContextClassLoader": 0,
	"java/util/logging/LogManager.readConfiguration": Files, "java/util/logging/FileHandler.<init>": Files, "java/io/PrintStream.<init>": Files, "java/io/PrintWriter.<init>": Files, "java/util/Scanner.<init>": Files, "java/util/Formatter.<init>": Files,
	"java/net/URL.openStream": Files | World, "java/net/URL.openConnection": Files | World, "java/net/URL.getContent": Files | World,
}

// inputs are what a call of the JDK asks for.
func (m Member) inputs() Inputs {
	if of, known := askedBy[m.Class+"."+m.Name]; known {
		return of
	}
	if strings.HasSuffix(m.Class, "Exception") || strings.HasSuffix(m.Class, "Error") {
		return 0
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

// An asker is a method that asks for something itself. Of those of libraries only files count: what else they ask for is mostly how they are made, and all tests would depend on what each of them looks at.
type asker struct {
	method int32
	inputs Inputs
}

// findAskers lists the methods that ask for something, and finds those that may call one.
func (h *heir) findAskers() {
	h.mayAsk, h.asksAt = make([]bool, len(h.methods)), make([]bool, len(h.site))
	for n := range h.methods {
		of := h.types[h.methods[n].class]
		if of.frame {
			continue
		}
		a := asker{int32(n), h.cells.inputs(h.methods[n].body)}
		if !of.ours {
			a.inputs &= Files
		}
		if a.inputs != 0 {
			h.askers = append(h.askers, a)
			h.mayAsk[n] = true
		}
	}
	asks := func(n int32) bool { return h.mayAsk[n] }
	for more := true; more; {
		more = false
		for at, to := range h.site {
			h.asksAt[at] = h.asksAt[at] || slices.ContainsFunc(to, func(p perhaps) bool { return h.mayAsk[p.to] })
		}
		for n := range h.methods {
			if !h.mayAsk[n] && (slices.ContainsFunc(h.direct[n], asks) || slices.ContainsFunc(h.sites[n], func(at int32) bool { return h.asksAt[at] })) {
				h.mayAsk[n], more = true, true
			}
		}
	}
}

// filled lists what others may have asked for to fill state that the test finds: those who entered a method that asks, and that is met on the way from what fills the state. What is inherited only because reflection can run
// anything does not count, or every test that uses such a library would depend on all files.
func (h *heir) filled() []Filled {
	if !slices.ContainsFunc(h.askers, func(a asker) bool { return h.followed[a.method] == h.turn }) {
		return nil
	}
	fillers := h.meet()
	var out []Filled
	for _, a := range h.askers {
		if h.met[a.method] != h.turn {
			continue
		}
		var by []int32
		if !fillers[a.method] {
			by = h.metFrom(a.method)
		}
		of := h.entering(a.method, by)
		n, _ := slices.BinarySearchFunc(of.in, h.ends, func(f *agent.Footprint, ends uint64) int {
			if h.begins[h.number[f]] <= ends {
				return -1
			}
			return 1
		})
		if n > 0 {
			label := "state(" + h.cells.all[h.starts[h.root[a.method]].cell].label + ")"
			out = append(out, Filled{label, of.number, of.in[:n:n], a.inputs})
		}
	}
	return out
}

// meet marks the methods on the way from what fills the state to those that ask, among those that the test has or inherits. It returns what fills the state.
func (h *heir) meet() map[int32]bool {
	fillers := map[int32]bool{}
	var todo []int32
	add := func(n int32) {
		if h.mayAsk[n] && h.followed[n] == h.turn && h.met[n] != h.turn {
			h.met[n] = h.turn
			todo = append(todo, n)
		}
	}
	for _, s := range h.starts {
		fillers[s.filler] = true
		add(s.filler)
	}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, m := range h.direct[n] {
			add(m)
		}
		for _, at := range h.sites[n] {
			if h.asksAt[at] {
				for _, p := range h.site[at] {
					add(p.to)
				}
			}
		}
	}
	return fillers
}

// metFrom lists the callers of a method among those that are met.
func (h *heir) metFrom(n int32) []int32 {
	var out []int32
	for _, m := range h.in[n] {
		if h.met[m] == h.turn {
			out = append(out, m)
		}
	}
	return out
}

// enterers are footprints that entered a method, in the order in which they began, and the number of this list.
type enterers struct {
	number int
	in     []*agent.Footprint
}

// entering lists the footprints that entered a method: those that entered one of some callers too, if there are any.
func (h *heir) entering(n int32, callers []int32) enterers {
	key := fmt.Sprint(n, callers)
	out, known := h.enterers[key]
	if !known {
		numbers := slices.Clone(h.with[n])
		slices.SortStableFunc(numbers, func(a, b int32) int { return cmp.Compare(h.begins[a], h.begins[b]) })
		for _, k := range numbers {
			if len(callers) == 0 || slices.ContainsFunc(callers, func(m int32) bool { _, has := slices.BinarySearch(h.has[k], m); return has }) {
				out.in = append(out.in, h.from[k])
			}
		}
		out.number = len(h.enterers)
		h.enterers[key] = out
	}
	return out
}

// Asks tells whether an event is about something of these kinds.
func (in Inputs) Asks(k agent.EventKind) bool {
	switch k {
	case agent.FileRead, agent.FileAsked, agent.DirectoryListed, agent.ResourceSought, agent.LibraryLoaded, agent.FileLinked, agent.JarRead:
		return in&Files != 0
	case agent.PropertyRead, agent.PropertiesRead, agent.VariableRead, agent.VariablesRead:
		return in&Settings != 0
	case agent.ClassReflected, agent.ClassFound, agent.ClassSought, agent.ClassParsed:
		return in&Classes != 0
	case agent.ProcessStarted, agent.NetworkUsed:
		return in&World != 0
	case agent.FileWritten, agent.FileAppended, agent.PropertyWritten, agent.DefaultSet: // what it gives, not what it gets
		return false
	}
	return true
}
