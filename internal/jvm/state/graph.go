package state

import (
	"fmt"
	"slices"
	"strings"

	"winnow/internal/jvm/agent"
)

// A Program gives the classes that a process ran.
type Program interface {
	// Class returns a class by its internal name, one of the JDK too; nil if there is none.
	Class(name string) (*Class, error)
	// JDK tells whether a class is part of the JDK.
	JDK(name string) bool
	// Own tells whether a class is one of the project, not of a library.
	Own(name string) bool
}

// A method is one that was entered in the process.
type method struct {
	id    int // of the plan
	class int32
	body  *Body // nil if it is not known: then it may do anything
}

// numbered is the part of a plan that a graph needs.
type numbered interface {
	Method(id int) (agent.Method, bool)
}

// A graph is the methods that a process entered and the calls between them.
type graph struct {
	program Program
	plan    numbered
	tests   map[string]bool // classes with tests
	classes map[string]int32
	types   []*typeNode
	methods []method
	nodes   map[int]int32      // by id of the plan
	named   map[string][]int32 // by name and descriptor
	lambdas map[string][]lambda
	made    []*Function          // by number
	makes   [][]int32            // by method: the kinds of objects it makes
	targets map[Member][]int32   // what a call can run
	perhaps map[Member][]perhaps // what a virtual call can run, and for which objects
	out     [][]int32            // calls of each method; made when asked for
	backs   map[int32][]int32    // by class: see callbacks
	below   map[int32]below      // by class of the JDK: see callbacksBelow
}

// A typeNode is a class or interface, with or without methods in the process.
type typeNode struct {
	name  string
	class *Class // nil if there is none
	jdk   bool
	ours  bool             // of the project, not of a library
	frame bool             // part of a test framework
	above []int32          // itself and all supertypes
	under map[int32]bool   // itself and all subtypes of which a method was entered
	own   map[string]int32 // methods that were entered, by name and descriptor

	captured bool // it stands for the functions that a method makes; see captures
}

// A kind is what an object is: a class, by its number, or a function, by minus its number minus one.
type kind = int32

// A perhaps is a call that happens if there is an object of a kind.
type perhaps struct {
	of kind
	to int32
}

// A lambda is a function with its number.
type lambda struct {
	*Function
	kind kind
}

func newGraph(program Program, plan numbered) *graph {
	return &graph{program: program, plan: plan, tests: map[string]bool{}, classes: map[string]int32{}, nodes: map[int]int32{}, named: map[string][]int32{}, lambdas: map[string][]lambda{},
		targets: map[Member][]int32{}, perhaps: map[Member][]perhaps{}, backs: map[int32][]int32{}, below: map[int32]below{}}
}

// node returns the number of a method, which is entered from now on.
func (g *graph) node(id int) (int32, error) {
	if n, ok := g.nodes[id]; ok {
		return n, nil
	}
	m, ok := g.plan.Method(id)
	if !ok {
		return 0, fmt.Errorf("the plan has no method %d", id)
	}
	class, err := g.typeOf(m.Class)
	if err != nil {
		return 0, err
	}
	n := int32(len(g.methods))
	g.nodes[id] = n
	t := g.types[class]
	if len(t.own) == 0 {
		for _, up := range t.above {
			g.types[up].under[class] = true
		}
	}
	g.methods = append(g.methods, method{id: id, class: class, body: t.body(m)})
	for _, key := range t.keys(m) {
		t.own[key] = n
		g.named[key] = append(g.named[key], n)
	}
	var makes []kind
	if b := g.methods[n].body; b != nil {
		for i := range b.Functions {
			f := &b.Functions[i]
			g.made = append(g.made, f)
			k := kind(-len(g.made))
			g.lambdas[f.Name] = append(g.lambdas[f.Name], lambda{f, k})
			makes = append(makes, k)
		}
		for _, name := range b.News {
			k, err := g.typeOf(name)
			if err != nil {
				return 0, err
			}
			makes = append(makes, k)
		}
	}
	g.makes = append(g.makes, makes)
	return n, nil
}

