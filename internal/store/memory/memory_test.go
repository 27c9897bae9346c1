package memory_test

import (
	"testing"

	"winnow/internal/store"
	"winnow/internal/store/memory"
	"winnow/internal/store/storetest"
)

func TestConformance(t *testing.T) {
	storetest.Run(t, func(*testing.T) store.Backend { return new(memory.Backend) })
}
