package cli

import (
	"os"
	"testing"

	"winnow/internal/jvm/project"
	"winnow/internal/rts"
)

func TestDoctorText(t *testing.T) {
	r := doctorReport{Winnow: "winnow 1", Maven: "3.9", Home: "/maven", Java: "17 (/jdk)", Left: []string{"g:a:1 it: Failsafe"}, Lost: 2}
	r.Modules = []*doctorModule{
		{Name: "a", Surefire: "3.5", JDK: "/jdk", Java: "17", Tests: 2, Classes: 1, JVMs: 1},
		{
			Name: "b", Surefire: "3.5", JDK: "/jdk", Java: "17", Tests: 5, Classes: 3, JVMs: 2, Gate: "jacoco", Problems: []string{"no hook: x"}, Unwatched: []string{"p.Big: different"},
			Always: []project.Always{{Why: "external program sh", Tests: []rts.TestID{"p.T#a"}}}, Sample: "2 of 3 test classes",
			Compared: []*project.Comparison{
				{Class: "p.A", Tests: 1, Methods: 3, Inputs: 1, Always: 1, Differing: []rts.TestID{"p.A#x"}, Passed: []project.Passed{{Class: "p.A", Methods: 2, Polluted: project.Polluted{By: "p.B#b", State: "p.C.f", Writer: "p.C.w()V", Reader: "p.C.r()V"}}}},
				{Class: "p.B", Tests: 2, Methods: 4, Lost: []project.Loss{{Test: "p.B#b", Used: "p.C.m()V"}, {Test: "p.B#c", Used: "file x", Polluted: project.Polluted{By: "p.A#a"}}}},
			},
		},
		{Name: "c", Surefire: "3.5", JDK: "/jdk", Java: "17", Tests: 1, Classes: 1, JVMs: 1, Sample: "1 of 1 test classes", Compared: []*project.Comparison{{Class: "p.D", Tests: 1, Methods: 1}}},
	}
	want, err := os.ReadFile("testdata/doctor.golden")
	if err != nil {
		t.Fatal(err)
	}
	if got := r.text(); got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