// body finds what a method of the plan does. A class with one id for all methods does what all of them do.
func (t *typeNode) body(m agent.Method) *Body {
	if t.class == nil {
		return nil
	}
	if m.Name == "" {
		return t.class.whole()
	}
	for i := range t.class.Methods {
		if b := &t.class.Methods[i]; b.Name == m.Name && b.Descriptor == m.Descriptor {
			return b
		}
	}
	return nil
}

// keys are the names and descriptors that an id stands for.
func (t *typeNode) keys(m agent.Method) []string {
	if m.Name != "" {
		return []string{m.Name + m.Descriptor}
	}
	var out []string
	if t.class != nil {
		for i := range t.class.Methods {
			out = append(out, t.class.Methods[i].Name+t.class.Methods[i].Descriptor)
		}
	}
	return out
}

// whole is a body that does what all bodies of the class do.
func (c *Class) whole() *Body {
	all := &Body{}
	for i := range c.Methods {
		b := &c.Methods[i]
		all.Reads, all.Writes = append(all.Reads, b.Reads...), append(all.Writes, b.Writes...)
		all.Calls, all.Functions = append(all.Calls, b.Calls...), append(all.Functions, b.Functions...)
		all.News, all.Names = append(all.News, b.News...), append(all.Names, b.Names...)
		all.Branches, all.Stores = true, all.Stores|b.Stores
	}
	return all
}

// typeOf numbers a class and its supertypes.
func (g *graph) typeOf(name string) (int32, error) {
	if n, ok := g.classes[name]; ok {
		return n, nil
	}
	c, err := g.program.Class(name)
	if err != nil {
		return 0, err
	}
	n := int32(len(g.types))
	g.classes[name] = n
	t := &typeNode{name: name, class: c, jdk: g.program.JDK(name), ours: g.program.Own(name), frame: framework(name), above: []int32{n}, under: map[int32]bool{}, own: map[string]int32{}}
	g.types = append(g.types, t)
	if c == nil {
		return n, nil
	}
	supers := c.Interfaces
	if c.Super != "" {
		supers = append(slices.Clone(supers), c.Super)
	}
	for _, s := range supers {
		up, err := g.typeOf(s)
		if err != nil {
			return 0, err
		}
		t.above = append(t.above, g.types[up].above...)
	}
	slices.Sort(t.above)
	t.above = slices.Compact(t.above)
	return n, nil
}

// frameworks are the packages of test frameworks. Their runners hold tests and call them by reflection, so with their state everything would be state.
var frameworks = []string{"org/junit/", "junit/", "org/testng/", "org/apache/maven/surefire/"}

// stores is where JUnit keeps what extensions make once for many tests.
const stores = "org/junit/platform/engine/support/store/"

// asksStores tells whether a method that is none of a framework's asks JUnit's stores for something, or may.
func (g *graph) asksStores(n int32) bool {
	b, t := g.methods[n].body, g.types[g.methods[n].class]
	if t.frame || strings.HasPrefix(t.name, stores) {
		return false
	}
	return b == nil || slices.ContainsFunc(b.Calls, func(m Member) bool {
		return strings.HasPrefix(m.Class, stores) || strings.HasPrefix(m.Class, "org/junit/") && strings.HasSuffix(m.Class, "Store")
	})
}

func framework(class string) bool {
	return slices.ContainsFunc(frameworks, func(p string) bool { return strings.HasPrefix(class, p) }) && !strings.HasPrefix(class, stores)
}

// isA tells whether a class is another one or a subtype of it.
func (g *graph) isA(class, of int32) bool {
	_, ok := slices.BinarySearch(g.types[class].above, of)
	return ok
}

// meet tells whether an object can be of both types.
func (g *graph) meet(a, b int32) bool {
	if g.isA(a, b) || g.isA(b, a) {
		return true
	}
	small, large := g.types[a].under, g.types[b].under
	if len(small) > len(large) {
		small, large = large, small
	}
	if len(small) == 0 || len(small) == 1 && (small[a] || small[b]) {
		return false
	}
	for c := range small {
		if large[c] {
			return true
		}
	}
	return false
}

