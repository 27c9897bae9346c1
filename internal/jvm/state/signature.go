package state

import "strings"

// contents lists the classes and array types that the type of a field names, generic arguments included. Open tells whether it leaves some of them open: by a wildcard, a
// type variable or Object.
func contents(signature string) (types []string, open bool) {
	for i := 0; i < len(signature); i++ {
		switch signature[i] {
		case '*', '.':
			open = true // a member of a generic class counts as open: its name is in two parts
		case 'T':
			open = true
			i += until(signature[i:], ";")
		case '[':
			name, more := arrays(signature[i:])
			types = append(types, name...)
			i += more
		case 'L':
			end := until(signature[i:], "<;")
			name := signature[i+1 : i+end]
			i += end
			types = append(types, name)
			open = open || name == "java/lang/Object"
			if name == "java/lang/Class" {
				i += until(signature[i:], ";") // what a class is of, it does not hold
			}
		}
	}
	return types, open
}

// arrays lists an array type and those of its elements that are arrays, and how much of the signature says so.
func arrays(signature string) (types []string, end int) {
	element := strings.TrimLeft(signature, "[")
	dimensions := len(signature) - len(element)
	name := "Ljava/lang/Object;"
	if element != "" && strings.IndexByte("BCDFIJSZ", element[0]) >= 0 {
		name, end = element[:1], 1
	}
	for d := dimensions; d > 0; d-- {
		types = append(types, strings.Repeat("[", d)+name)
	}
	return types, dimensions + end - 1
}

// until is how far the first of some characters is; the length if there is none.
func until(s, chars string) int {
	if i := strings.IndexAny(s, chars); i >= 0 {
		return i
	}
	return len(s)
}
