package state

import (
	"slices"
	"strings"
)

// A cell is a field, the same for all objects that have it, together with what arrays and objects of the JDK that it leads to hold.
type cell struct {
	label      string // "class.field"
	static     bool
	descriptor string
	owner      int32 // the class that declares the field
	readers    []int32
	writers    []int32             // outside initializers and constructors
	givers     []int32             // writers that do not only write constants
	onces      []writing           // how writers write it, if they do not count with it
	once       *cell               // the one that has the mark, it or its flag, if it is filled once; see findOnces
	makers     []int32             // all methods that write the field
	fillers    []int32             // see fill
	near       []int32             // fillers that name the field themselves, sorted
	backs      []int32             // what an object of the JDK in it can call
	empty      bool                // see Field.Empty
	kept       bool                // the JDK keeps it: not a field of the program
	lazy       bool                // it is one of lazyGlobals
	rows       bool                // it is what databases keep; see rows
	region     *region             // see regionOf
	ours       bool                // a static field of the project, or a stream of java.lang.System
	function   bool                // it is ours, and can hold a function
	plain      bool                // it is ours, and holds an array or an object of the JDK
	types      map[int32][]changed // of such a cell: by method, of what type the things are that it changes
	puts       []int32             // of such a cell: near fillers that put something into it that is not constant, sorted
	counting   []int32             // of such a cell: methods that change it depending on what was there, sorted
	echoing    []int32             // of such a cell: methods that keep in it what they are given and return what is in it, sorted
	passing    []int32             // of such a cell: methods that keep in it what they are given, or have it kept, sorted
	watched    bool                // see watch
	trusted    bool                // see trust
	changedIn  map[int32]bool      // of a cell that is watched: the footprints in which it changed
	fields     map[int32][]int32   // of such a cell: by method that fills it by changing fields of objects only, the classes of these; see onlyFields
}

// fieldKey names a field where it is declared.
type fieldKey struct {
	class            int32
	name, descriptor string
}

// cells are the fields that the entered methods use.
type cells struct {
	*graph
	index  map[fieldKey]int
	refs   map[Member]int
	all    []*cell
	reads  [][]int // by method: cells
	writes [][]int
	in     [][]int32 // by method: who calls it
	// constructs are by method: the classes of which it makes an object by being entered, its own if it is a constructor, and that of its functions; see captures.
	constructs [][]int32

	alters map[int32]bool   // by class: see changeable
	leads  map[changed]bool // see matters

	byHandle []int32 // classes with fields of objects that are written through handles

	passed []int // by method: the last turn of passOn that saw it
	turn   int
}

func (g *graph) cells() (*cells, error) {
	c := &cells{graph: g, index: map[fieldKey]int{}, refs: map[Member]int{}, alters: map[int32]bool{}, leads: map[changed]bool{}, reads: make([][]int, len(g.methods)), writes: make([][]int, len(g.methods))}
	for n := range g.methods {
		if err := c.method(int32(n)); err != nil {
			return nil, err
		}
	}
	if err := c.handles(); err != nil {
		return nil, err
	}
	if err := c.captures(); err != nil {
		return nil, err
	}
	if err := c.enums(); err != nil {
		return nil, err
	}
	if err := c.globals(); err != nil {
		return nil, err
	}
	return c, c.connect()
}

// fillAll finds what fills each cell.
func (c *cells) fillAll() error {
	for _, at := range c.all {
		if err := c.fill(at); err != nil {
			return err
		}
	}
	if err := c.findOnces(); err != nil {
		return err
	}
	return c.follow()
}

// union adds methods to sorted ones.
func union(to, more []int32) []int32 {
	out := slices.Concat(to, more)
	slices.Sort(out)
	return slices.Compact(out)
}

