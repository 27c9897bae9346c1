package instrument

import (
	"slices"

	"winnow/internal/jvm/classfile"
)

// A job is the rewriting of one class.
type job struct {
	*Rewriter
	class    *classfile.Class
	data     []byte
	result   *Result
	methods  []plan
	added    constants
	refs     refs
	out      []byte // what follows the constant pool
	inserted bool
	edges    int // ids of edges so far
	spare    int // ids that edges can still have
}

// refs are the added constants that inserted code refers to; 0 where there is nothing to insert or no room.
type refs struct {
	array, enter, exit int
	received           int
	ids                int // the first id; the others follow
}

// A plan is what is to be inserted into a method with code.
type plan struct {
	index      int
	method     Method
	code       *classfile.Attribute
	duplicated bool // it has two Code attributes
	clinit     bool // it is the class initializer, and windows are wanted
	receives   bool // its receiver is to be passed
	calls      []call
	edgeless   error // why its edges have no probes
	unreceived error // why its receiver is not passed
}

// plan finds the methods with code and what each of them gets, and adds the constants for it.
func (j *job) plan() {
	j.methods = make([]plan, 0, len(j.class.Methods))
	initializer := false
	for i := range j.class.Methods {
		p := j.planMethod(i)
		if p.code != nil {
			initializer = initializer || p.clinit
			j.methods = append(j.methods, p)
		}
	}
	for _, h := range j.hooks[j.result.Name] {
		j.planHook(h)
	}
	if j.scheme.InitializersOnly {
		j.methods = slices.DeleteFunc(j.methods, j.leaves)
	}
	j.addConstants(initializer)
}

// leaves tells whether a method is left as it is, where only class initializers are to have a probe, and notes that.
func (j *job) leaves(p plan) bool {
	if p.clinit || len(p.calls) > 0 {
		return false
	}
	j.unprobed(&p, Unwanted, "")
	return true
}

func (j *job) planMethod(i int) plan {
	m := &j.class.Methods[i]
	p := plan{index: i}
	p.method.Name, p.method.Descriptor = j.class.MemberName(m)
	p.clinit = !j.scheme.HooksOnly && p.method.Name == "<clinit>" && p.method.Descriptor == "()V"
	p.receives = j.scheme.Receivers && !j.scheme.HooksOnly && m.Access&classfile.Static == 0 && p.method.Name != "<init>"
	for k := range m.Attributes {
		if name, _ := j.class.Pool.UTF8(m.Attributes[k].Name); name == "Code" {
			p.duplicated = p.code != nil
			p.code = &m.Attributes[k]
		}
	}
	return p
}

// planHook plans a hook in every method with code that it names.
func (j *job) planHook(index int) {
	h := &j.scheme.Hooks[index]
	detail, found := "no such method with code", false
	for k := range j.methods {
		p := &j.methods[k]
		if !slices.Contains(h.Methods, p.method) {
			continue
		}
		c, err := newCall(h, index, p.method, j.class.Methods[p.index].Access&classfile.Static != 0)
		if err != nil {
			detail = err.Error()
			continue
		}
		if c.leaving && slices.ContainsFunc(p.calls, func(c call) bool { return c.leaving }) {
			detail = "another hook has the returns"
			continue
		}
		p.calls = append(p.calls, c)
		found = true
	}
	if !found {
		j.result.Unmatched = append(j.result.Unmatched, Unmatched{index, detail})
	}
}

// addConstants adds what fits, the most important first: the array and one id, the window, the hooks, an id for each method.
func (j *job) addConstants(initializer bool) {
	j.added = constants{next: j.class.Pool.Len(), b: make([]byte, 0, 128)}
	room := maxConstants - j.added.next
	take := func(n int) bool {
		if n > room {
			return false
		}
		room -= n
		return true
	}
	class := 0
	if !j.scheme.HooksOnly && len(j.methods) > 0 && take(classEntries+memberEntries+1) {
		class = j.added.class(j.scheme.Class)
		j.refs.array = j.added.member(classfile.TagFieldref, class, j.scheme.Array, "[B")
	}
	if initializer && j.refs.array != 0 && take(2*memberEntries) {
		j.refs.enter = j.added.member(classfile.TagMethodref, class, j.scheme.InitEnter, "(I)V")
		j.refs.exit = j.added.member(classfile.TagMethodref, class, j.scheme.InitExit, "(I)V")
	}
	if len(j.hooks[j.result.Name]) > 0 {
		j.addTargets(class, take)
	}
	j.result.Coarse = j.refs.array != 0 && !take(len(j.methods)-1)
	if j.wantsReceivers() && !j.result.Coarse && take(memberEntries) {
		j.refs.received = j.added.member(classfile.TagMethodref, class, j.scheme.Received, "(Ljava/lang/Object;I)V")
	}
	j.refs.ids = j.added.next
	j.spare = room
}

// wantsReceivers tells whether some method passes its receiver.
func (j *job) wantsReceivers() bool {
	return j.refs.array != 0 && slices.ContainsFunc(j.methods, func(p plan) bool { return p.receives })
}

// addTargets adds the methods of the probe class that the planned hooks call, each once. A hook for which there is no room becomes unmatched.
func (j *job) addTargets(class int, take func(int) bool) {
	known := map[Method]int{}
	for k := range j.methods {
		p := &j.methods[k]
		p.calls = slices.DeleteFunc(p.calls, func(c call) bool { return j.target(&c, &class, known, take) == 0 })
		for i := range p.calls {
			p.calls[i].ref = j.target(&p.calls[i], &class, known, take)
		}
	}
}

// target is the constant of the method that a hook calls, 0 if there is no room for it.
func (j *job) target(c *call, class *int, known map[Method]int, take func(int) bool) int {
	m := Method{j.scheme.Hooks[c.hook].Target, c.descriptor}
	if ref, ok := known[m]; ok {
		return ref
	}
	known[m] = 0
	if *class == 0 && take(classEntries) {
		*class = j.added.class(j.scheme.Class)
	}
	if *class == 0 || !take(memberEntries) {
		j.result.Unmatched = append(j.result.Unmatched, Unmatched{c.hook, PoolFull.String()})
		return 0
	}
	known[m] = j.added.member(classfile.TagMethodref, *class, m.Name, m.Descriptor)
	return known[m]
}
