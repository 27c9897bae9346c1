package project

import (
	"slices"
	"strings"

	"winnow/internal/jvm/agent"
	"winnow/internal/jvm/state"
	"winnow/internal/jvm/table"
)

// A test framework looks at a test class to find out how to run a test of it: at everything but the other test methods, as far as the test is concerned. So a test method that is
// added, taken away or declared otherwise does not change the others. What looks at classes besides the framework may see all of them.

// framed adds that a framework looked at a test class and its supertypes, to run the test methods of a name; "" stands for none.
func (r *recorder) framed(s *stretch, class, method string) error {
	above, err := r.asked(s, class, table.Framed)
	for _, j := range above {
		t := r.classes[j].table
		if t == nil {
			continue
		}
		for k := range t.Methods {
			if t.Methods[k].FileName == method {
				s.cover(j, table.FirstMethod+uint32(k))
			}
		}
	}
	return err
}

// declaresTest tells whether a class itself has a method of a name that its table knows as a test. One that it inherits may be overridden by a test that is added.
func (r *recorder) declaresTest(class, method string) bool {
	i, err := r.class(class)
	if err != nil || i < 0 || r.classes[i].table == nil {
		return false
	}
	return slices.ContainsFunc(r.classes[i].table.Methods, func(m table.Method) bool { return m.FileName == method && m.IsTest() })
}

// hasTests tells whether a class has methods that its table knows as tests, its own or inherited ones.
func (r *recorder) hasTests(class string) bool {
	i, err := r.class(class)
	if err != nil || i < 0 {
		return false
	}
	return slices.ContainsFunc(r.classes[i].above, func(j int) bool {
		t := r.classes[j].table
		return t != nil && slices.ContainsFunc(t.Methods, func(m table.Method) bool { return m.IsTest() })
	})
}

// seeksClasses tells whether code besides the framework's can have asked for classes by their names in a footprint.
func (r *recorder) seeksClasses(f *agent.Footprint) bool {
	if r.library == nil {
		return true
	}
	seeks, known := r.seeking[f]
	if !known {
		seeks = slices.ContainsFunc(f.Methods, r.maySeek)
		r.seeking[f] = seeks
	}
	return seeks
}

func (r *recorder) maySeek(id int) bool { return r.mayCall(id, asksByName) }

// plainFacts are methods of java.lang.reflect that say of one member what it is called and how it is declared, and lead neither to other members nor to classes. Code
// that gives tests a display name calls them while tests are found.
var plainFacts = []string{"getName", "getDeclaringClass", "getModifiers", "getParameterCount", "isVarArgs", "isSynthetic", "isBridge", "isDefault", "equals", "hashCode"}

// statesFact tells whether a call tells no more than a plain fact of a member that is at hand.
func statesFact(m state.Member) bool {
	return m.Class == "java/lang/reflect/Modifier" || strings.HasPrefix(m.Class, "java/lang/reflect/") && slices.Contains(plainFacts, m.Name)
}

// asksByName tells whether a call may ask for a class by its name, or have the JDK or the framework do so.
func asksByName(m state.Member) bool {
	if statesFact(m) {
		return false
	}
	return m.Class == "java/lang/Class" && m.Name == "forName" || strings.HasSuffix(m.Class, "ClassLoader") || m.Name == "loadClass" || m.Name == "findClass" || m.Class == "java/util/ServiceLoader" || m.Class == "java/io/ObjectInputStream" ||
		strings.HasPrefix(m.Class, "org/junit/platform/commons/") || strings.HasPrefix(m.Class, "java/lang/reflect/")
}

// onlyFramework tells whether nothing but the test framework can have looked at members of classes in footprints.
func (r *recorder) onlyFramework(all ...*agent.Footprint) bool {
	if r.library == nil {
		return false
	}
	for _, f := range all {
		looks, known := r.looking[f]
		if !known {
			looks = slices.ContainsFunc(f.Methods, r.looks)
			r.looking[f] = looks
		}
		if looks {
			return false
		}
	}
	return true
}

// logging is the beginning of the names of classes of SLF4J's interface, which asks for its provider as a service and looks at no other class. TestNG uses it before any test begins.
const logging = "org/slf4j/"

// looks tells whether a method, unless it is one of the framework's, may look at members of classes.
func (r *recorder) looks(id int) bool {
	if looks, known := r.lookers[id]; known {
		return looks
	}
	m, _ := r.plan.Method(id)
	looks := !strings.HasPrefix(m.Class, logging) && r.mayCall(id, looksAtMembers)
	r.lookers[id] = looks
	return looks
}

// mayCall tells whether a method, unless it is one of the framework's, may have a call of some kind.
func (r *recorder) mayCall(id int, some func(state.Member) bool) bool {
	m, ok := r.plan.Method(id)
	if !ok {
		return true
	}
	if inFramework(m.Class) {
		return false
	}
	c, err := r.library.Class(m.Class)
	if err != nil || c == nil {
		return true
	}
	i := slices.IndexFunc(c.Methods, func(b state.Body) bool { return b.Name == m.Name && b.Descriptor == m.Descriptor })
	return i < 0 || slices.ContainsFunc(c.Methods[i].Calls, some)
}

// plainQuestions are methods of java.lang.Class that say nothing about members.
var plainQuestions = []string{"getName", "getSimpleName", "getTypeName", "getCanonicalName", "getClassLoader", "getResource", "getResourceAsStream", "getPackage", "getPackageName", "getModule", "getSuperclass", "getComponentType",
	"getEnumConstants", "isInstance", "isAssignableFrom", "isArray", "isInterface", "isEnum", "isPrimitive", "isAnonymousClass", "cast", "asSubclass", "forName", "desiredAssertionStatus", "hashCode", "equals", "toString"}

// looksAtMembers tells whether a call may look at members of a class, or have the JDK or the framework look at them.
func looksAtMembers(m state.Member) bool {
	if m.Class == "java/lang/Class" {
		return !slices.Contains(plainQuestions, m.Name)
	}
	if statesFact(m) {
		return false
	}
	if m.Class == "java/lang/invoke/MethodHandles$Lookup" || m.Class == "java/lang/invoke/MethodHandleProxies" {
		return true
	}
	return slices.ContainsFunc([]string{"java/lang/reflect/", "java/beans/", "java/io/Object", "java/util/ServiceLoader", "javax/management/", "org/junit/platform/", "org/junit/runner", "org/junit/internal/", "org/junit/jupiter/engine/", "org/junit/jupiter/api/MethodOrdererContext", "junit/framework/TestSuite", "junit/framework/TestResult", "junit/framework/JUnit4", "junit/runner/", "junit/textui/"},
		func(p string) bool { return strings.HasPrefix(m.Class, p) })
}
