package state

// copies are the sources that are new arrays with elements of others: who changes such an array changes none of the others.
func (f *Flow) copies() set {
	var out set
	for i := range f.Steps {
		if st := &f.Steps[i]; st.Kind == Calls && st.Result >= 0 && st.Result < sourcesAtMost-1 && st.Member.copies() { // the last source stands for others, too
			out.add(st.Result)
		}
	}
	return out
}

// copies tells whether a method returns a new array with elements of others.
func (m Member) copies() bool {
	switch {
	case m.Class[0] == '[':
		return m.Name == "clone"
	case m.Class == "java/util/Arrays":
		return m.Name == "copyOf" || m.Name == "copyOfRange"
	}
	return platform(m.Class) && m.Name == "toArray" && parameters(m.Descriptor) == ""
}

// among tells whether a value can only be one of some sources.
func (v Value) among(sources set) bool {
	if !v.In.empty() || v.Is.empty() {
		return false
	}
	only := true
	v.Is.each(func(i int) { only = only && sources.has(i) })
	return only
}

// storesToNew tells whether a body that writes elements of arrays of a type does so only to arrays that it made itself.
func (f *Flow) storesToNew(array string) bool {
	if f == nil || f.Strange&elementsOf(array) != 0 {
		return false
	}
	fresh := f.copies()
	for i := range f.Sources {
		if s := &f.Sources[i]; s.New && !s.Result && s.Parameter == 0 && len(s.Static) == 0 && i < sourcesAtMost-1 {
			fresh.add(i)
		}
	}
	found := false
	for i := range f.Steps {
		st := &f.Steps[i]
		if st.Kind != Changes {
			continue
		}
		of := st.Values[0]
		switch fits := st.Type[0] == '[' && elementsOf(st.Type)&elementsOf(array) != 0; {
		case fits && of.among(fresh):
			found = true
		case fits || of.From != "": // an array that was got from a field counts as a part of its object
			return false
		}
	}
	return found
}
