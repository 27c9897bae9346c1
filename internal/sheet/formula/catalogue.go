package formula

import "strings"

// pin says which coordinates of its own cell a formula depends on.
type pin uint8

const (
	pinRow pin = 1 << iota
	pinCol
	pinSheet
	pinAll = pinRow | pinCol | pinSheet
)

// positional has the functions of the catalogue whose value may depend on where
// the formula, or a reference in it, stands.
var positional = map[string]pin{
	"CELL":        pinAll,
	"COLUMN":      pinCol,
	"FORMULATEXT": pinAll,
	"INDIRECT":    pinAll,
	"ROW":         pinRow,
	"SHEET":       pinAll,
}

// functions has the pin of every function in the catalogue.
var functions = func() map[string]pin {
	names := strings.Fields(catalogue)
	m := make(map[string]pin, len(names))
	for _, name := range names {
		m[name] = positional[name]
	}
	return m
}()

// pinOf returns the coordinates that a function, named as by canonical, depends
// on.
func pinOf(name string) pin {
	if p, known := functions[name]; known {
		return p
	}
	return pinAll // an unknown function may ask for its own place
}

// canonical splits a function name as written into the markers of newer
// functions and the name in upper case. A name that is unknown without its
// markers keeps them.
func canonical(raw string) (marker, name string, known bool) {
	if _, known := functions[raw]; known {
		return "", raw, true
	}
	u := upperString(raw)
	rest := u
	for _, m := range [...]string{"_xlfn.", "_xlws."} {
		if len(rest) > len(m) && equalFold(rest[:len(m)], m) {
			marker += m
			rest = rest[len(m):]
		}
	}
	if _, known := functions[rest]; known {
		return marker, rest, true
	}
	return "", u, false
}

func isKnown(raw string) bool {
	_, _, known := canonical(raw)
	return known
}
