package inspect

import (
	"winnow/internal/jvm/canon"
	"winnow/internal/jvm/classfile"
)

// Methods is the view of the methods of one class that have a name.
type Methods struct {
	Class      string       `json:"class"`
	Input      string       `json:"input"`
	Notes      []string     `json:"notes,omitempty"`
	Methods    []Method     `json:"methods"`
	Unreadable []Unreadable `json:"unreadable,omitempty"`
}

// A Method is the view of a method with its normalized code.
type Method struct {
	MethodLine
	Instructions int       `json:"instructions"`
	Blocks       []Block   `json:"blocks"`
	Handlers     []Handler `json:"handlers"`
}

// A Block is a run of instructions that is entered only at its start and left only at its end. End is the first instruction behind it.
type Block struct {
	Start  int      `json:"start"`
	End    int      `json:"end"`
	Digest string   `json:"digest"`
	Code   []string `json:"code"`
}

// A Handler is an entry of the exception table, in numbers of instructions. Catch is empty for any exception.
type Handler struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	To    int    `json:"to"`
	Catch string `json:"catch,omitempty"`
}

// Methods returns the views of the methods of a class that have a name, with or without descriptor.
func (in *Input) Methods(class, method string) (*Methods, error) {
	settle(in)
	f, err := in.pick(class)
	if err != nil {
		return nil, err
	}
	found, err := f.findMethods(method)
	if err != nil {
		return nil, err
	}
	out := &Methods{Class: classfile.Text(f.name), Input: in.Path, Notes: in.notes(f), Unreadable: in.related(f)}
	for i := range found {
		m, err := f.method(&found[i])
		if err != nil {
			return nil, err
		}
		out.Methods = append(out.Methods, *m)
	}
	return out, nil
}

func (f *file) method(m *canon.Method) (*Method, error) {
	list, err := f.set.List(f.name, m.FileName, m.FileDescriptor)
	if err != nil {
		return nil, err
	}
	v := &Method{MethodLine: methodLine(m), Instructions: len(list.Instructions), Blocks: []Block{}, Handlers: []Handler{}}
	for _, b := range list.Blocks() {
		block := Block{Start: b.Start, End: b.End, Digest: b.Digest.String()}
		for _, in := range list.Instructions[b.Start:b.End] {
			block.Code = append(block.Code, in.String())
		}
		v.Blocks = append(v.Blocks, block)
	}
	for _, h := range list.Handlers {
		v.Handlers = append(v.Handlers, Handler{h.Start, h.End, h.To, classfile.Text(h.Catch)})
	}
	return v, nil
}
