package state

import (
	"slices"
	"testing"

	"winnow/internal/jvm/agent"
)

// TestKeptByLibraries: a test that looks at what the JDK or a library keeps depends on one that changed it before.
func TestKeptByLibraries(t *testing.T) {
	const guava, logger = "com/google/common/collect/Multimap", "org/slf4j/Logger"
	field := Member{Class: "p/S", Name: "m", Descriptor: "L" + guava + ";", Static: true}
	call := func(class, name string) Member {
		return Member{Class: class, Name: name, Descriptor: "(Ljava/lang/Object;)V"}
	}
	for _, c := range []struct {
		name         string
		first, later Member
		field        bool
		want         bool
	}{
		{"MBeans", call("javax/management/MBeanServer", "registerMBean"), call("javax/management/MBeanServer", "isRegistered"), false, true},
		{"started threads", call("java/lang/Thread", "start"), call("java/lang/Thread", "getAllStackTraces"), false, true},
		{"a diagnostic context", call("org/slf4j/MDC", "put"), call("org/slf4j/MDC", "get"), false, true},
		{"a level", call("ch/qos/logback/classic/Logger", "setLevel"), call(logger, "isDebugEnabled"), false, true},
		{"what is logged", call("ch/qos/logback/classic/Logger", "setLevel"), call(logger, "info"), false, false},
		{"a container", call(guava, "put"), call(guava, "get"), true, true},
		{"a container that is looked at", call(guava, "containsKey"), call(guava, "get"), true, false},
		{"containers in no field", call(guava, "put"), call(guava, "get"), false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &relay{classes: map[string]*Class{"java/lang/Object": {Name: "java/lang/Object"}, "java/lang/System": {Name: "java/lang/System", Super: "java/lang/Object"},
				"p/S": {Name: "p/S", Super: "java/lang/Object", Fields: []Field{{Name: "m", Descriptor: field.Descriptor, Signature: field.Descriptor, Static: true}}}}}
			trace := &agent.Trace{Process: &agent.Footprint{Name: "process"}}
			for i, m := range []Member{c.first, c.later} {
				b := Body{Name: "test", Descriptor: "()V", Calls: []Member{m}}
				if c.field {
					b.Reads = []Member{field}
				}
				name := []string{"p/A", "p/B"}[i]
				r.classes[name] = &Class{Name: name, Super: "java/lang/Object", Methods: []Body{b}}
				r.methods = append(r.methods, agent.Method{Class: name, Name: "test", Descriptor: "()V"})
				trace.Tests = append(trace.Tests, &agent.TestTrace{Node: agent.Node{Key: name, Class: []string{"p.A", "p.B"}[i]}, Begin: uint64(2*i + 1), End: uint64(2*i + 2), Outcome: agent.Passed,
					Own: &agent.Footprint{Name: name, Methods: []int{i}}, Shared: []*agent.Footprint{trace.Process}})
			}
			in, err := inherit(r, r, trace, nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, handed := in.All(trace.Tests[1]); slices.Contains(handed, trace.Tests[0].Own) != c.want {
				t.Errorf("depends on the first test: %v, want %v", !c.want, c.want)
			}
		})
	}
}