// method notes the fields that a method uses.
func (c *cells) method(n int32) error {
	b := c.methods[n].body
	if b == nil {
		return nil
	}
	if c.types[c.methods[n].class].frame {
		return nil
	}
	for _, m := range b.Reads {
		at, _, err := c.field(m)
		if err != nil {
			return err
		}
		c.all[at].readers = append(c.all[at].readers, n)
		c.reads[n] = append(c.reads[n], at)
	}
	for _, m := range b.Writes {
		at, owner, err := c.field(m)
		if err != nil {
			return err
		}
		f := c.all[at]
		f.makers = append(f.makers, n)
		c.writes[n] = append(c.writes[n], at)
		starts := b.Name == "<clinit>" && f.static && owner == c.methods[n].class || b.Name == "<init>" && !f.static && c.isA(c.methods[n].class, owner)
		if !starts {
			f.writers = append(f.writers, n)
			f.noteOnce(n, b, m)
			if slices.Contains(b.Given, m) {
				f.givers = append(f.givers, n)
			}
		}
	}
	return c.replaces(n)
}

// replaces notes the streams of java.lang.System that a method replaces.
func (c *cells) replaces(n int32) error {
	for _, m := range c.methods[n].body.Calls {
		stream, ok := m.setsStream()
		if !ok {
			continue
		}
		at, _, err := c.field(stream)
		if err != nil {
			return err
		}
		f := c.all[at]
		f.writers, f.givers, f.makers = append(f.writers, n), append(f.givers, n), append(f.makers, n)
	}
	return nil
}

// enums makes a cell for the constants of each enum of which the JDK may have asked for them: java.lang.Class keeps them after the first time.
func (c *cells) enums() error {
	constants := map[string]int{}
	for n := range c.methods {
		m := &c.methods[n]
		t := c.types[m.class]
		if m.body == nil || t.frame || m.body.Name != "values" || m.body.Descriptor != "()[L"+t.name+";" {
			continue
		}
		at, _, err := c.field(Member{Class: t.name, Name: "values()", Descriptor: "[L" + t.name + ";", Static: true})
		if err != nil {
			return err
		}
		constants[t.name] = at
		c.all[at].writers, c.all[at].kept = []int32{int32(n)}, true
	}
	for n := range c.methods {
		if b := c.methods[n].body; b != nil && len(constants) > 0 {
			for _, name := range b.Names {
				if at, ok := constants[name]; ok {
					c.all[at].readers = append(c.all[at].readers, int32(n))
					c.reads[n] = append(c.reads[n], at)
				}
			}
		}
	}
	return nil
}

// field numbers a field by its declaration. Owner is the class that declares it.
func (c *cells) field(m Member) (at int, owner int32, err error) {
	class, err := c.typeOf(m.Class)
	if err != nil {
		return 0, 0, err
	}
	owner = c.declares(class, m)
	key := fieldKey{owner, m.Name, m.Descriptor}
	at, ok := c.index[key]
	if !ok {
		at = len(c.all)
		c.index[key] = at
		ours, err := c.follows(owner, m)
		if err != nil {
			return 0, 0, err
		}
		c.all = append(c.all, &cell{label: c.types[owner].name + "." + m.Name, static: m.Static, descriptor: m.Descriptor, owner: owner, empty: c.types[owner].empty(m), ours: ours, plain: ours && holdsMore(m.Descriptor), function: ours && c.functional(fieldClass(m.Descriptor))})
	}
	return at, owner, nil
}

// follows tells whether references that a field holds are followed: it is static and of the project, and can lead to something that changes.
func (c *cells) follows(owner int32, m Member) (bool, error) {
	name := c.types[owner].name
	if !m.Static || !c.types[owner].ours {
		return m.Static && standardStream(name, m.Name), nil
	}
	made, err := c.madeFor(owner, m)
	if err != nil {
		return false, err
	}
	if made >= 0 {
		t := c.types[made]
		return t.jdk && holdsMore("L"+t.name+";") || t.ours && c.hasChangingField(made) || !t.jdk && !t.ours, nil
	}
	if holdsMore(m.Descriptor) || m.Descriptor == "Ljava/lang/Object;" || strings.HasPrefix(m.Descriptor, "Ljava/util/function/") {
		return true, nil
	}
	if m.Descriptor[0] != 'L' {
		return false, nil
	}
	class, err := c.typeOf(fieldClass(m.Descriptor))
	return err == nil && c.types[class].ours && (c.alterable(class) || c.functional(fieldClass(m.Descriptor))), err
}

