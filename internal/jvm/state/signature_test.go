package state

import (
	"slices"
	"testing"
)

func TestContents(t *testing.T) {
	for _, c := range []struct {
		signature string
		types     []string
		open      bool
	}{
		{"I", nil, false},
		{"[[I", []string{"[[I", "[I"}, false},
		{"[Ljava/lang/String;", []string{"[Ljava/lang/Object;", "java/lang/String"}, false},
		{"Ljava/util/List<Ljava/lang/Integer;>;", []string{"java/util/List", "java/lang/Integer"}, false},
		{"Ljava/util/Map<Ljava/lang/String;Ljava/util/List<[J>;>;", []string{"java/util/Map", "java/lang/String", "java/util/List", "[J"}, false},
		{"Ljava/util/Map<Ljava/lang/Class<*>;Lp/V;>;", []string{"java/util/Map", "java/lang/Class", "p/V"}, false},
		{"Ljava/util/List<*>;", []string{"java/util/List"}, true},
		{"Ljava/util/List<+TT;>;", []string{"java/util/List"}, true},
		{"Ljava/util/Map<Ljava/lang/String;Ljava/lang/Object;>;", []string{"java/util/Map", "java/lang/String", "java/lang/Object"}, true},
		{"Lp/Outer<TT;>.Inner;", []string{"p/Outer"}, true},
		{"[", []string{"[Ljava/lang/Object;"}, false},
		{"Lp/V", []string{"p/V"}, false},
		{"L", []string{""}, false},
	} {
		types, open := contents(c.signature)
		if !slices.Equal(types, c.types) || open != c.open {
			t.Errorf("%s: got %q, %t; want %q, %t", c.signature, types, open, c.types, c.open)
		}
	}
}
