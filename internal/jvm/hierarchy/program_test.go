package hierarchy

import (
	"fmt"
	"slices"
	"strings"

	"winnow/internal/jvm/assemble"
	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
)

// A program is a set of classes and the uses of their members. A class that others name but that is not listed does not exist.
type program struct {
	classes []*Class
	uses    []use
}

// A use is an instruction with the objects on which it is executed; "" is null.
type use struct {
	Site
	receivers []string
}

// The printed form is a line for each class and its members, and a line for each use.
func (p *program) String() string {
	var b strings.Builder
	for _, c := range p.classes {
		fmt.Fprintf(&b, "%s  version %d, %s, extends %s", c.Name, c.Major, c.Access.ClassText(), c.Super)
		for _, part := range []struct {
			word  string
			names []string
		}{{"implements", c.Interfaces}, {"in the nest of", strings.Fields(c.NestHost)}, {"nest members", c.NestMembers}, {"permits", c.Permitted}} {
			if len(part.names) > 0 {
				fmt.Fprintf(&b, ", %s %s", part.word, strings.Join(part.names, " "))
			}
		}
		b.WriteByte('\n')
		for _, m := range c.Methods {
			fmt.Fprintf(&b, "    %s%s  %s\n", m.Name, m.Descriptor, m.Access.MethodText())
		}
		for _, f := range c.Fields {
			fmt.Fprintf(&b, "    %s %s  %s\n", f.Name, f.Descriptor, f.Access.FieldText())
		}
	}
	for _, u := range p.uses {
		fmt.Fprintf(&b, "%s\n", u)
	}
	return b.String()
}

func (u use) String() string {
	of := ""
	if u.Ref.Tag == classfile.TagInterfaceMethodref {
		of = "interface "
	}
	return fmt.Sprintf("in %s: %s %s%s.%s%s on %q", u.From, u.Op, of, u.Ref.Class, u.Ref.Name, u.Ref.Descriptor, u.receivers)
}

func isField(op bytecode.Op) bool { return op >= bytecode.Getstatic && op <= bytecode.Putfield }

// world is the program's classes on a platform.
func (p *program) world(platform map[string]*Class) *World {
	classes := map[string]*Class{}
	for _, c := range p.classes {
		classes[c.Name] = c
	}
	return New(func(name string) (*Class, error) {
		if c := classes[name]; c != nil {
			return c, nil
		}
		if c := platform[name]; c != nil {
			return c, nil
		}
		return nil, ErrNotFound
	})
}

func identity(owner string, m *Member) string {
	if strings.HasPrefix(m.Descriptor, "(") {
		return "#" + owner + "." + m.Name + m.Descriptor
	}
	return "#" + owner + "." + m.Name + " " + m.Descriptor
}

// executable assembles the program. Uses that no verified class can have are left out.
func (p *program) executable(w *World) (*executable, []use, error) {
	e := &executable{files: map[string][]byte{}}
	var kept []use
	builders := map[string]*assemble.Class{}
	for _, c := range p.classes {
		builders[c.Name] = declare(c)
		e.names = append(e.names, c.Name)
	}
	for _, u := range p.uses {
		u, cast, ok := admit(w, u)
		if !ok {
			continue
		}
		i := len(kept)
		kept = append(kept, u)
		token := addUse(builders[u.From], u, cast, i)
		for _, r := range u.receivers {
			e.calls = append(e.calls, call{u.From, fmt.Sprint("use", i), r, token})
		}
	}
	for name, b := range builders {
		data, err := b.Bytes()
		if err != nil {
			return nil, nil, err
		}
		e.files[name] = data
	}
	return e, kept, nil
}

func declare(c *Class) *assemble.Class {
	b := assemble.New(assemble.Header{Major: c.Major, Access: c.Access, Name: c.Name, Super: c.Super, Interfaces: c.Interfaces})
	initializer := b.Code()
	for i := range c.Fields {
		f := &c.Fields[i]
		b.AddField(f.Access, f.Name, f.Descriptor)
		if f.is(classfile.Static) {
			initializer.String(identity(c.Name, f))
			initializer.Field(bytecode.Putstatic, c.Name, f.Name, f.Descriptor)
		}
	}
	initializer.Op(bytecode.Return)
	b.AddMethod(classfile.Static, "<clinit>", "()V", initializer)
	for i := range c.Methods {
		m := &c.Methods[i]
		var code *assemble.Code
		if !m.is(classfile.Abstract) {
			code = b.Code()
			code.String(identity(c.Name, m))
			code.Op(bytecode.Areturn)
		}
		b.AddMethod(m.Access, m.Name, m.Descriptor, code)
	}
	refs := func(names []string) (out []uint16) {
		for _, name := range names {
			out = append(out, b.ClassRef(name))
		}
		return out
	}
	if c.NestHost != "" {
		b.AddAttribute("NestHost", &classfile.NestHost{Class: b.ClassRef(c.NestHost)})
	}
	if len(c.NestMembers) > 0 {
		b.AddAttribute("NestMembers", &classfile.NestMembers{Classes: refs(c.NestMembers)})
	}
	if c.Sealed {
		b.AddAttribute("PermittedSubclasses", &classfile.PermittedSubclasses{Classes: refs(c.Permitted)})
	}
	return b
}

