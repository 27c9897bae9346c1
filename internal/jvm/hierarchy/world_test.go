package hierarchy

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
)

func TestSupertypes(t *testing.T) {
	w := small(
		&Class{Name: "p/I", Super: object, Access: iface},
		&Class{Name: "p/J", Super: object, Access: iface, Interfaces: []string{"p/I"}},
		&Class{Name: "p/A", Super: object, Access: public, Interfaces: []string{"p/J"}},
		&Class{Name: "p/B", Super: "p/A", Access: public, Interfaces: []string{"p/I"}},
		&Class{Name: "p/X", Super: "p/Y", Access: public},
		&Class{Name: "p/Y", Super: "p/X", Access: public},
		&Class{Name: "p/Z", Super: "p/X", Access: public},
		&Class{Name: "p/M", Super: "p/N", Access: public},
		&Class{Name: "p/F", Super: object, Access: public | final},
		&Class{Name: "p/G", Super: "p/F", Access: public})
	for _, tt := range []struct{ class, want string }{
		{"p/B", "p/A java/lang/Object p/I p/J"},
		{object, ""},
		{"p/X", "ClassCircularityError: p/X"},
		{"p/Z", "ClassCircularityError: p/X"},
		{"p/Y", "ClassCircularityError: p/Y"},
		{"p/M", "NoClassDefFoundError: p/N"},
		{"p/G", "IncompatibleClassChangeError: p/G"},
		{"[[Lp/M;", "NoClassDefFoundError: p/N"},
	} {
		list, err := w.Supertypes(tt.class)
		got := strings.Join(list, " ")
		if err != nil {
			got = fmt.Sprintf("%s: %s", err.Kind, err.Class)
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.class, got, tt.want)
		}
	}
	if got := w.Subtypes("p/I"); !slices.Equal(got, []string{"p/A", "p/B", "p/I", "p/J"}) {
		t.Errorf("subtypes of p/I: %v", got)
	}
}

// TestUnreadable checks that what could not be read is never taken for unchanged.
func TestUnreadable(t *testing.T) {
	broken := errors.New("disk on fire")
	classes := map[string]*Class{object: {Name: object, Access: public}, "p/A": {Name: "p/A", Super: object, Access: public, Methods: m(public)}}
	w := New(func(name string) (*Class, error) {
		if c := classes[name]; c != nil {
			return c, nil
		}
		if name == "p/B" {
			return nil, fmt.Errorf("read %s: %w", name, broken)
		}
		return nil, fmt.Errorf("%s: %w", name, ErrNotFound)
	})
	w.Know("p/A", "p/B")
	if err := w.Load("p/B"); err.kind() != Unreadable || !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if err := w.Load("p/None"); err.kind() != NoClassDefFound {
		t.Errorf("got %v", err)
	}
	after := w.With(map[string]*Class{"p/A": classes["p/A"]})
	got := Diff(w, after, "p/A")
	if len(got) != 1 || got[0].Receiver != "p/B" || got[0].Old.Kind() != Unreadable || got[0].New.Kind() != Unreadable {
		t.Errorf("got %v, want p/B only", got)
	}
	site := virtual("p/B", "p/A").Site
	if got := ResolutionDiff(w, after, site, virtual("p/A", "p/A").Site); len(got) != 1 || got[0].Site != site {
		t.Errorf("got %v, want the reference to p/B only", got)
	}
}

// TestResolutionDiff checks each way in which a reference can come to mean something else.
func TestResolutionDiff(t *testing.T) {
	class := func(methods, fields []Member) *Class {
		return &Class{Name: "p/B", Super: "p/A", Access: public, Major: 61, Methods: methods, Fields: fields}
	}
	f := func(access classfile.Flags) []Member { return []Member{{"f", "I", access}} }
	get := Site{Op: bytecode.Getfield, From: "q/U", Ref: Ref{Tag: classfile.TagFieldref, Class: "p/B", Name: "f", Descriptor: "I"}}
	call := virtual("p/B", "q/U").Site
	for _, tt := range []struct {
		name       string
		old, after *Class
		want       string
	}{
		{"nothing", class(m(public), f(public)), class(m(public), f(public)), ""},
		{"a flag that linking does not look at", class(m(public), nil), class(m(public|classfile.Synchronized), nil), ""},
		{"a method hides one above", class(nil, nil), class(m(public), nil), "invokevirtual p/A to p/B"},
		{"a field hides one above", class(nil, nil), class(nil, f(public)), "getfield p/A to p/B"},
		{"a method becomes static", class(m(public), nil), class(m(public|static), nil), "invokevirtual p/B to p/B IncompatibleClassChangeError"},
		{"a field becomes private", class(nil, f(public)), class(nil, f(private)), "getfield p/B to p/B IllegalAccessError"},
		{"a method becomes final", class(m(public), nil), class(m(public|final), nil), "invokevirtual p/B to p/B"},
		{"the class goes", class(nil, nil), nil, "getfield p/A to  NoClassDefFoundError, invokevirtual p/A to  NoClassDefFoundError"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := small(&Class{Name: "p/A", Super: object, Access: public, Methods: m(public), Fields: f(public)}, tt.old, &Class{Name: "q/U", Super: object, Access: public})
			var got []string
			for _, r := range ResolutionDiff(before, before.With(map[string]*Class{"p/B": tt.after}), get, call) {
				word := fmt.Sprintf("%s %s to %s", r.Site.Op, r.Old.Owner, r.New.Owner)
				if r.New.Err != nil {
					word += " " + r.New.Err.Kind.String()
				}
				got = append(got, word)
			}
			if s := strings.Join(got, ", "); s != tt.want {
				t.Errorf("got %q, want %q", s, tt.want)
			}
		})
	}
}

