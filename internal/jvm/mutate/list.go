package mutate

import (
	"fmt"
	"strings"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
)

// An edit is what a mutant does to a class file.
type edit struct {
	constants []classfile.Constant // to be added to the pool
	at        int                  // where the code goes
	code      []byte               // new instructions
	whole     bool                 // code is the whole body
	remove    bool                 // the method goes
	value     bool                 // the first constant is the value of the field
}

// A candidate is a mutant with its edit.
type candidate struct {
	Mutant
	edit edit
}

// List lists the mutants of a class: of its fields, then of its methods, in the order of the file and of the code. Which methods hide an inherited one
// cannot be seen in one class, except for those of java/lang/Object; see Sample.
func List(class []byte) ([]Mutant, error) {
	s, err := newScan(class)
	if err != nil {
		return nil, err
	}
	for i := range s.class.Fields {
		if err := s.field(i); err != nil {
			return nil, err
		}
	}
	for i := range s.class.Methods {
		if err := s.method(i); err != nil {
			return nil, err
		}
	}
	out := make([]Mutant, len(s.found))
	for i, c := range s.found {
		out[i] = c.Mutant
	}
	return out, nil
}

// A scan collects the mutants of one class.
type scan struct {
	class *classfile.Class
	name  string
	found []candidate

	// of the member that is being scanned
	member string
	code   *classfile.Code
	seen   map[string]bool
}

func newScan(data []byte) (*scan, error) {
	c, err := classfile.Read(data)
	if err != nil {
		return nil, fmt.Errorf("mutate: %w", err)
	}
	s := &scan{class: c, name: c.Name()}
	if err := s.checkNames(); err != nil {
		return nil, fmt.Errorf("mutate %s: %w", classfile.Text(s.name), err)
	}
	return s, nil
}

// checkNames refuses classes whose mutants a name would not tell apart. No JVM loads them.
func (s *scan) checkNames() error {
	if s.name == "" || strings.Contains(s.name, ".") {
		return fmt.Errorf("%q is no name of a class", s.name)
	}
	for what, members := range map[string][]classfile.Member{"fields": s.class.Fields, "methods": s.class.Methods} {
		names := map[string]bool{}
		for i := range members {
			name, desc := s.class.MemberName(&members[i])
			if name == "" || desc == "" || strings.Contains(name+desc, ".") {
				return fmt.Errorf("%q with the type %q is no member", name, desc)
			}
			key := name + desc
			if what == "fields" {
				key = fieldName(name, desc)
			}
			if names[key] {
				return fmt.Errorf("two %s %s", what, words(key))
			}
			names[key] = true
		}
	}
	return nil
}

func fieldName(name, desc string) string { return name + ":" + desc }

// method lists the mutants of a method: of its instructions, its body, and its declaration.
func (s *scan) method(i int) error {
	m := &s.class.Methods[i]
	name, desc := s.class.MemberName(m)
	code, err := s.class.Code(m)
	if err == nil && code != nil {
		s.member, s.code, s.seen = name+desc, code, map[string]bool{}
		if err = s.instructions(); err == nil {
			err = s.bodies(m)
		}
		s.removal(m)
	}
	if err != nil {
		return fmt.Errorf("mutate %s.%s: %w", classfile.Text(s.name), classfile.Text(name+desc), err)
	}
	return nil
}

func (s *scan) instructions() error {
	var in bytecode.Instruction
	for pc := 0; pc < len(s.code.Bytes); pc += in.Len {
		if err := in.Decode(s.code.Bytes, pc); err != nil {
			return err
		}
		if err := s.instruction(&in); err != nil {
			return err
		}
	}
	return nil
}

// add adds a mutant of the member unless another one, or the original, has the same bytes there.
func (s *scan) add(operator, where, what string, e edit) {
	key, same := s.key(e)
	if same || s.seen[key] || s.class.Pool.Len()+needed(e.constants) > 0xFFFF {
		return
	}
	s.seen[key] = true
	s.found = append(s.found, candidate{Mutant{operator, s.name, s.member, where, what}, e})
}

// patch adds a mutant that replaces an instruction. What the new ones leave of its length becomes nop.
func (s *scan) patch(in *bytecode.Instruction, operator, what string, code []byte, constants ...classfile.Constant) {
	if len(code) > in.Len {
		return
	}
	padded := make([]byte, in.Len) // nop is 0
	copy(padded, code)
	s.add(operator, offset(in.PC), what, edit{constants: constants, at: in.PC, code: padded})
}

func offset(pc int) string { return fmt.Sprintf("@%d", pc) }

// key is equal for edits that give the same code, and tells whether it is the code as it is. An edit changes one piece; the bytes at its ends that stay as they
// are do not count.
func (s *scan) key(e edit) (key string, same bool) {
	if e.remove || e.value {
		return "member", false // there is one of them
	}
	at, code := e.at, e.code
	if !e.whole || len(code) == len(s.code.Bytes) {
		old := s.code.Bytes[at : at+len(code)]
		for len(code) > 0 && code[0] == old[0] {
			at, code, old = at+1, code[1:], old[1:]
		}
		for len(code) > 0 && code[len(code)-1] == old[len(code)-1] {
			code = code[:len(code)-1]
		}
		same = len(code) == 0
	}
	return fmt.Sprint(at, code, e.constants), same
}

// needed is the number of indices that constants take.
func needed(constants []classfile.Constant) int {
	n := len(constants)
	for _, k := range constants {
		if k.Tag == classfile.TagLong || k.Tag == classfile.TagDouble {
			n++
		}
	}
	return n
}
