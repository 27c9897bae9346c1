package observed

import (
	"bytes"
	"errors"
	"reflect"
	"testing"
)

func example() *Unit {
	a, b := Method{"p/A", "m", "()V"}, Method{"p/B", "<init>", "(I)V"}
	return &Unit{
		Classes: map[string][]byte{"p/A": {1, 2}, "p/B": {}}, JDK: "/jdk", Feature: 17, Jars: []string{"x.jar"},
		Runs: []Run{
			{Test: Test{"t.T#m", "t/T", "m"}, Passed: true, Seconds: 0.5, Trace: &Trace{Entered: []Method{a, b}, Libraries: []string{"l/L"}}},
			{Test: Test{"t.T#n", "t/T", "n"}, Trace: &Trace{
				Entered: []Method{b}, Detailed: true, Edges: map[Method][]int{b: {0, 3}}, Received: []Received{{a, "p/B"}}, Reflective: []Call{{b, a}}, Coarse: []Method{a},
			}},
		},
	}
}

func TestSave(t *testing.T) {
	var file bytes.Buffer
	if err := example().Save(&file); err != nil {
		t.Fatal(err)
	}
	got, err := Load(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	want := example()
	want.Classes["p/B"] = got.Classes["p/B"] // empty and nil are one
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for n := range file.Len() {
		if u, err := Load(bytes.NewReader(file.Bytes()[:n])); !errors.Is(err, ErrFormat) || u != nil {
			t.Fatalf("cut to %d bytes: %v", n, err)
		}
	}
}

// FuzzLoad: what is not a file is an error, and what is one can be written again.
func FuzzLoad(f *testing.F) {
	var file bytes.Buffer
	if err := example().Save(&file); err != nil {
		f.Fatal(err)
	}
	f.Add(file.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		u, err := Load(bytes.NewReader(data))
		if err != nil {
			if u != nil {
				t.Error("an error and a result")
			}
			return
		}
		var again bytes.Buffer
		if err := u.Save(&again); err != nil {
			t.Fatal(err)
		}
		v, err := Load(&again)
		if err != nil || !reflect.DeepEqual(u.Runs, v.Runs) {
			t.Errorf("written again it is another: %v", err)
		}
	})
}