// madeFor is the class of the object that a static field always holds; -1 if that is not known.
func (c *cells) madeFor(owner int32, m Member) (int32, error) {
	f := c.types[owner].declared(m.Name, m.Descriptor)
	if f == nil || f.Made == "" {
		return -1, nil
	}
	return c.typeOf(f.Made)
}

// functional tells whether objects of a type can be functions.
func (c *cells) functional(class string) bool {
	return class == "java/lang/Object" || strings.HasPrefix(class, "java/util/function/") || slices.ContainsFunc(c.made, func(f *Function) bool { return f.Interface == class })
}

// declares finds the class that declares a field; a field that is not found stays where it was looked for.
func (c *cells) declares(class int32, m Member) int32 {
	found := class
	for _, up := range c.types[class].above {
		t := c.types[up].class
		if t == nil || !slices.ContainsFunc(t.Fields, func(f Field) bool { return f.Name == m.Name && f.Descriptor == m.Descriptor }) {
			continue
		}
		if up == class {
			return class
		}
		found = up
	}
	return found
}

// empty tells whether a field of a class never leads to anything else than its initializer put there.
func (t *typeNode) empty(m Member) bool {
	f := t.declared(m.Name, m.Descriptor)
	return f != nil && f.Empty
}

// fill finds the fillers of a cell: the methods that write it, those that may change what it leads to, and those that look at it and have it filled by calls.
func (c *cells) fill(f *cell) error {
	if f.static && c.types[f.owner].jdk && f.ours {
		f.fillers, f.near = slices.Clone(f.writers), slices.Clone(f.writers)
		return nil
	}
	if f.static && c.types[f.owner].jdk && !f.kept || strings.Contains(f.label, ".$SwitchMap$") {
		return nil
	}
	f.fillers, f.near = slices.Clone(f.writers), slices.Clone(f.writers)
	if f.lazy {
		f.near = slices.DeleteFunc(f.near, func(n int32) bool { return slices.Contains(f.readers, n) })
	}
	if f.kept {
		return nil
	}
	if (holdsMore(f.descriptor) || f.static && c.holdsJDK(f.descriptor)) && !f.empty {
		_, keeps, err := c.held(f)
		if err != nil {
			return err
		}
		of, err := c.typeOf(elementClass(fieldClass(f.descriptor)))
		if err != nil {
			return err
		}
		for i, n := range c.passOn(f.readers, c.hands(f, of)) {
			if b := c.methods[n].body; b != nil && b.Name != "<clinit>" && (c.mayChange(n, f) || keeps && b.callsJDK()) {
				f.fillers = append(f.fillers, n)
				if i < len(f.readers) {
					f.near = append(f.near, n)
				}
			}
		}
	}
	f.fillers = append(f.fillers, c.around(f)...)
	slices.Sort(f.fillers)
	f.fillers = slices.Compact(f.fillers)
	slices.Sort(f.near)
	return nil
}

// mayChange tells whether a method may change the array or object in a cell.
func (c *cells) mayChange(n int32, f *cell) bool {
	if f.descriptor[0] == '[' {
		return c.stores(n, f.descriptor, 0)
	}
	return c.changes(c.methods[n].body, f)
}

// held lists the methods that an object of the JDK in a cell can call, because they were made where the field is written.
func (c *cells) held(f *cell) (calls []int32, keeps bool, err error) {
	of, err := c.typeOf(elementClass(fieldClass(f.descriptor)))
	if err != nil {
		return nil, false, err
	}
	for _, n := range f.makers {
		b := c.methods[n].body
		for i := range b.Functions {
			fun := &b.Functions[i]
			more, err := c.runs(fun)
			if err != nil {
				return nil, false, err
			}
			kind, err := c.typeOf(fun.Interface)
			if err != nil {
				return nil, false, err
			}
			calls, keeps = append(calls, more...), keeps || len(more) > 0 && !c.isA(kind, of)
		}
		for _, name := range b.News {
			more, err := c.callbacks(name)
			if err != nil {
				return nil, false, err
			}
			kind, err := c.typeOf(name)
			if err != nil {
				return nil, false, err
			}
			calls, keeps = append(calls, more...), keeps || len(more) > 0 && !(c.isA(kind, of) && c.rootless(kind))
		}
	}
	return calls, keeps, nil
}

