package mutate

import (
	"strings"
	"testing"
)

// original is what testdata/Main.java says.
const original = "hi main70.5 110 true false false 11 22 33 -1 0 1.5 3.5 false 114866 5 Basebase hello 10 true 127 z 1099511627776 1.5 2.25 text lambda"

// Mutants behave differently: of every operator most can be told from the original by running the program, and of some operators all.
func TestBehaviour(t *testing.T) {
	classes := chosen(t, func(name string) bool { return strings.HasPrefix(name, "p/") })
	mutants, err := Sample(*seed, 1<<30, classes)
	if err != nil {
		t.Fatal(err)
	}
	batches := [][]named{{{"p/Main", classes["p/Main"]}}} // in a loader of its own, like the mutants
	for _, m := range mutants {
		batches = append(batches, []named{{m.Class, apply(t, m, classes[m.Class])}})
	}
	_, after := newJVM(t, 25).ask("run", classes, batches)
	want := after[0][0]
	if want != original {
		t.Fatalf("the original says %q", want)
	}
	killed, all := map[string]int{}, map[string]int{}
	for i, m := range mutants {
		all[m.Operator]++
		if after[i+1][0] != want {
			killed[m.Operator]++
			continue
		}
		t.Logf("runs like the original: %s", m)
	}
	for _, operator := range Operators() {
		t.Logf("%s: %d of %d run differently", operator, killed[operator], all[operator])
		if killed[operator]*2 < all[operator] || all[operator] == 0 {
			t.Errorf("%s: only %d of %d run differently from %q", operator, killed[operator], all[operator], want)
		}
	}
	for _, operator := range []string{Override, ConstantValue, Switch, Increment} {
		if killed[operator] != all[operator] {
			t.Errorf("%s: %d of %d run differently, all should", operator, killed[operator], all[operator])
		}
	}
}

// A judge that accepts anything proves nothing.
func TestJudgeNotices(t *testing.T) {
	classes := jarClasses(t, "junit-3.8")
	const name = "junit/framework/TestResult"
	m, err := Parse("throw " + name + ".stop()V body -> null")
	if err != nil {
		t.Fatal(err)
	}
	s, err := newScan(apply(t, m, classes[name]))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.scanFor(m); err != nil {
		t.Fatal(err)
	}
	s.code.Bytes = []byte{0xbf} // athrow without anything to throw
	_, after := newJVM(t, 25).ask("link", classes, [][]named{{{name, s.class.Append(nil)}}})
	if said := after[0][0]; !strings.HasPrefix(said, "java.lang.VerifyError") {
		t.Errorf("broken code, and the JVM says: %s", said)
	}
}
