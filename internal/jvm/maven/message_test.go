package maven

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

func TestMessages(t *testing.T) {
	m := newMessage("ask")
	m.add("module", "g:a:1")
	m.add("class-path", `C:\new`+"\n\r\\n")
	m.add("class-path", "")
	text := "message ask\nmodule g:a:1\nclass-path C:\\\\new\\n\\r\\\\n\nclass-path \n\n"
	if got := string(m.encode()); got != text {
		t.Errorf("encoded %q, want %q", got, text)
	}
	r := newMessageReader(strings.NewReader(text + text))
	for range 2 {
		got, err := r.next()
		if err != nil || !slices.Equal(got, m) {
			t.Errorf("got %q, %v, want %q", got, err, m)
		}
	}
	if _, err := r.next(); !errors.Is(err, io.EOF) {
		t.Errorf("at the end: %v", err)
	}
}

func TestBadMessages(t *testing.T) {
	for text, want := range map[string]string{
		"\n":                             "message at byte 0 does not begin with its kind",
		"id 1\nmessage ask\n\n":          "does not begin with its kind",
		"message ask":                    "message at byte 0: unexpected EOF",
		"message ask\nid 1\n":            "unexpected EOF",
		"message ask\n\nmessage ask\n":   "message at byte 13: unexpected EOF",
		"message ask\nid\n\n":            "line before byte 15: no key and value",
		"message ask\nI d\n\n":           "no key and value",
		"message ask\n x\n\n":            "no key and value",
		"message ask\nid \\\n\n":         "wrong escape",
		"message ask\nid \\t\n\n":        "wrong escape",
		"message ask\nid a\rb\n\n":       "carriage return",
		"message ask\nid " + long("x"):   "longer than",
		"message ask\n" + long("id 1\n"): "longer than",
	} {
		r := newMessageReader(strings.NewReader(text))
		r.limit = 1000
		var err error
		for err == nil {
			_, err = r.next()
		}
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %s", text, err, want)
		}
	}
}

func long(s string) string { return strings.Repeat(s, 1000/len(s)+1) }

func FuzzMessage(f *testing.F) {
	f.Add([]byte("message ask\nmodule g:a:1\nx a\\\\b\\n\\r\n\nmessage x\n\n"))
	f.Add([]byte("message \n"))
	f.Add([]byte("message a\nid \\"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := newMessageReader(bytes.NewReader(data))
		var whole []byte
		for {
			m, err := r.next()
			if err != nil {
				if m != nil {
					t.Errorf("%v, yet %q", err, m)
				}
				break
			}
			whole = append(whole, m.encode()...)
		}
		if !bytes.HasPrefix(data, whole) {
			t.Errorf("read %q from %q", whole, data)
		}
	})
}
