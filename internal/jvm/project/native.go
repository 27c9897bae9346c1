package project

import (
	"maps"
	"slices"
	"strings"

	"winnow/internal/jvm/agent"
	"winnow/internal/jvm/state"
	"winnow/internal/rts"
)

// Native code reads what it likes, unseen. A footprint that may have called native methods outside of the JDK is opaque (S8.8), if the process has loaded a native library at all: many
// programs look for one in vain and do without. Whether a body that calls a native method got as far as the call is not known.

// natives knows what a process can have called.
type natives struct {
	classes map[string][]string        // by name and descriptor of a native method: the classes that declare it
	subtype map[string]map[string]bool // see isA
	called  map[int]string             // by method: the native method that it calls; "" if it calls none
}

// harmless are packages, and classes, whose native methods compute from what they are given, ask whether there is a terminal, give advice to the system, or open packages of modules.
var harmless = []string{
	"org/xerial/snappy/", "com/github/luben/zstd/", "net/jpountz/", "com/aayushatharva/brotli4j/", "org/fusesource/jansi/", "org/jline/", "org/apache/lucene/",
	"com/oracle/truffle/polyglot/JDKSupport", "com/oracle/truffle/runtime/ModulesSupport",
}

func isHarmless(class string) bool {
	return slices.ContainsFunc(harmless, func(p string) bool { return strings.HasPrefix(class, p) })
}

// findNatives looks for native methods in the classes that entered methods belong to or name in calls.
func (r *recorder) findNatives() {
	if r.library == nil {
		return
	}
	noted := r.program.Feature() >= agent.LibrariesSince
	entered := map[int]bool{}
	for _, f := range r.withInitializers() {
		for _, id := range f.Methods {
			entered[id] = true
		}
	}
	n := &natives{map[string][]string{}, map[string]map[string]bool{}, map[int]string{}}
	loads, named := r.trace.Libraries, map[string]bool{}
	for id := range entered {
		m, _ := r.plan.Method(id)
		named[m.Class] = true
		for b := range r.bodiesOf(id) {
			for _, call := range b.Calls {
				loads = loads || callsForeign(call) || !noted && loadsNative(call)
				named[call.Class] = true
			}
		}
	}
	if !loads {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(named)) {
		if r.program.JDK(name) || isHarmless(name) {
			continue
		}
		if c, err := r.library.Class(name); err == nil && c != nil {
			for i := range c.Methods {
				if b := &c.Methods[i]; b.Native {
					n.classes[b.Name+b.Descriptor] = append(n.classes[b.Name+b.Descriptor], name)
				}
			}
		}
	}
	r.natives = n
}

// loadsNative tells whether a call makes native methods callable, if it finds the library.
func loadsNative(m state.Member) bool {
	return (m.Class == "java/lang/System" || m.Class == "java/lang/Runtime") && (m.Name == "load" || m.Name == "loadLibrary")
}

// callsForeign tells whether a call makes a handle of a native function.
func callsForeign(m state.Member) bool {
	return m.Class == "java/lang/foreign/Linker" && m.Name == "downcallHandle"
}

// nativeUses are the native methods that a footprint may have called; one of them tells enough.
func (r *recorder) nativeUses(f *agent.Footprint) []rts.Use {
	if r.natives == nil || discovers(f) {
		return nil
	}
	for _, id := range f.Methods {
		if name := r.calledNative(id); name != "" {
			return []rts.Use{opaque("native code: " + name)}
		}
	}
	return nil
}

func (r *recorder) calledNative(id int) string {
	if name, ok := r.natives.called[id]; ok {
		return name
	}
	name := ""
	for b := range r.bodiesOf(id) {
		for _, m := range b.Calls {
			if name == "" {
				name = r.nativeTarget(m)
			}
		}
	}
	if m, _ := r.plan.Method(id); isHarmless(m.Class) {
		name = ""
	}
	r.natives.called[id] = name
	return name
}

// nativeTarget is the native method that a call can run; "" if there is none.
func (r *recorder) nativeTarget(m state.Member) string {
	if callsForeign(m) {
		return "java.lang.foreign.Linker"
	}
	for _, class := range r.natives.classes[m.Name+m.Descriptor] {
		if r.extends(class, m.Class) || r.extends(m.Class, class) {
			return strings.ReplaceAll(class, "/", ".") + "." + m.Name
		}
	}
	return ""
}

func (r *recorder) extends(class, above string) bool {
	known := r.natives.subtype[above]
	if known == nil {
		known = map[string]bool{}
		r.natives.subtype[above] = known
	}
	return r.isA(class, above, known)
}
