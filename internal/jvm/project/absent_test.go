package project

import (
	"testing"

	"winnow/internal/jvm/agent"
	"winnow/internal/jvm/state"
)

// TestNotesOfInitializers: what a class of the project does when it is initialized can matter to other tests. In an initializer of Surefire only what its other threads do can be seen.
func TestNotesOfInitializers(t *testing.T) {
	r := &recorder{census: &census{}, noted: map[*agent.Footprint]*state.Notes{}}
	for class, want := range map[string]int{"p/A": 1, "org/apache/maven/surefire/api/booter/Command": 0} {
		f := &agent.Footprint{Name: "init(" + class + ")", Events: []agent.NamedEvent{{Kind: agent.PropertyWritten, Text: "java.class.path"}}}
		if got := r.notes(f); len(got) != want {
			t.Errorf("%s: %v", class, got)
		}
	}
}
