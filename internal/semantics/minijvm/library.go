package minijvm

// SystemExceptions are the classes of the exceptions that the machine itself raises, in the order of the objects that the start state has of them.
var systemExceptions = [...]ClassID{NullPointer, ClassCast, OutOfMemory, NoClassDefFoundError, IncompatibleClassChangeError, NoSuchFieldError, NoSuchMethodError}

// SystemExceptions returns the classes of the exceptions that the machine itself raises. The start state has one object of each, at the addresses 0, 1, ….
func SystemExceptions() []ClassID { return systemExceptions[:] }

// systemAddr is the address of the preallocated object of a system exception.
func systemAddr(c ClassID) int { return int(c - NullPointer) }

// library holds the built-in classes. A program may redefine all of them but Start.
var library = makeLibrary()

func makeLibrary() []*Class {
	all := []*Class{{Name: Object, Super: NoClass, Methods: []Method{EmptyClinit()}}}
	for _, c := range systemExceptions {
		all = append(all, &Class{Name: c, Super: Object, Methods: []Method{EmptyClinit()}})
	}
	return append(all, &Class{Name: Start, Super: Object, Methods: []Method{EmptyClinit(), {
		Name: Main, Static: true, Result: Void, Stack: 1, Code: []Instr{{Op: Invokestatic, C: Test, F: Main}, {Op: Return}},
	}}})
}

// EmptyClinit returns a static initializer that does nothing.
func EmptyClinit() Method {
	return Method{Name: Clinit, Static: true, Result: Void, Stack: 1, Code: []Instr{{Op: Push, V: Unit}, {Op: Return}}}
}

// builtIn returns the built-in class of a name, or nil.
func builtIn(id ClassID) *Class {
	if int(id) < len(library) {
		return library[id]
	}
	return nil
}