// rootless tells whether objects of a class have no part of their state in fields of the JDK.
func (c *cells) rootless(class int32) bool {
	t := c.types[class].class
	return t != nil && t.Super == "java/lang/Object"
}

// connect adds the calls that objects of the JDK make for those that read the field in which they are, and turns all calls round.
func (c *cells) connect() error {
	for n := range c.methods {
		if _, err := c.calls(int32(n)); err != nil {
			return err
		}
	}
	for _, f := range c.all {
		if f.descriptor[0] != 'L' || !platform(fieldClass(f.descriptor)) {
			continue
		}
		backs, _, err := c.held(f)
		if err != nil {
			return err
		}
		f.backs = backs
		for _, n := range f.readers {
			c.out[n] = append(c.out[n], backs...)
		}
	}
	c.in, c.passed = make([][]int32, len(c.methods)), make([]int, len(c.methods))
	for n, out := range c.out {
		slices.Sort(out)
		c.out[n] = slices.Compact(out)
		for _, m := range c.out[n] {
			c.in[m] = append(c.in[m], int32(n))
		}
	}
	return nil
}

// wrappers is how many methods may pass a value on between a cell and the method that decides about it.
const wrappers = 2

// passOn adds to methods those that call them, as long as they pass something on.
func (c *cells) passOn(methods []int32, passes func(from, to *Body) bool) []int32 {
	c.turn++
	out := slices.Clone(methods)
	for _, n := range out {
		c.passed[n] = c.turn
	}
	for start, depth := 0, 0; depth < wrappers; depth++ {
		end := len(out)
		for _, m := range out[start:end] {
			from := c.methods[m].body
			for _, n := range c.in[m] {
				if to := c.methods[n].body; to != nil && c.passed[n] != c.turn && passes(from, to) {
					c.passed[n] = c.turn
					out = append(out, n)
				}
			}
		}
		start = end
	}
	return out
}

// hands tells whether a method that reads a cell hands the array or object in it to its callers.
func (c *cells) hands(f *cell, of int32) func(from, to *Body) bool {
	return func(from, _ *Body) bool {
		t := returned(from.Descriptor)
		if t == f.descriptor {
			return true
		}
		if t == "" || t[0] != 'L' || t == "Ljava/lang/Object;" || f.descriptor[0] == '[' {
			return false
		}
		class, known := c.classes[fieldClass(t)]
		return known && c.isA(of, class)
	}
}

// around lists the methods that look at a cell through a call and fill it through another.
func (c *cells) around(f *cell) []int32 {
	if !f.static {
		return nil
	}
	var out []int32
	gets := c.passOn(f.readers, func(from, to *Body) bool {
		return returned(from.Descriptor) != "V" && returned(from.Descriptor) == returned(to.Descriptor)
	})
	sets := c.passOn(f.fillers, func(from, to *Body) bool { return sameParameter(from.Descriptor, to.Descriptor) })
	looked := map[int32]bool{}
	for _, n := range gets {
		looked[n] = true
		if returned(c.methods[n].body.Descriptor) != "V" {
			for _, m := range c.in[n] {
				looked[m] = true
			}
		}
	}
	for _, n := range sets {
		if parameters(c.methods[n].body.Descriptor) == "" {
			continue
		}
		for _, m := range c.in[n] {
			if b := c.methods[m].body; looked[m] && b != nil && b.Branches {
				out = append(out, m)
			}
		}
	}
	return out
}

// holdsJDK tells whether a field holds an object of the program that inherits state from a class of the JDK.
func (c *cells) holdsJDK(descriptor string) bool {
	class, known := c.classes[fieldClass(descriptor)]
	return known && !c.types[class].jdk && c.extendsJDK(class)
}

