package canon

// Broken variants, for the tests that must notice them.

// PartNames are the names of the parts.
func PartNames() []string {
	var out []string
	for _, p := range parts {
		out = append(out, p.name)
	}
	return out
}

// DropPart makes every class say nothing in one part, until restore is called.
func DropPart(name string) (restore func()) {
	for i := range parts {
		if parts[i].name == name {
			whole := parts[i].form
			parts[i].form = func(*Unit, *form) error { return nil }
			return func() { parts[i].form = whole }
		}
	}
	panic("no part " + name)
}

// LeaveOut makes an attribute one that is left out, until restore is called.
func LeaveOut(attribute string) (restore func()) {
	meaning := Attributes[attribute]
	Attributes[attribute] = Debug
	return func() { Attributes[attribute] = meaning }
}

// ShareNames gives all lambdas of a class one name (S6.3 broken).
func (s *Set) ShareNames() {
	for _, name := range s.Names() {
		n := s.naming(name)
		for r := range n.methods {
			n.methods[r] = "m.lambda"
		}
	}
}

// KeepNames takes canonical names away from references, while things keep theirs (S6.3 broken): bodies are digested with the names in the file.
func (s *Set) KeepNames() {
	for _, u := range s.units {
		for i := range u.methods {
			u.methods[i].refs = nil
		}
	}
}

// TellNothing ignores that strings tell numbers (S6.3 broken).
func (s *Set) TellNothing() {
	for _, u := range s.units {
		u.hints = nil
	}
}
