package classfile_test

import (
	"bytes"
	"errors"
	"testing"

	"winnow/internal/jvm/classfile"
)

func FuzzDecode(f *testing.F) {
	f.Add(odd(f))
	f.Add(withConstants(f, "0015", everyConstant))
	for _, c := range attributeCases {
		info := unhex(f, c.info)
		if place := anyPlace(c.name); place == classfile.InCode {
			f.Add(withCode(f, c.name, info))
		} else {
			f.Add(withAttribute(f, c.name, place, info))
		}
	}
	for _, data := range everySmall(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		checkRead(t, data)
		checkDecode(t, data)
	})
}

func checkRead(t *testing.T, data []byte) {
	t.Helper()
	c, err := classfile.Read(data)
	if err != nil {
		checkError(t, c, err, len(data))
		return
	}
	if got := c.Append(nil); !bytes.Equal(got, data) {
		t.Errorf("Append after Read:\n%x, want\n%x", got, data)
	}
	// What a caller asks for one by one must not panic either, whatever the file refers to.
	_, _, _ = c.Name(), c.SuperName(), c.InterfaceNames()
	for i := range c.Pool.Len() {
		_, _ = c.Pool.Ref(uint16(i))
	}
	for i := range c.Methods {
		if code, err := c.Code(&c.Methods[i]); code != nil && err != nil {
			t.Errorf("Code gives both a value and %v", err)
		}
	}
}

func checkDecode(t *testing.T, data []byte) {
	t.Helper()
	c, err := classfile.Decode(data)
	if err != nil {
		checkError(t, c, err, len(data))
		return
	}
	if got := c.Append(nil); !bytes.Equal(got, data) {
		t.Errorf("Append after Decode:\n%x, want\n%x", got, data)
	}
}

func checkError(t *testing.T, c *classfile.Class, err error, size int) {
	t.Helper()
	var bad *classfile.FormatError
	if c != nil || !errors.As(err, &bad) || bad.Structure == "" || bad.Offset < 0 || bad.Offset > size {
		t.Errorf("%v, %#v", c, err)
	}
}

// FuzzAttribute decodes contents of attributes of every name in every place.
func FuzzAttribute(f *testing.F) {
	for _, c := range attributeCases {
		f.Add(uint8(anyPlace(c.name)), c.name, unhex(f, c.info))
	}
	f.Add(uint8(classfile.InClass), "Code", []byte{1})
	f.Fuzz(func(t *testing.T, place uint8, name string, info []byte) {
		if len(name) > 65535 {
			return
		}
		a := classfile.Attribute{Name: 1, Info: info}
		v, err := a.Value(attributePool(t, name), classfile.Place(place))
		if err != nil {
			var bad *classfile.FormatError
			if v != nil || !errors.As(err, &bad) || bad.Offset < 0 || bad.Offset > len(info) {
				t.Errorf("%v, %#v", v, err)
			}
			return
		}
		if got := v.Append(nil); !bytes.Equal(got, info) {
			t.Errorf("%T: %x, want %x", v, got, info)
		}
	})
}
