package main

import (
	"bytes"
	"errors"
	"fmt"
	"sync"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/canon"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/instrument"
)

// A check says what is wrong with how our code treats one class file, or nothing. Checks run on several goroutines at once and must not change
// the data.
type check struct {
	name string
	run  func(name string, data []byte) error
}

// checks is what the corpus command runs over every class file.
var checks = []check{
	{"round trip", roundTrip},
	{"instructions", instructions},
	{"digests", digests},
	{"probes", probes},
}

// roundTrip: decoding everything and encoding it anew gives the same bytes.
func roundTrip(_ string, data []byte) error {
	c, err := classfile.Decode(data)
	if err != nil {
		return err
	}
	return same("class file", data, c.Append(nil))
}

// instructions: the instructions of every method, decoded and encoded one by one, are its code.
func instructions(_ string, data []byte) error {
	return eachCode(data, func(method string, code []byte) error {
		var in bytecode.Instruction
		var again []byte
		for pc := 0; pc < len(code); pc += in.Len {
			if err := in.Decode(code, pc); err != nil {
				return fmt.Errorf("%s: %w", method, err)
			}
			again = in.Append(again)
		}
		return same(method, code, again)
	})
}

// digests: a class has digests, is not opaque, and each of its methods can be listed.
func digests(_ string, data []byte) error {
	u, err := canon.Read(data)
	if err != nil {
		return err
	}
	set := canon.NewSet(u)
	c, err := set.Class(u.Name)
	if err != nil {
		return err
	}
	if c.Opaque != "" {
		return fmt.Errorf("opaque because of %s", c.Opaque)
	}
	for _, m := range c.Methods {
		if _, err := set.List(u.Name, m.FileName, m.FileDescriptor); err != nil {
			return err
		}
	}
	return nil
}

// probes: a class with probes can be decoded and has the same members.
func probes(_ string, data []byte) error {
	r, err := rewriter()
	if err != nil {
		return err
	}
	result, err := r.Rewrite(data)
	if err != nil {
		return err
	}
	before, err := classfile.Read(data)
	if err != nil {
		return err
	}
	after, err := classfile.Decode(result.Bytes)
	if err != nil {
		return fmt.Errorf("after rewriting: %w", err)
	}
	if len(before.Methods) != len(after.Methods) || len(before.Fields) != len(after.Fields) || len(before.Attributes) != len(after.Attributes) {
		return errors.New("rewriting added or removed a member or an attribute")
	}
	return nil
}

var rewriter = sync.OnceValues(func() (*instrument.Rewriter, error) { return instrument.New(instrument.Scheme{}) })

// eachCode calls f with the code of every method that has some.
func eachCode(data []byte, f func(method string, code []byte) error) error {
	c, err := classfile.Read(data)
	if err != nil {
		return err
	}
	for i := range c.Methods {
		m := &c.Methods[i]
		name, descriptor := c.MemberName(m)
		code, err := c.Code(m)
		if err != nil {
			return fmt.Errorf("%s%s: %w", name, descriptor, err)
		}
		if code == nil {
			continue
		}
		if err := f(name+descriptor, code.Bytes); err != nil {
			return err
		}
	}
	return nil
}

// same tells where two encodings part.
func same(what string, before, after []byte) error {
	if bytes.Equal(before, after) {
		return nil
	}
	at := 0
	for at < len(before) && at < len(after) && before[at] == after[at] {
		at++
	}
	return fmt.Errorf("%s: %d bytes became %d, different from offset %d", what, len(before), len(after), at)
}