// addUse adds a method that executes the instruction on its argument. If it stores, the token that it stores is returned.
func addUse(b *assemble.Class, u use, cast string, i int) (token string) {
	k := b.Code()
	static := u.Op == bytecode.Invokestatic || u.Op == bytecode.Getstatic || u.Op == bytecode.Putstatic
	if !static {
		k.Op(bytecode.Aload0)
		if cast != "" {
			k.Class(bytecode.Checkcast, cast)
		}
	}
	switch {
	case u.Op == bytecode.Putstatic || u.Op == bytecode.Putfield:
		token = fmt.Sprint("@", i)
		k.String(token)
		k.Field(u.Op, u.Ref.Class, u.Ref.Name, u.Ref.Descriptor)
		k.Op(bytecode.AconstNull)
	case isField(u.Op):
		k.Field(u.Op, u.Ref.Class, u.Ref.Name, u.Ref.Descriptor)
	default:
		if strings.HasPrefix(u.Ref.Descriptor, "(I)") {
			k.Push(7)
		}
		k.Invoke(u.Op, u.Ref)
	}
	k.Op(bytecode.Areturn)
	b.AddMethod(classfile.Public|classfile.Static|classfile.Synthetic, fmt.Sprint("use", i), "(Ljava/lang/Object;)Ljava/lang/Object;", k)
	return token
}

// admit decides whether a verified class can have this use, to which class the object must be cast first ("" if to none), and on which receivers it can
// be executed. JDK 17 crashes if invokeinterface, executed on an object before, gets an array that does not implement the interface; that is left out.
func admit(w *World, u use) (use, string, bool) {
	from := w.load(u.From)
	if from.err != nil || from.array || from.is(classfile.Interface) && from.Major < 52 {
		return u, "", false
	}
	if u.Ref.Tag == classfile.TagInterfaceMethodref && from.Major < 52 && u.Op != bytecode.Invokeinterface {
		return u, "", false
	}
	cast := u.Ref.Class
	switch u.Op {
	case bytecode.Invokestatic, bytecode.Getstatic, bytecode.Putstatic:
		u.receivers = []string{""}
		return u, "", true
	case bytecode.Invokeinterface:
		if n := w.load(cast); n.err == nil && n.is(classfile.Interface) {
			cast = ""
		}
	case bytecode.Invokespecial:
		if !specialVerifies(w, from, u.Ref) {
			return u, "", false
		}
		cast = u.From
		if from.is(classfile.Interface) {
			cast = ""
		}
	default:
		if protectedElsewhere(w, from, u) {
			cast = u.From
		}
	}
	u.receivers = slices.DeleteFunc(slices.Clone(u.receivers), func(r string) bool {
		return !passes(w, r, cast) || u.Op == bytecode.Invokeinterface && strings.HasPrefix(r, "[") && !passes(w, r, u.Ref.Class)
	})
	return u, cast, len(u.receivers) > 0
}

// specialVerifies tells whether the verifier lets invokespecial have this reference: to the class itself, a superclass or a direct superinterface.
func specialVerifies(w *World, from *node, ref Ref) bool {
	n := w.load(ref.Class)
	if n.err != nil || n.array {
		return false
	}
	if n.is(classfile.Interface) || ref.Tag == classfile.TagInterfaceMethodref {
		return from.Major >= 52 && (n == from || slices.Contains(from.interfaces, n))
	}
	return from.subtype(n)
}

// protectedElsewhere tells whether the verifier demands an object of the calling class (JVMS 4.10.1.8): for protected members of superclasses in other packages.
func protectedElsewhere(w *World, from *node, u use) bool {
	class := w.load(u.Ref.Class)
	if class.err != nil || class == from || class.is(classfile.Interface) || class.array || !from.subtype(class) {
		return false
	}
	if isField(u.Op) {
		owner, f := class.field(u.Ref.Name, u.Ref.Descriptor, map[*node]bool{})
		return f != nil && f.is(classfile.Protected) && packageOf(owner.Name) != packageOf(from.Name)
	}
	for c := class; c != nil; c = c.super {
		if m := c.methods[signature{u.Ref.Name, u.Ref.Descriptor}]; m != nil {
			return m.is(classfile.Protected) && packageOf(c.Name) != packageOf(from.Name)
		}
	}
	return false
}