// TestPlatformMethods resolves references to methods of the JDK itself, judged by JVMs: those that accept every descriptor, and those of arrays.
func TestPlatformMethods(t *testing.T) {
	ref := func(class, name, descriptor string) Site {
		return Site{Op: bytecode.Invokevirtual, From: "p/A", Ref: Ref{Tag: classfile.TagMethodref, Class: class, Name: name, Descriptor: descriptor}}
	}
	const handle, variable = "java/lang/invoke/MethodHandle", "java/lang/invoke/VarHandle"
	p := &program{
		classes: []*Class{{Name: "p/A", Major: 61, Super: object, Access: public}},
		uses: []use{
			{ref(handle, "invokeExact", "(I)Ljava/lang/String;"), []string{""}},
			{ref(handle, "invoke", "()Ljava/lang/Object;"), []string{""}},
			{ref(variable, "getAndAdd", "(I)Ljava/lang/Object;"), []string{""}},
			{ref(handle, "asSpreader", "(I)Ljava/lang/String;"), []string{""}},
			{ref("[I", "clone", "()Ljava/lang/Object;"), []string{"[I", ""}},
			{ref("[Lp/A;", "toString", stringing), []string{"[Lp/A;"}},
			{ref("[Lp/A;", "m", stringing), []string{"[Lp/A;"}},
			{ref("[Lp/None;", "clone", "()Ljava/lang/Object;"), []string{"[Lp/A;"}},
			{ref("p/A", "clone", "()Ljava/lang/Object;"), []string{"p/A"}},
			{Site{Op: bytecode.Invokeinterface, From: "p/A", Ref: Ref{Tag: classfile.TagInterfaceMethodref, Class: "java/lang/Cloneable", Name: "toString", Descriptor: stringing}}, []string{"[I", "p/A"}},
		},
	}
	const null = "NullPointerException"
	want := []string{null, null, null, "NoSuchMethodError", "native", null, "native", "NoSuchMethodError", "NoClassDefFoundError", "native", "native", "IncompatibleClassChangeError"}
	for _, feature := range []int{17, 25} {
		j := newJudge(t, feature)
		c, err := prepare(p, j.platform(t), feature)
		if err != nil {
			t.Fatal(err)
		}
		if err := j.run([]*executable{c.code}, func(_ int, o outcomes) { c.got = o }); err != nil {
			t.Fatal(err)
		}
		if bad := c.wrong(); len(bad) > 0 {
			t.Errorf("JDK %d: %s", feature, strings.Join(bad, "\n"))
		}
		if !slices.Equal(c.got.calls, want) {
			t.Errorf("JDK %d: got %q, want %q", feature, c.got.calls, want)
		}
	}
}

// TestReceivers checks receivers that no verified program has.
func TestReceivers(t *testing.T) {
	w := small(
		&Class{Name: "p/I", Super: object, Access: iface, Major: 61, Methods: m(public)},
		&Class{Name: "p/A", Super: object, Access: public, Methods: m(public)},
		&Class{Name: "p/B", Super: object, Access: public})
	for _, tt := range []struct {
		u        use
		receiver string
		want     string
	}{
		{virtual("p/A", "p/A"), "p/B", "VerifyError"},
		{virtual("p/A", "p/A"), "p/I", "VerifyError"},
		{virtual("p/A", "p/A"), "p/None", "NoClassDefFoundError"},
		{viaInterface("p/I", "p/A"), "p/B", "IncompatibleClassChangeError"},
		{virtual("p/A", "p/A"), "p/A", "p/A"},
	} {
		if got := w.Invoke(tt.u.Site, tt.receiver).String(); got != tt.want {
			t.Errorf("%s on %s: got %s, want %s", tt.u, tt.receiver, got, tt.want)
		}
	}
}

// TestDiamonds checks that the cost does not follow the number of paths through a hierarchy.
func TestDiamonds(t *testing.T) {
	classes := []*Class{{Name: "p/I0", Super: object, Access: iface, Methods: m(public)}, {Name: "p/J0", Super: object, Access: iface}}
	const depth = 60
	for i := 1; i <= depth; i++ {
		above := []string{fmt.Sprint("p/I", i-1), fmt.Sprint("p/J", i-1)}
		classes = append(classes, &Class{Name: fmt.Sprint("p/I", i), Super: object, Access: iface, Interfaces: above}, &Class{Name: fmt.Sprint("p/J", i), Super: object, Access: iface, Interfaces: above})
	}
	classes = append(classes, &Class{Name: "p/A", Super: object, Access: public, Interfaces: []string{fmt.Sprint("p/I", depth), fmt.Sprint("p/J", depth)}})
	w := small(classes...)
	if got := w.Invoke(virtual("p/A", "p/A").Site, "p/A").String(); got != "p/I0" {
		t.Errorf("got %s", got)
	}
	if r := w.ResolveField(Ref{Class: "p/A", Name: "absent", Descriptor: "I"}, "p/A"); r.Err.kind() != NoSuchField {
		t.Errorf("got %v", r.Err)
	}
}