// runs lists the entered methods that a function can run. A method reference such as list::add calls what the class of its object has, and that is a method of the JDK if the body made the object, of a class of the JDK.
func (g *graph) runs(f *Function) ([]int32, error) {
	out, err := g.call(f.Target)
	if err != nil || len(f.On) == 0 || f.Target.Static || f.Target.Special {
		return out, err
	}
	for _, name := range f.On {
		class, err := g.typeOf(name)
		if err != nil || !g.types[class].jdk {
			return out, err
		}
	}
	return slices.DeleteFunc(slices.Clone(out), func(n int32) bool { return !g.types[g.methods[n].class].jdk }), nil
}

// call lists the entered methods that a call can run.
func (g *graph) call(m Member) ([]int32, error) {
	if known, ok := g.targets[m]; ok {
		return known, nil
	}
	owner, err := g.typeOf(elementClass(m.Class))
	if err != nil {
		return nil, err
	}
	var out []int32
	if m.Static || m.Special {
		out = g.declared(owner, m.Name+m.Descriptor)
	} else if out, err = g.reaches(m); err != nil {
		return nil, err
	}
	slices.Sort(out)
	out = slices.Compact(out)
	g.targets[m] = out
	return out, nil
}

// reaches lists the methods that a virtual call can run. A function that it runs may be a reference to a method that is called like that in turn, and functions can lead to one another in a circle.
func (g *graph) reaches(m Member) ([]int32, error) {
	var out []int32
	seen := map[Member]bool{m: true}
	for todo := []Member{m}; len(todo) > 0; {
		m := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if known, ok := g.targets[m]; ok {
			out = append(out, known...)
			continue
		}
		owner, err := g.typeOf(elementClass(m.Class))
		if err != nil {
			return nil, err
		}
		if m.Static || m.Special {
			out = append(out, g.declared(owner, m.Name+m.Descriptor)...)
			continue
		}
		for _, p := range g.overriding(owner, m.Name+m.Descriptor) {
			out = append(out, p.to)
		}
		functions, err := g.functions(owner, m.Name)
		if err != nil {
			return nil, err
		}
		for _, f := range functions {
			if !seen[f.Target] {
				seen[f.Target] = true
				todo = append(todo, f.Target)
			}
		}
	}
	return out, nil
}

// declared finds a method in a class or its supertypes.
func (g *graph) declared(owner int32, key string) []int32 {
	var out []int32
	for _, up := range g.types[owner].above {
		if n, ok := g.types[up].own[key]; ok {
			out = append(out, n)
		}
	}
	return out
}

// overriding lists the methods of classes that a virtual call can run, and for which kind of object.
func (g *graph) overriding(owner int32, key string) []perhaps {
	var out []perhaps
	for _, n := range g.named[key] {
		if of := g.methods[n].class; g.meet(of, owner) && !(g.types[of].frame && g.types[owner].jdk) {
			out = append(out, perhaps{of, n})
		}
	}
	return out
}

// functions lists the functions that a virtual call can run.
func (g *graph) functions(owner int32, name string) ([]lambda, error) {
	var out []lambda
	for _, f := range g.lambdas[name] {
		of, err := g.typeOf(f.Interface)
		if err != nil {
			return nil, err
		}
		if !g.isA(of, owner) && !g.isA(owner, of) || f.Target.Name == name && f.Target.Class == g.types[owner].name || g.types[owner].jdk && framework(f.Target.Class) {
			continue
		}
		out = append(out, f)
	}
	return out, nil
}

// candidates lists what a virtual call can run, and for which kind of object.
func (g *graph) candidates(owner int32, name, key string) ([]perhaps, error) {
	out := g.overriding(owner, key)
	functions, err := g.functions(owner, name)
	if err != nil {
		return nil, err
	}
	for _, f := range functions {
		more, err := g.runs(f.Function)
		if err != nil {
			return nil, err
		}
		for _, n := range more {
			out = append(out, perhaps{f.kind, n})
		}
	}
	return out, nil
}

// virtual lists what a virtual call can run.
func (g *graph) virtual(m Member) ([]perhaps, error) {
	if known, ok := g.perhaps[m]; ok {
		return known, nil
	}
	owner, err := g.typeOf(elementClass(m.Class))
	if err != nil {
		return nil, err
	}
	out, err := g.candidates(owner, m.Name, m.Name+m.Descriptor)
	if err != nil {
		return nil, err
	}
	g.perhaps[m] = out
	return out, nil
}

