package mutate

import (
	"fmt"
	"path"
	"slices"

	"winnow/internal/jvm/classfile"
)

// A program is a set of classes, as far as inheritance is concerned.
type program struct {
	files map[string][]byte
	read  map[string]*inherited
}

// An inherited is what others inherit from a class.
type inherited struct {
	supers  []string                   // the superclass first
	methods map[string]classfile.Flags // instance methods with code, native ones too, that are not private
}

func newProgram(files map[string][]byte) *program {
	return &program{files: files, read: map[string]*inherited{}}
}

// class reads a class, nil if it is not one of the program.
func (p *program) class(name string) (*inherited, error) {
	if c, ok := p.read[name]; ok {
		return c, nil
	}
	data, ok := p.files[name]
	if !ok {
		return nil, nil
	}
	file, err := classfile.Read(data)
	if err != nil {
		return nil, fmt.Errorf("mutate: superclass or superinterface %s: %w", classfile.Text(name), err)
	}
	c := &inherited{supers: append([]string{file.SuperName()}, file.InterfaceNames()...), methods: map[string]classfile.Flags{}}
	for i := range file.Methods {
		m := &file.Methods[i]
		if m.Access&(classfile.Static|classfile.Private|classfile.Abstract) == 0 {
			name, desc := file.MemberName(m)
			c.methods[name+desc] = m.Access
		}
	}
	p.read[name] = c
	return c, nil
}

// hides tells whether without a method the class would inherit one with code.
func (p *program) hides(class, method string) (bool, error) {
	c, err := p.class(class)
	if err != nil || c == nil {
		return false, err
	}
	if _, ok := c.methods[method]; !ok {
		return false, nil
	}
	seen := map[string]bool{class: true} // a class may name itself among its supertypes, if no JVM has loaded it yet
	work := slices.Clone(c.supers)
	for len(work) > 0 {
		name := work[0]
		work = work[1:]
		if seen[name] {
			continue
		}
		seen[name] = true
		super, err := p.class(name)
		if err != nil {
			return false, err
		}
		if super == nil {
			continue
		}
		if access, ok := super.methods[method]; ok && (access&(classfile.Public|classfile.Protected) != 0 || path.Dir(name) == path.Dir(class)) {
			return true, nil
		}
		work = append(work, super.supers...)
	}
	return false, nil
}
