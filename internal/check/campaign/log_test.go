package campaign

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"winnow/internal/check/rule"
)

func mustParse(t testing.TB, text string) *Campaign {
	t.Helper()
	c, err := Parse("c", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestLog: entries come back, a torn last line is removed, and any other damage is told.
func TestLog(t *testing.T) {
	c := mustParse(t, small)
	path := filepath.Join(t.TempDir(), "log")
	l, err := OpenLog(path, c, "v1")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b"} {
		if err := l.Add(&Entry{Program: name, Status: Compared}); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for cut := range len(whole) {
		if err := os.WriteFile(path, whole[:cut], 0o666); err != nil {
			t.Fatal(err)
		}
		l, err := OpenLog(path, c, "v1")
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		n := len(l.Entries())
		if l.Done("b") || n == 1 != l.Done("a") {
			t.Fatalf("cut at %d: %d entries", cut, n)
		}
		if err := errors.Join(l.Add(&Entry{Program: "c", Status: Died}), l.Close()); err != nil {
			t.Fatal(err)
		}
		_, entries, _, err := ReadLog(path)
		if err != nil || len(entries) != n+1 || entries[n].Program != "c" {
			t.Fatalf("cut at %d, then appended: %v, %v", cut, entries, err)
		}
	}
	spoiled := []byte(strings.Replace(string(whole), `"a"`, `"x"`, 1))
	if err := os.WriteFile(path, spoiled, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenLog(path, c, "v1"); !errors.Is(err, ErrLog) || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("damage: %v", err)
	}
	if err := os.WriteFile(path, whole, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenLog(path, c, "v2"); !errors.Is(err, ErrLog) {
		t.Errorf("another checker: %v", err)
	}
	other := *c
	other.Seed = 99
	if _, err := OpenLog(path, &other, "v1"); !errors.Is(err, ErrLog) {
		t.Errorf("another campaign: %v", err)
	}
	back, entries, finished, err := ReadLog(path)
	if err != nil || back.String() != c.String() || len(entries) != 2 || finished {
		t.Errorf("%v, %d, %v, %v", back, len(entries), finished, err)
	}
	if l, err = OpenLog(path, c, "v1"); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(l.Finish(), l.Finish(), l.Close()); err != nil {
		t.Fatal(err)
	}
	if _, entries, finished, err = ReadLog(path); err != nil || len(entries) != 2 || !finished {
		t.Errorf("a finished log: %d, %v, %v", len(entries), finished, err)
	}
}

// TestTried: what a subject did is there after a program was killed, and is no entry.
func TestTried(t *testing.T) {
	c := mustParse(t, small)
	path := filepath.Join(t.TempDir(), "log")
	l, err := OpenLog(path, c, "v1")
	if err != nil {
		t.Fatal(err)
	}
	want := &Tried{Program: "a", Subject: "one", Steps: []rule.Step{{Selected: []string{"t"}, Outcomes: map[string]rule.Outcome{"t": {Failed: true}}}, {Crash: "exit 1"}}, Millis: []int64{5, 7}}
	if err := errors.Join(l.Try(want), l.Close()); err != nil {
		t.Fatal(err)
	}
	if l, err = OpenLog(path, c, "v1"); err != nil {
		t.Fatal(err)
	}
	if got := l.Tried("a", "one"); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if l.Tried("a", "two") != nil || l.Done("a") || len(l.Entries()) != 0 {
		t.Error("it knows more than it was told")
	}
	if err := errors.Join(l.write(struct{}{}), l.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenLog(path, c, "v1"); !errors.Is(err, ErrLog) || !strings.Contains(err.Error(), "line 3") {
		t.Errorf("a line that is nothing: %v", err)
	}
}

func FuzzDecodeLog(f *testing.F) {
	f.Add(append(seal([]byte(`{"campaign":"x"}`)), seal([]byte(`{"program":"a","status":"compared"}`))...))
	f.Add(append(seal([]byte(`{"campaign":"x"}`)), seal([]byte(`{"program":"a","tried":"s","steps":[{}],"took":[1]}`))...))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := decode(data)
		if err != nil {
			if d != nil {
				t.Fatal("an error and a result")
			}
			return
		}
		if d.whole > len(data) {
			t.Fatal("more than there is")
		}
		if again, err := decode(data[:d.whole]); err != nil || !reflect.DeepEqual(again, d) {
			t.Fatal("the whole part reads otherwise")
		}
	})
}

func entry(name string, status Status, doings ...Doing) *Entry {
	return &Entry{Program: name, Status: status, Subjects: doings}
}

// TestVerdict: what went wrong is told apart.
func TestVerdict(t *testing.T) {
	c := mustParse(t, small)
	fine := Doing{Subject: "one", Selected: []int{1, 0, 1}}
	never := Doing{Subject: "two", Selected: []int{-1, -1}, NotApplicable: "Java 17"}
	crash := Doing{Subject: "two", Selected: []int{2, -1}, Crash: "exit 1", CrashAt: 1}
	bad := entry("v", Compared, fine)
	bad.Violations = []rule.Violation{{Rule: "R1", Subject: "one"}}
	wanted := entry("w", Compared, Doing{Subject: "lazy", Role: rule.Broken, Selected: []int{1, 0, 0}})
	wanted.Violations = []rule.Violation{{Rule: "R1", Subject: "lazy"}}
	for _, k := range []struct {
		name     string
		entries  []*Entry
		finished bool
		want     Verdict
		names    string
	}{
		{"no entries", nil, true, NothingCompiled, ""},
		{"nothing compiles", []*Entry{entry("a", NotCompilable), entry("b", BaseNotUsable)}, true, NothingCompiled, ""},
		{"nothing is compared", []*Entry{entry("a", NotCompilable), entry("b", Died)}, true, NothingCompared, ""},
		{"a subject is never used", []*Entry{entry("a", Compared, fine, never)}, true, SubjectNeverUsed, "two"},
		{"a violation", []*Entry{bad, entry("a", Compared, fine, crash)}, true, Violated, "R1 one"},
		{"a crash", []*Entry{entry("a", Compared, fine, crash)}, true, Crashed, "two"},
		{"no time", []*Entry{entry("a", Compared, fine)}, false, Unfinished, ""},
		{"a broken subject", []*Entry{wanted}, true, Clean, ""},
		{"clean", []*Entry{entry("a", Compared, fine)}, true, Clean, ""},
	} {
		got := c.Verdict(k.entries, k.finished)
		if got.Verdict != k.want || strings.Join(got.Names, " ") != k.names {
			t.Errorf("%s: %v", k.name, got)
		}
	}
}

func TestCauses(t *testing.T) {
	v := func(p, op, r string) *Entry {
		return &Entry{Program: p, Operator: op, Violations: []rule.Violation{{Rule: r, Subject: "s", Says: p}}, Sources: []Source{{Rule: r, Subject: "s", Text: "src " + p}}}
	}
	got := Causes([]*Entry{v("a", "E1", "R1"), v("b", "E2", "R1"), v("c", "E2", "R1"), v("d", "E2", "I1")})
	if len(got) != 3 || got[0].Operator != "E2" || len(got[0].Programs) != 2 || got[0].Source != "src b" {
		t.Errorf("%+v", got)
	}
}
