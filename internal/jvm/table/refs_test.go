package table

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"winnow/internal/jvm/jvmtest"
)

// text prints refs for people.
func (m *MethodRefs) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "classes %s\n", strings.Join(m.Classes, " "))
	for _, f := range m.Fields {
		fmt.Fprintf(&b, "%s %s.%s%s\n", f.op(), f.Owner, f.Name, handle(f.Handle))
	}
	for _, c := range m.Calls {
		fmt.Fprintf(&b, "%s %s.%s%s%s\n", c.Op, c.Owner, c.Name, c.Descriptor, handle(c.Handle))
	}
	return b.String()
}

func handle(is bool) string {
	if is {
		return " handle"
	}
	return ""
}

func TestRefs(t *testing.T) {
	classes := compile(t, "p/A.java", `package p;
import java.util.function.*;
class A {
  static int count; int own;
  Object[] make() { count++; own = count; return new B[1]; }
  Supplier<C> lambda() { return () -> new C(); }
  Function<D, E> reference() { return D::e; }
  Object test(Object o) { try { return o instanceof B ? (C) o : D[].class; } catch (X x) { return null; } }
}
class B {} class C {} class D { E e() { return null; } } class E {} class X extends RuntimeException {}
`)
	dir := t.TempDir()
	jvmtest.WriteClasses(t, dir, classes)
	p := open(t, "", nil, dir)
	refs, err := p.Refs("p/A")
	if err != nil {
		t.Fatal(err)
	}
	for method, want := range map[string]string{
		"make":       "classes p/A p/B\ngetstatic p/A.count\nputstatic p/A.count\nputfield p/A.own\n",
		"lambda$":    "classes p/C\ninvokespecial p/C.<init>()V\n",
		"test":       "classes p/B p/C p/D p/X\n",
		"lambda()":   "classes p/A p/C\ninvokestatic java/lang/invoke/LambdaMetafactory.metafactory(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite; handle\ninvokestatic p/A.lambda$lambda$0()Lp/C; handle\n",
		"reference(": "classes p/D p/E\ninvokestatic java/lang/invoke/LambdaMetafactory.metafactory(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite; handle\ninvokevirtual p/D.e()Lp/E; handle\n",
	} {
		i := slices.IndexFunc(refs.Methods, func(m MethodRefs) bool { return strings.HasPrefix(m.Name+m.Descriptor, method) })
		if i < 0 {
			t.Fatalf("no method %s", method)
		}
		if got := refs.Methods[i].text(); got != want {
			t.Errorf("%s:\n%swant\n%s", method, got, want)
		}
	}
}

// A member that is not there is found by linking, and nothing else is.
func TestUnresolved(t *testing.T) {
	source := func(members string) map[string][]byte {
		return compile(t, "p/Lib.java", "package p; class Base { } class Lib extends Base { "+members+" }", "p/User.java",
			"package p; class User { int a() { return new Lib().gone(); } int b() { return new Lib().there() + \"x\".length(); } int c() { return Lib.field; } }")
	}
	classes := source("int gone() { return 1; } int there() { return 2; } static int field;")
	user := classes["p/User"]
	classes = compile(t, "p/Lib.java", "package p; class Base { } class Lib extends Base { int there() { return 2; } }")
	classes["p/User"] = user
	dir := t.TempDir()
	jvmtest.WriteClasses(t, dir, classes)
	p := open(t, "", nil, dir)
	for method, want := range map[string]string{"a": "p/Lib", "b": "", "c": "p/Lib"} {
		got, err := p.Unresolved("p/User", method, "()I")
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: %v, %v", method, got, err)
		}
	}
}

// What a class names in another place by its number is raw; in its own place it has a canonical name.
func TestRaw(t *testing.T) {
	classes := compile(t, "p/A.java", "package p; class A { static Object f() { return new Object() { int k; }; } }",
		"p/Local.java", "package p; class Local { Object g() { class In { } return new In(); } }", "p/User.java", "package p; class User { A a; }")
	// No compiler names an anonymous class of another file, so the name of a field's type is replaced by one that is as long.
	classes["p/User"] = []byte(strings.Replace(string(classes["p/User"]), "\x00\x05Lp/A;", "\x00\x07Lp/A$1;", 1))
	apart, together, other := t.TempDir(), t.TempDir(), t.TempDir()
	jvmtest.WriteClasses(t, together, classes)
	jvmtest.WriteClasses(t, other, map[string][]byte{"p/User": classes["p/User"]})
	delete(classes, "p/User")
	jvmtest.WriteClasses(t, apart, classes)
	one, two := open(t, "", nil, together), open(t, "", nil, apart, other)
	if one.Raw("p/A$1") || !two.Raw("p/A$1") || two.Raw("p/Local$1In") {
		t.Errorf("together %v, apart %v, not named %v", one.Raw("p/A$1"), two.Raw("p/A$1"), two.Raw("p/Local$1In"))
	}
	if one.Digest("p/User") == two.Digest("p/User") {
		t.Error("the canonical name is not in the table")
	}
}