// passes tells whether there can be such an object and whether it survives the cast. A cast to a class that cannot be loaded throws what the
// instruction itself would throw.
func passes(w *World, receiver, cast string) bool {
	if receiver == "" {
		return true
	}
	n := w.load(receiver)
	if n.err != nil || !n.array && n.is(classfile.Abstract|classfile.Interface) {
		return false
	}
	if cast == "" {
		return true
	}
	to := w.load(cast)
	return to.err != nil || n.subtype(to)
}

// conflictFixed is the first JDK tested here whose invokeinterface throws IncompatibleClassChangeError for conflicting defaults, as JVMS 6.5 demands.
// Older ones throw AbstractMethodError.
const conflictFixed = 25

// predict is what this package says a use does.
func predict(w *World, u use, receiver string, feature int) string {
	r := w.Link(u.Site)
	static := u.Op == bytecode.Invokestatic || u.Op == bytecode.Getstatic || u.Op == bytecode.Putstatic
	if receiver == "" && !static {
		return predictNull(w, u, r)
	}
	if isField(u.Op) {
		if r.Err != nil {
			return r.Err.Kind.String()
		}
		return identity(r.Owner, &r.Member)
	}
	t := w.Invoke(u.Site, receiver)
	if feature < conflictFixed && u.Op == bytecode.Invokeinterface && t.Err != nil && t.Err.Why == ambiguous {
		return AbstractMethod.String()
	}
	return printed(w, t, &Member{Name: u.Ref.Name, Descriptor: u.Ref.Descriptor})
}

// predictNull is the outcome for null: what does not link throws its error first, and so does invokespecial of what cannot be run.
func predictNull(w *World, u use, r Resolution) string {
	if r.Err != nil {
		return r.Err.Kind.String()
	}
	if u.Op == bytecode.Invokespecial && r.Throws == None {
		if t := w.special(r, w.load(u.From), w.load(u.From)); t.Err != nil {
			return t.Err.Kind.String()
		}
	}
	return "NullPointerException"
}

func printed(w *World, t Target, m *Member) string {
	switch {
	case t.Err != nil:
		return t.Err.Kind.String()
	case t.Owner == object:
		return "native"
	}
	return identity(t.Owner, m)
}

// judgeable tells whether a JVM can judge a program.
func judgeable(w *World, p *program) bool { return !crashes(w, p) && !undecided(w, p) }

// undecided tells whether HotSpot's answer depends on chance: if a class has a static method and one that HotSpot made up for the same signature, a
// binary search in its methods, which are ordered by the addresses of their names, finds the one or the other.
func undecided(w *World, p *program) bool {
	for _, c := range p.classes {
		n := w.load(c.Name)
		for i := range c.Methods {
			if m := &c.Methods[i]; n.err == nil && m.is(classfile.Static) && w.table(n, m.signature()).error != nil {
				return true
			}
		}
	}
	return false
}

// crashes tells whether HotSpot 17 and 25 crash on a program: they count the entries of a class's method table by other rules than they fill it, and
// then leave an entry empty, which is read when a subclass is linked, or write beyond the table.
func crashes(w *World, p *program) bool {
	for _, c := range p.classes {
		n := w.load(c.Name)
		if n.err != nil || n.is(classfile.Interface|classfile.Final) {
			continue
		}
		for i := range n.Methods {
			m := &n.Methods[i]
			if m.is(static | final | private) {
				continue
			}
			inherited := len(w.table(n.super, m.signature()).slots)
			if opens := w.table(n, m.signature()).ownSlot >= inherited; opens != counted(w, n, m) {
				return true
			}
		}
	}
	return false
}

// counted tells whether HotSpot counts an entry for a method: unless a search upwards finds a method that it overrides. Below version 51 the search ends
// at the closest namesake. If it met a package-private one of another package, it takes it that there is no entry for an interface method.
func counted(w *World, n *node, m *Member) bool {
	s := m.signature()
	if !m.is(public | classfile.Protected) {
		return true
	}
	elsewhere := false
	for k := n.super; k != nil; {
		above := w.first(k, s, false)
		if above == nil {
			break
		}
		if above.virtual() && overridable(above, packageOf(n.Name)) {
			return false
		}
		elsewhere = elsewhere || above.virtual()
		if n.Major < transitiveVersion {
			break
		}
		k = above.owner.super
	}
	return elsewhere || !addsInterfaceMethods(w, n.super) || w.firstInterfaceMethod(n.super, s) == nil
}

// addsInterfaceMethods tells whether a class or a superclass has an interface method that no class implements.
func addsInterfaceMethods(w *World, n *node) bool {
	for c := n; c != nil; c = c.super {
		for _, i := range c.all {
			for k := range i.Methods {
				s := i.Methods[k].signature()
				if w.unimplemented(c, s, &table{own: w.table(c, s).own}) != nil && w.firstInterfaceMethod(c.super, s) == nil {
					return true
				}
			}
		}
	}
	return false
}