// calls lists the entered methods that a method can run, whatever objects there are: those it names, and those of objects that it makes and hands to the JDK.
func (g *graph) calls(n int32) ([]int32, error) {
	if g.out == nil {
		g.out = make([][]int32, len(g.methods))
	}
	if g.out[n] != nil {
		return g.out[n], nil
	}
	out := []int32{}
	if b := g.methods[n].body; b != nil {
		for _, m := range b.Calls {
			if m.Class[0] == '[' || !m.Static && !m.Special && g.program.JDK(m.Class) {
				continue // what the JDK declares is called by everybody; arrays have no other methods
			}
			more, err := g.call(m)
			if err != nil {
				return nil, err
			}
			out = append(out, more...)
		}
		for _, name := range b.News {
			more, err := g.callbacks(name)
			if err != nil {
				return nil, err
			}
			out = append(out, more...)
		}
	}
	slices.Sort(out)
	g.out[n] = slices.Compact(out)
	return g.out[n], nil
}

// callbacks lists the entered methods of a class that the JDK can call, because a type of the JDK declares them.
func (g *graph) callbacks(name string) ([]int32, error) {
	class, err := g.typeOf(name)
	if err != nil {
		return nil, err
	}
	if known, ok := g.backs[class]; ok {
		return known, nil
	}
	declared := map[string]bool{}
	for _, up := range g.types[class].above {
		if t := g.types[up]; t.jdk && t.class != nil {
			for i := range t.class.Methods {
				declared[t.class.Methods[i].Name+t.class.Methods[i].Descriptor] = true
			}
		}
	}
	var out []int32
	for _, up := range g.types[class].above {
		for key, n := range g.types[up].own {
			if declared[key] && !strings.HasPrefix(key, "<") {
				out = append(out, n)
			}
		}
	}
	slices.Sort(out)
	g.backs[class] = out
	return out, nil
}

// below are the callbacks of the project's classes that a class of the JDK has for subtypes, as long as there are so many types.
type below struct {
	types int
	backs []int32
}

// callbacksBelow lists the callbacks of all classes of the project that are subtypes of one of the JDK, each once: many have them from the same class.
func (g *graph) callbacksBelow(jdk int32) ([]int32, error) {
	if known, ok := g.below[jdk]; ok && known.types == len(g.types) {
		return known.backs, nil
	}
	var all []int32
	for _, sub := range g.subtypes(jdk) {
		if !g.types[sub].ours {
			continue
		}
		backs, err := g.callbacks(g.types[sub].name)
		if err != nil {
			return nil, err
		}
		all = append(all, backs...)
	}
	g.below[jdk] = below{len(g.types), union(nil, all)}
	return g.below[jdk].backs, nil
}

// subtypes lists the subtypes of a class of which a method was entered.
func (g *graph) subtypes(class int32) []int32 {
	var out []int32
	for sub := range g.types[class].under {
		out = append(out, sub)
	}
	slices.Sort(out)
	return out
}

// wildness tells whether a body can run methods that it does not name.
type wildness uint8

const (
	tame     wildness = iota
	wild              // by reflection, method handles or services: methods of objects that it got, static ones and constructors
	conjurer          // it may also make objects without a constructor, by deserialization or Unsafe, or it is not known
)

func (b *Body) wildness() wildness {
	if b == nil {
		return conjurer
	}
	out := tame
	for _, m := range b.Calls {
		switch m.Class {
		case "java/lang/reflect/Method":
			if m.Name == "invoke" {
				out = max(out, wild)
			}
		case "java/lang/reflect/Constructor", "java/lang/Class":
			if m.Name == "newInstance" {
				out = max(out, wild)
			}
		case "java/lang/invoke/MethodHandle", "java/util/ServiceLoader":
			out = max(out, wild)
		case "java/io/ObjectInputStream", "javax/script/ScriptEngine", "sun/reflect/ReflectionFactory":
			out = conjurer
		case "sun/misc/Unsafe":
			if m.Name == "allocateInstance" {
				out = conjurer
			}
		}
	}
	return out
}
