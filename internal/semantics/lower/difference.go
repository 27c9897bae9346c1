package lower

import (
	"slices"

	"winnow/internal/semantics/minijvm"
)

// A Difference is one between the small JVM and a real one.
type Difference struct {
	ID      string
	Summary string
	// Program shows it, in the text form of the small JVM. Small is what its test raises there, by name, and Real the class that it raises on a real JVM; "-" is nothing.
	Program, Small, Real string
	// Bare: the lowering hides it, so that it shows with Form.Bare only.
	Bare bool
	// met tells whether the next step of a run comes across it; nil if the lowering hides it.
	met func(p *minijvm.Program, t *minijvm.Typing, s *minijvm.State) bool
}

func (d *Difference) in(list []*Difference) bool { return slices.Contains(list, d) }

// Differences returns the known differences, in the order of the documentation.
func Differences() []*Difference { return differences }

const emptyClinit = `  method static void clinit() stack 1 locals 0 {
    0: Push unit
    1: Return
  }
`

// testMain is a class Test with a main.
func testMain(main string) string {
	return "class Test extends Object {\n" + emptyClinit + main + "}\n"
}

var differences = []*Difference{
	{
		ID: "wrapped", Bare: true, Small: "NullPointer", Real: "java.lang.ExceptionInInitializerError",
		Summary: "A JVM wraps an exception that leaves a static initializer unless it is an Error.",
		Program: testMain(`  method static void main() stack 1 locals 0 {
    0: New A
    1: Pop
    2: Push unit
    3: Return
  }
`) + `class A extends Object {
  method static void clinit() stack 1 locals 0 {
    0: Push null
    1: Throw
  }
}
`,
	},
	{
		ID: "resolution first", Bare: true, Small: "NullPointer", Real: "java.lang.NoSuchFieldError",
		Summary: "A JVM looks for the member before it looks at the object; the small JVM finds the null first.",
		Program: testMain(`  method static void main() stack 1 locals 0 {
    0: Push null
    1: Checkcast A
    2: Getfield f A
    3: Return
  }
`) + "class A extends Object {\n" + emptyClinit + "}\n",
	},
	{
		ID: "errors extend errors", Bare: true, Small: "NoSuchFieldError", Real: "-",
		Summary: "In java.lang, NoSuchFieldError and NoSuchMethodError are subclasses of IncompatibleClassChangeError.",
		Program: testMain(`  method static void main() stack 1 locals 0 {
    0: Getstatic A f A
    1: Return
    2: Pop
    3: Push unit
    4: Return
    catch IncompatibleClassChangeError from 0 to 1 at 2 depth 0
  }
`) + "class A extends Object {\n" + emptyClinit + "}\n",
	},
	{
		ID: "static in between", Small: "IncompatibleClassChangeError", Real: "-", met: meetsStatic,
		Summary: "A call on an object finds a static method in the object's class: the small JVM raises, a JVM passes over it and calls the one above.",
		Program: testMain(`  method static void main() stack 1 locals 0 {
    0: New B
    1: Checkcast A
    2: Invoke m 0
    3: Return
  }
`) + "class A extends Object {\n" + emptyClinit + `  method void m() stack 1 locals 0 {
    0: Push unit
    1: Return
  }
}
class B extends A {
` + emptyClinit + `  method static void m() stack 1 locals 0 {
    0: Push unit
    1: Return
  }
}
`,
	},
	{
		ID: "static below", Small: "IncompatibleClassChangeError", Real: "java.lang.NoSuchMethodError", met: meetsStaticBelow,
		Summary: "A call on an object whose type has no such method, and whose class has a static one: a JVM looks for the method in the type first and does not find it.",
		Program: testMain(`  method static void main() stack 1 locals 0 {
    0: New B
    1: Checkcast A
    2: Invoke m 0
    3: Return
  }
`) + "class A extends Object {\n" + emptyClinit + `}
class B extends A {
` + emptyClinit + `  method static void m() stack 1 locals 0 {
    0: Push unit
    1: Return
  }
}
`,
	},
	{
		ID: "one object per exception", Small: "-", Real: "p0.A", met: meetsPreallocated,
		Summary: "The small JVM has one object of each system exception, a JVM makes a new one each time.",
		Program: testMain(`  method static void main() stack 2 locals 2 {
    0: Push null
    1: Throw
    2: Store 0
    3: Push null
    4: Throw
    5: Store 1
    6: Load 0
    7: Load 1
    8: CmpEq
    9: IfFalse 3
    10: Push unit
    11: Return
    12: New A
    13: Throw
    catch NullPointer from 0 to 2 at 2 depth 0
    catch NullPointer from 3 to 5 at 5 depth 0
  }
`) + "class A extends Object {\n" + emptyClinit + "}\n",
	},
}

// meetsStatic: the class of the object has a static method where its type has an instance method.
func meetsStatic(p *minijvm.Program, t *minijvm.Typing, s *minijvm.State) bool {
	found, declared := called(p, t, s)
	return found != nil && found.Static && declared != nil && !declared.Static
}

// meetsStaticBelow: the class of the object has a static method where its type has none.
func meetsStaticBelow(p *minijvm.Program, t *minijvm.Typing, s *minijvm.State) bool {
	found, declared := called(p, t, s)
	return found != nil && found.Static && declared == nil
}

// called returns the methods that the class of the object of a call and its type see.
func called(p *minijvm.Program, t *minijvm.Typing, s *minijvm.State) (found, declared *minijvm.Method) {
	in := current(p, s)
	if in == nil || in.Op != minijvm.Invoke {
		return nil, nil
	}
	top := len(s.Frames()) - 1
	f, stack := s.Frames()[top], s.Stack(top)
	a, ok := stack[len(stack)-1-int(in.N)].Addr()
	if !ok {
		return nil, nil
	}
	types := t.At(f.Class, f.Method)[f.PC].Stack
	class, isClass := types[len(types)-1-int(in.N)].Class()
	if !isClass {
		return nil, nil
	}
	runs, _ := s.ClassOf(a)
	found, _ = p.SeesMethod(runs, in.F)
	declared, _ = p.SeesMethod(class, in.F)
	return found, declared
}

// meetsPreallocated: two references to one preallocated object are compared.
func meetsPreallocated(p *minijvm.Program, _ *minijvm.Typing, s *minijvm.State) bool {
	in := current(p, s)
	if in == nil || in.Op != minijvm.CmpEq {
		return false
	}
	stack := s.Stack(len(s.Frames()) - 1)
	a, ok := stack[len(stack)-1].Addr()
	return ok && stack[len(stack)-1] == stack[len(stack)-2] && a < len(minijvm.SystemExceptions())
}
