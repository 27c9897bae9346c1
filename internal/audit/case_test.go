package audit

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestCaseRoundTrip(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "audit")
	missed := []Miss{{Test: "A#a", Proven: "passed", Outcome: "failed", Message: "1 <> 2"}}
	cases := []*Case{
		{Mutant: "return p/A.m()V body -> return", From: "abc", To: "abc", Arguments: []string{"-o"}, Missed: missed},
		{From: "abc", To: "def", ToDirty: true, Missed: missed},
	}
	for i, c := range cases {
		file, err := c.Write(dir, map[string][]byte{"mutated.class": {1, 2}})
		if err != nil {
			t.Fatal(err)
		}
		if want := filepath.Join(dir, string(rune('1'+i)), CaseFile); file != want || !strings.Contains(c.Repeat, want) {
			t.Errorf("written to %s, repeated by %s; want %s", file, c.Repeat, want)
		}
		for _, path := range []string{file, filepath.Dir(file)} {
			if got, err := ReadCase(path); err != nil || !reflect.DeepEqual(got, c) {
				t.Errorf("%s: %+v, %v; want %+v", path, got, err, c)
			}
		}
		if data, err := os.ReadFile(filepath.Join(filepath.Dir(file), "mutated.class")); err != nil || len(data) != 2 {
			t.Errorf("the file beside the case: %v, %v", data, err)
		}
	}
}

func TestBadCases(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "EOF"},
		{"{}", "version 0"},
		{`{"schema":2}`, "version 2"},
		{`{"schema":1,"mutant":"x"}`, "no test is missed"},
		{`{"schema":1,"from":"x","missed":[{"test":"a"}]}`, "neither"},
		{`{"schema":1,"other":1}`, "unknown field"},
	} {
		file := filepath.Join(t.TempDir(), "c.json")
		if err := os.WriteFile(file, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadCase(file); got != nil || err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), file) {
			t.Errorf("%q: %v, %v; want %q", c.text, got, err, c.want)
		}
	}
}

func FuzzDecodeCase(f *testing.F) {
	f.Add([]byte(`{"schema":1,"mutant":"return p/A.m()V body -> return","missed":[{"test":"A#a"}]}`))
	f.Add([]byte(`{"schema":1,"from":"a","to":"b","missed":[{"test":"A#a","recorded":{"when":"2026-01-02T03:04:05Z"}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := decodeCase(data)
		if err != nil {
			if c != nil {
				t.Fatal("an error and a result")
			}
			return
		}
		again, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		d, err := decodeCase(again)
		if err != nil || !reflect.DeepEqual(c, d) {
			t.Fatalf("%+v, %v; want %+v", d, err, c)
		}
	})
}
