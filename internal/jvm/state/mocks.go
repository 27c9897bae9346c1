package state

import (
	"slices"
	"strings"
)

// Mockito changes classes, all of the JDK's Object among them, and has some of its methods run wherever a class is loaded or a method of such a class is called. They ask whether it is about a mock. If it is not, they
// do nothing; otherwise they call others of Mockito's, which look at the same state. So for a test that has none of those, what was mocked before does not matter.

// mocking is where Mockito's classes are.
const mocking = "org/mockito/"

// watching are those methods, by class.
var watching = map[string][]string{
	"org/mockito/internal/creation/bytebuddy/MockMethodAdvice":         {"isMock", "isMocked"},
	"org/mockito/internal/creation/bytebuddy/InlineBytecodeGenerator":  {"transform"},
	"org/mockito/internal/util/concurrent/WeakConcurrentMap":           {"containsKey"},
	"org/mockito/internal/util/concurrent/WeakConcurrentMap$LatentKey": {"<init>", "hashCode", "equals"},
}

// findWatching notes which methods are Mockito's, and which of them only watch.
func (h *heir) findWatching() {
	h.watches, h.mocks = make([]bool, len(h.methods)), make([]bool, len(h.methods))
	for n := range h.methods {
		class, b := h.types[h.methods[n].class].name, h.methods[n].body
		h.watches[n] = b != nil && slices.Contains(watching[class], b.Name)
		h.mocks[n] = !h.watches[n] && strings.HasPrefix(class, mocking)
	}
}

// newly notes a method that the test has. One that watches waits until there is one that mocks.
func (h *heir) newly(n int32) {
	switch {
	case h.watches[n] && h.mocked != h.turn:
		h.watched = append(h.watched, n)
	case h.mocks[n] && h.mocked != h.turn:
		h.mocked = h.turn
		h.fresh = append(append(h.fresh, h.watched...), n)
	default:
		h.fresh = append(h.fresh, n)
	}
}