// holdsMore tells whether a field leads to an array or an object of the JDK that can be changed.
func holdsMore(descriptor string) bool {
	if descriptor[0] == '[' {
		return true
	}
	if descriptor[0] != 'L' || !platform(descriptor[1:]) {
		return false
	}
	name := descriptor[1 : len(descriptor)-1]
	for _, p := range frozenPackages {
		if strings.HasPrefix(name, p) {
			return false
		}
	}
	return !slices.Contains(frozen, name)
}

// platform tells whether a class is one of the JDK that programs use, by its name. Some are in libraries as well.
func platform(class string) bool {
	return slices.ContainsFunc(platforms, func(p string) bool { return strings.HasPrefix(class, p) })
}

var platforms = []string{"java/", "javax/", "org/w3c/dom/", "org/xml/sax/", "com/sun/net/httpserver/"}

// frozenPackages and frozen are types of the JDK whose objects hold nothing that code of the program put there later.
var frozenPackages = []string{"java/time/", "java/math/", "java/lang/annotation/", "java/nio/charset/", "java/util/function/"}

var frozen = []string{"java/lang/Object", "java/util/Comparator", "java/lang/String", "java/lang/Class", "java/lang/Boolean", "java/lang/Byte", "java/lang/Character", "java/lang/Short", "java/lang/Integer", "java/lang/Long",
	"java/lang/Float", "java/lang/Double", "java/lang/Number", "java/lang/Void", "java/util/regex/Pattern", "java/util/Locale", "java/util/UUID", "java/net/URI", "java/net/URL", "java/io/File",
	"java/nio/file/Path", "java/lang/StackTraceElement", "java/lang/Throwable", "java/lang/Exception", "java/lang/RuntimeException", "java/lang/Enum", "java/security/SecureRandom"}

// stores tells whether a method may write elements of an array that it holds, itself or by a call that gets such an array.
func (c *cells) stores(n int32, array string, depth int) bool {
	b := c.methods[n].body
	if b == nil || b.Stores&elementsOf(array) != 0 && !b.Flow.storesToNew(array) {
		return true
	}
	if slices.ContainsFunc(b.Calls, func(m Member) bool {
		return m.Class == "java/lang/System" && m.Name == "arraycopy" || m.setsElement() || m.Class == "java/util/Arrays" && slices.Contains([]string{"fill", "sort", "setAll", "asList"}, m.Name)
	}) {
		return true
	}
	return depth < wrappers && slices.ContainsFunc(c.out[n], func(m int32) bool {
		to := c.methods[m].body
		return to != nil && strings.Contains(parameters(to.Descriptor), array) && c.stores(m, array, depth+1)
	})
}

// changes tells whether a body may change an object of the JDK that a field holds: by a call of an object that can be this one, or by one that gets it.
func (c *cells) changes(b *Body, f *cell) bool {
	of, known := c.classes[fieldClass(f.descriptor)]
	return slices.ContainsFunc(b.Calls, func(m Member) bool {
		if !c.inJDK(m) {
			return strings.Contains(parameters(m.Descriptor), "java/util/") // it hands the object on
		}
		if m.only(f.descriptor) {
			return false
		}
		class, there := c.classes[m.Class]
		if m.Static || !known || !there || slices.Contains(views, m.Class) || strings.Contains(parameters(m.Descriptor), "java/util/") || strings.Contains(parameters(m.Descriptor), f.descriptor) {
			return true
		}
		return c.isA(class, of) || c.isA(of, class)
	})
}

// inJDK tells whether a call finds a method of the JDK: of a class of the JDK, or one that a class of the program inherits.
func (c *cells) inJDK(m Member) bool {
	if platform(m.Class) {
		return true
	}
	class, known := c.classes[m.Class]
	if !known || !c.extendsJDK(class) {
		return false
	}
	return !slices.ContainsFunc(c.types[class].above, func(up int32) bool {
		t := c.types[up].class
		return t != nil && !c.types[up].jdk && slices.ContainsFunc(t.Methods, func(b Body) bool { return b.Name == m.Name && b.Descriptor == m.Descriptor })
	})
}

