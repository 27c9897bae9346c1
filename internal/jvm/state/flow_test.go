package state

import (
	"slices"
	"testing"

	"winnow/internal/jvm/jvmtest"
)

// TestReceivers: the class of the object of a method reference is known only if the body made all that it can be.
func TestReceivers(t *testing.T) {
	const source = `
import java.util.*;
import java.util.function.Consumer;

class Receivers {
    static Comparable<?> some;
    List<Object> own = new ArrayList<>();

    static Consumer<Object> made() { List<Object> l = new ArrayList<>(); return l::add; }
    static Consumer<Object> oneOfTwo(boolean b) { List<Object> l = b ? new ArrayList<>() : new LinkedList<>(); return l::add; }
    static Consumer<Object> givenOrMade(boolean b, List<Object> given) { List<Object> l = b ? new ArrayList<>() : given; return l::add; }
    static Consumer<Object> calledOrMade(boolean b) { List<Object> l = new ArrayList<>(); if (b) { l = List.of(); } return l::add; }
    @SuppressWarnings("unchecked") static Consumer<Object> castOrMade(boolean b) { List<Object> l = new ArrayList<>(); if (b) { l = (List<Object>) some; } return l::add; }
    static Consumer<Object> elementOrMade(boolean b, List<Object>[] all) { List<Object> l = new ArrayList<>(); if (b) { l = all[0]; } return l::add; }
    Consumer<Object> fieldOrMade(boolean b) { List<Object> l = b ? own : new ArrayList<>(); return l::add; }
    static Consumer<Object> madeAgain(List<Object> next) {
        List<Object> l = new ArrayList<>();
        Consumer<Object> c = null;
        for (int i = 0; i < 3; i++) { c = l::add; l = next; }
        return c;
    }
    static Consumer<Object> caught(List<Object> given) {
        List<Object> l = new ArrayList<>();
        try { l = given; l.clear(); } catch (RuntimeException e) { return l::add; }
        return null;
    }
}`
	const name = "Receivers"
	c, err := ReadClass(jvmtest.Javac(t, jvmtest.JDK(t, 17), map[string]string{name + ".java": source})[name])
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{"made": {"java/util/ArrayList"}, "oneOfTwo": {"java/util/ArrayList", "java/util/LinkedList"}}
	seen := 0
	for i := range c.Methods {
		for _, f := range c.Methods[i].Functions {
			seen++
			on := slices.Sorted(slices.Values(f.On))
			if !slices.Equal(on, want[c.Methods[i].Name]) {
				t.Errorf("%s: on %q, want %q", c.Methods[i].Name, on, want[c.Methods[i].Name])
			}
		}
	}
	if seen != 9 {
		t.Errorf("%d functions", seen)
	}
}
