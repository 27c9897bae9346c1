package calc

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
)

//go:embed functions.txt
var functionTable string

// function is one line of functions.txt.
type function struct {
	name    string
	verdict string // own, trusted or refused
	params  string // letters; lower case is optional
	repeat  int    // so many last letters may be repeated
	result  byte   // n, t, b or a
	flags   []string
	note    string
}

func (fn *function) has(flag string) bool { return slices.Contains(fn.flags, flag) }

var functions = sync.OnceValue(func() map[string]*function {
	table, err := parseFunctions(functionTable)
	if err != nil {
		panic(err) // the table is part of the program, and a test reads it
	}
	return table
})

func parseFunctions(text string) (map[string]*function, error) {
	table := map[string]*function{}
	for i, line := range strings.Split(text, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		fn, err := parseFunction(line)
		if err != nil {
			return nil, fmt.Errorf("functions.txt:%d: %w", i+1, err)
		}
		if table[fn.name] != nil {
			return nil, fmt.Errorf("functions.txt:%d: %s stands twice", i+1, fn.name)
		}
		table[fn.name] = fn
	}
	return table, nil
}

func parseFunction(line string) (*function, error) {
	head, note, _ := strings.Cut(line, "|")
	f := strings.Fields(head)
	if len(f) < 2 {
		return nil, fmt.Errorf("%q: want a name and a verdict", line)
	}
	fn := &function{name: f[0], verdict: f[1], note: strings.TrimSpace(note)}
	switch fn.verdict {
	case "own":
		if len(f) == 2 {
			return fn, nil
		}
		return fn, fn.parseSignature(f[2:])
	case "refused":
		if fn.note == "" {
			return nil, fmt.Errorf("%s: refused without a reason", fn.name)
		}
		return fn, nil
	case "trusted":
		return fn, fn.parseSignature(f[2:])
	}
	return nil, fmt.Errorf("%s: unknown verdict %q", fn.name, fn.verdict)
}

func (fn *function) parseSignature(f []string) error {
	if len(f) < 2 || len(f[1]) != 1 || !strings.Contains("ntba", f[1]) {
		return fmt.Errorf("%s: want parameters and a result", fn.name)
	}
	letters, repeat, _ := strings.Cut(f[0], "*")
	fn.params, fn.result, fn.flags = letters, f[1][0], f[2:]
	if repeat != "" {
		fn.repeat = int(repeat[0] - '0')
	}
	if fn.repeat < 0 || fn.repeat > len(letters) || strings.Trim(strings.ToUpper(letters), "NIDWTBARMX") != "" {
		return fmt.Errorf("%s: bad parameters %q", fn.name, f[0])
	}
	return nil
}

// lookup returns a function that is computed, or why there is none.
func lookup(name string) (*function, string) {
	fn := functions()[name]
	if fn == nil {
		return nil, "the function is not known"
	}
	if fn.verdict == "refused" {
		return nil, fn.note
	}
	return fn, ""
}

// Trusted reports whether calls of a function are computed, and why not if they are not. The name is in upper case, without the
// prefix _xlfn.
func Trusted(name string) (ok bool, why string) {
	fn, why := lookup(name)
	return fn != nil, why
}

func (fn *function) param(i int) byte {
	if i >= len(fn.params) {
		i = len(fn.params) - fn.repeat + (i-len(fn.params))%fn.repeat
	}
	return fn.params[i] &^ 0x20 // upper case
}

func (fn *function) checkCount(n int) error {
	least := 0
	for _, c := range fn.params {
		if c < 'a' {
			least++
		}
	}
	extra := n - len(fn.params)
	if n < least || extra > 0 && (fn.repeat == 0 || extra%fn.repeat != 0) {
		return refuse(fn.name, "wrong number of arguments")
	}
	return nil
}
