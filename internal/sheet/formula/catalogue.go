package formula

import "strings"

// Class is what is known about a function besides its arguments; a function may
// have several classes. The zero Class is pure.
type Class uint8

// Classes of functions.
const (
	// Pure functions compute their value from their arguments alone.
	Pure Class = 0
	// Volatile functions may give another value each time: clock, chance.
	Volatile Class = 1 << (iota - 1)
	// Dynamic functions read cells that are not written in their arguments.
	Dynamic
	// Environment functions depend on something besides cell values: formats,
	// hidden rows, formula texts, the machine, the network, other programs.
	Environment
	// ArrayResult functions give an array, which may spill.
	ArrayResult
	// Lambda functions bind names or take functions.
	Lambda
	// Positional functions depend on where the formula or a reference stands.
	Positional
	// Unknown functions are user-defined, macros, or newer than the catalogue.
	Unknown
)

var classNames = [...]string{
	"volatile", "dynamic reference", "environment", "array result", "lambda", "positional", "unknown",
}

// String lists the classes, or gives "pure".
func (c Class) String() string {
	var s []string
	for i, name := range classNames {
		if c&(1<<i) != 0 {
			s = append(s, name)
		}
	}
	if s == nil {
		return "pure"
	}
	return strings.Join(s, ", ")
}

// Function is an entry of the catalogue of functions.
type Function struct {
	Name  string // upper case, without markers such as _xlfn.
	Class Class
	// Params has a letter for each parameter: 's' needs a single value, 'a'
	// takes an area or an array, 'v' takes what the call itself may be. The
	// part after '|' repeats. Parameters beyond are 's'.
	Params string
}

// Lookup finds a function by its name in upper case, without _xlfn. and
// _xlws.; a function not found has class Unknown.
func Lookup(name string) (Function, bool) {
	if f := functions[name]; f != nil {
		return *f, true
	}
	return Function{Name: name, Class: Unknown}, false
}

var functions = func() map[string]*Function {
	m := make(map[string]*Function, len(catalogue))
	for i := range catalogue {
		m[catalogue[i].Name] = &catalogue[i]
	}
	return m
}()

// canonical splits a function name as written into the markers of newer
// functions and the name in upper case. A name that is unknown without its
// markers keeps them; fn is then nil.
func canonical(raw string) (marker, name string, fn *Function) {
	if fn := functions[raw]; fn != nil {
		return "", raw, fn
	}
	u := upperString(raw)
	rest := u
	for _, m := range [...]string{"_xlfn.", "_xlws."} {
		if len(rest) > len(m) && equalFold(rest[:len(m)], m) {
			marker += m
			rest = rest[len(m):]
		}
	}
	if fn := functions[rest]; fn != nil {
		return marker, rest, fn
	}
	return "", u, nil
}

func isKnown(raw string) bool {
	_, _, fn := canonical(raw)
	return fn != nil
}

// function returns the catalogue entry of a call.
func (c *Call) function() Function {
	if c.Prefix != (Prefix{}) {
		return Function{Name: c.Name, Class: Unknown}
	}
	f, _ := Lookup(c.Name)
	return f
}

// param returns the parameter letter of argument i of the call.
func (c *Call) param(f Function, i int) byte {
	if f.Class&(Unknown|Lambda) != 0 {
		return 'a'
	}
	if f.Name == "SWITCH" && i == len(c.Args)-1 && i%2 == 1 {
		return 'v' // the default value, which has no key before it
	}
	if (f.Name == "ROW" || f.Name == "COLUMN") && isLine(c.Args[i], f.Name) {
		return 'a'
	}
	once, repeat, _ := strings.Cut(f.Params, "|")
	if i < len(once) {
		return once[i]
	}
	if repeat == "" {
		return 's'
	}
	return repeat[(i-len(once))%len(repeat)]
}

// isLine says whether n is an area of one row, for ROW, or of one column, for
// COLUMN: the function then gives one number and not an array.
func isLine(n Node, function string) bool {
	r, ok := unwrap(n).(*Reference)
	if !ok {
		return false
	}
	rows, cols := r.Range.Size()
	return function == "ROW" && rows == 1 || function == "COLUMN" && cols == 1
}
