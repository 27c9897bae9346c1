package report

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"winnow/internal/rts"
)

var update = flag.Bool("update", false, "write the golden files anew")

// shown returns all text about a run, part by part.
func shown(t *testing.T, r *Run, s Style) *txtar.Archive {
	t.Helper()
	a := &txtar.Archive{}
	part := func(name string, write func(io.Writer, Style) error) {
		var b bytes.Buffer
		if err := write(&b, s); err != nil {
			t.Fatal(err)
		}
		if b.Len() > 0 {
			a.Files = append(a.Files, txtar.File{Name: name, Data: b.Bytes()})
		}
	}
	part("heading", r.Heading)
	if r.Report != nil {
		part("results", func(w io.Writer, s Style) error {
			for i := range r.Report.Results {
				if err := Result(w, s, &r.Report.Results[i]); err != nil {
					return err
				}
			}
			return nil
		})
	}
	part("summary", r.Summary)
	for i := range r.Selection.Decisions[:min(3, len(r.Selection.Decisions))] {
		d := &r.Selection.Decisions[i]
		part("why "+string(d.Test.ID), func(w io.Writer, s Style) error { return Why(w, s, d) })
		part("why-not "+string(d.Test.ID), func(w io.Writer, s Style) error { return WhyNot(w, s, d, r.Proven[d.Test.ID]) })
	}
	return a
}

// TestGoldenText compares every situation with testdata/golden/NAME.txtar. After a change that is meant, run
//
//	go test ./internal/report -run TestGoldenText -update
func TestGoldenText(t *testing.T) {
	all := situations()
	for name, r := range all {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join("testdata/golden", name+".txtar")
			got := txtar.Format(shown(t, r, Style{}))
			if *update {
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
	files, err := filepath.Glob("testdata/golden/*.txtar")
	if err != nil || len(files) != len(all) {
		t.Errorf("%d golden files for %d situations: %v", len(files), len(all), err)
	}
}

// TestStyleAddsNothingButColour: without a style there is no escape code; with one, removing the codes gives the same text.
func TestStyleAddsNothingButColour(t *testing.T) {
	for name, r := range situations() {
		plain, coloured := string(txtar.Format(shown(t, r, Style{}))), string(txtar.Format(shown(t, r, Style{On: true})))
		if strings.Contains(plain, "\x1b") {
			t.Errorf("%s: an escape code although the style is off", name)
		}
		if !strings.Contains(coloured, "\x1b[1m") {
			t.Errorf("%s: no escape code although the style is on", name)
		}
		stripped := coloured
		for _, code := range []string{"0", "1", "2", "31", "32", "33"} {
			stripped = strings.ReplaceAll(stripped, "\x1b["+code+"m", "")
		}
		if stripped != plain {
			t.Errorf("%s: without codes\n%s\nwant\n%s", name, stripped, plain)
		}
	}
	if got := (Style{On: true}).Red(""); got != "" {
		t.Errorf("nothing in red is %q", got)
	}
}

// TestEveryCodeHasASentence checks that no reason is shown by its bare code.
func TestEveryCodeHasASentence(t *testing.T) {
	for _, c := range rts.Codes {
		r := rts.Reason{Code: c.Code, Entity: cell("A1"), Detail: "detail"}
		if s := sentence(r); strings.Contains(s, string(c.Code)) && !strings.Contains(c.Says, string(c.Code)) || !strings.HasSuffix(s, " (detail)") {
			t.Errorf("%s is said as %q", c.Code, s)
		}
	}
}

func TestManyDifferences(t *testing.T) {
	d := proven("a", slices.Repeat([]rts.Difference{branch}, 20)...)
	var b bytes.Buffer
	if err := WhyNot(&b, Style{}, &d, rts.Passed); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), branch.Why); n != 16 || !strings.Contains(b.String(), "and 4 more\n") {
		t.Errorf("%d differences are shown:\n%s", n, &b)
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0:                                      "0 ms",
		999 * time.Microsecond:                 "0 ms",
		999 * time.Millisecond:                 "999 ms",
		time.Second:                            "1.0 s",
		12340 * time.Millisecond:               "12.3 s",
		time.Minute:                            "1 m 0 s",
		61 * time.Second:                       "1 m 1 s",
		59*time.Minute + 59*time.Second:        "59 m 59 s",
		time.Hour:                              "1 h 0 m",
		25*time.Hour + 30*time.Minute:          "25 h 30 m",
		100*time.Hour + 59*time.Second + 1e9/2: "100 h 0 m",
	} {
		if got := Duration(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}

// A shortWriter takes so many bytes and no more.
type shortWriter struct{ left int }

var errShort = errors.New("no more room")

func (w *shortWriter) Write(b []byte) (int, error) {
	if len(b) > w.left {
		return 0, errShort
	}
	w.left -= len(b)
	return len(b), nil
}

// TestWriteErrors lets every output break off at several places.
func TestWriteErrors(t *testing.T) {
	r := situations()["exact"]
	d := &r.Selection.Decisions[1]
	outputs := map[string]func(io.Writer) error{
		"heading": func(w io.Writer) error { return r.Heading(w, Style{}) },
		"summary": func(w io.Writer) error { return r.Summary(w, Style{}) },
		"why":     func(w io.Writer) error { return Why(w, Style{}, d) },
		"why-not": func(w io.Writer) error { return WhyNot(w, Style{}, d, rts.Passed) },
		"json":    r.JSON,
		"junit":   r.JUnit,
		"result": func(w io.Writer) error {
			res := ended("a", rts.Failed, "x")
			return Result(w, Style{}, &res)
		},
	}
	for _, name := range slices.Sorted(maps.Keys(outputs)) {
		var whole bytes.Buffer
		if err := outputs[name](&whole); err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{0, whole.Len() / 2, whole.Len() - 1} {
			if err := outputs[name](&shortWriter{n}); !errors.Is(err, errShort) {
				t.Errorf("%s after %d of %d bytes: %v", name, n, whole.Len(), err)
			}
		}
	}
}