// extendsJDK tells whether objects of a class of the program have a part of their state in fields of the JDK.
func (c *cells) extendsJDK(class int32) bool {
	for t := c.types[class]; t.class != nil && t.class.Super != ""; {
		up, known := c.classes[t.class.Super]
		if !known || c.types[up].jdk {
			return t.class.Super != "java/lang/Object" && t.class.Super != "java/lang/Enum" && t.class.Super != "java/lang/Record" && !strings.HasSuffix(t.class.Super, "Exception") && !strings.HasSuffix(t.class.Super, "Error")
		}
		t = c.types[up]
	}
	return false
}

// views are types of objects through which a collection or map can be changed.
var views = []string{"java/util/Iterator", "java/util/ListIterator", "java/util/Map$Entry", "java/util/Set", "java/util/Collection", "java/util/Spliterator"}

// callsJDK tells whether a body calls a method of the JDK that may call back.
func (b *Body) callsJDK() bool {
	return slices.ContainsFunc(b.Calls, func(m Member) bool { return platform(m.Class) && m.Name != "<init>" })
}

// only tells whether a method of the JDK is known to change nothing that a program can put an object into and that a field of some type leads to. Builders of strings
// are everywhere; they count if the field holds one.
func (m Member) only(field string) bool {
	if advances(fieldClass(field)) && !strings.HasPrefix(m.Name, "has") {
		return m.Class == "java/lang/Object"
	}
	switch m.Class {
	case "java/util/ServiceLoader": // it makes the providers when they are first asked for
		return false
	case "java/lang/StringBuilder", "java/lang/StringBuffer":
		return !slices.Contains(builders, fieldClass(field)) || slices.Contains(looks, m.Name)
	case "java/lang/Object", "java/lang/String", "java/lang/Math", "java/lang/System", "java/lang/Integer", "java/lang/Long", "java/lang/Character", "java/lang/Boolean",
		"java/lang/Class", "java/util/Objects", "java/lang/Double", "java/lang/invoke/LambdaMetafactory", "java/lang/invoke/StringConcatFactory", "java/util/regex/Pattern", "java/util/regex/Matcher":
		return true
	}
	if strings.HasPrefix(m.Class, "java/util/stream/") && !strings.HasSuffix(m.Class, "$Builder") || strings.HasPrefix(m.Class, "java/util/function/") {
		return true
	}
	if strings.HasSuffix(m.Class, "Exception") || strings.HasSuffix(m.Class, "Error") {
		return true
	}
	return slices.Contains(looks, m.Name)
}

// advances tells whether objects of a type change when they are read.
func advances(class string) bool {
	return strings.HasPrefix(class, "java/io/") || strings.HasPrefix(class, "java/nio/") || slices.Contains(advancing, class)
}

var advancing = []string{"java/util/Iterator", "java/util/ListIterator", "java/util/PrimitiveIterator$OfInt", "java/util/Enumeration", "java/util/Scanner", "java/util/StringTokenizer", "java/util/regex/Matcher", "java/util/Spliterator"}

// builders are the types of fields that can hold a builder of strings.
var builders = []string{"java/lang/StringBuilder", "java/lang/StringBuffer", "java/lang/CharSequence", "java/lang/Appendable"}

// looks are methods of collections, maps and holders that only look.
var looks = []string{"get", "getOrDefault", "contains", "containsKey", "containsValue", "containsAll", "size", "isEmpty", "iterator", "listIterator", "hasNext", "next", "keySet", "values", "entrySet",
	"getKey", "getValue", "indexOf", "lastIndexOf", "equals", "hashCode", "toString", "stream", "forEach", "first", "last", "peek", "length", "toArray", "intValue", "longValue", "booleanValue",
	"getAndIncrement", "name", "ordinal", "compareTo", "isPresent", "orElse", "getClass", "getName", "charAt", "<init>"}
