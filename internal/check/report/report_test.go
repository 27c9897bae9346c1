package report

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/internal/check/campaign"
	"winnow/internal/check/rule"
)

var update = flag.Bool("update", false, "write the golden files")

// example has something of everything.
func example(t *testing.T) *Summary {
	t.Helper()
	c, err := campaign.Parse("c", []byte("name example <b>\ncomponent autoep\nconstraint all\noperator all\nsubject one two\n"))
	if err != nil {
		t.Fatal(err)
	}
	doing := func(name string, selected ...int) campaign.Doing {
		return campaign.Doing{Subject: name, Role: rule.Selecting, Selected: selected, Millis: []int64{1000, 500, int64(100 * len(name))}, Lost: []int{0, 0, 1}, All: []int{0, 0, 4}, PaperLost: []int{0, 0, 0}, PaperAll: []int{0, 0, 3}}
	}
	same := []bool{false, true, false}
	entry := func(name, jd, op string, doings ...campaign.Doing) *campaign.Entry {
		return &campaign.Entry{Program: name, Status: campaign.Compared, Constraint: jd, Operator: op, Revisions: 3, Same: same, Tests: []int{4, 4, 4}, Failed: []int{0, 0, 1}, Subjects: doings, Applied: []string{"R1", "R6"}}
	}
	bad := entry("JD2/0/E1/A", "JD2", "E1", doing("one", 4, 0, 2), doing("two", 4, 0, 0))
	bad.Violations = []rule.Violation{{Rule: "R1", Subject: "two", Revision: 2, Tests: []string{"t.L2Test.t0"}, Says: "0 newly failed tests, retest-all shows 1"}}
	bad.Sources = []campaign.Source{{Rule: "R1", Subject: "two", Text: "name <script>alert(1)</script>\n"}}
	crash := entry("JD10/0/E2/A", "JD10", "E2", doing("one", 4, 0, 4), campaign.Doing{Subject: "two", Selected: []int{4, -1, -1}, Crash: "exit 1", CrashAt: 1, Millis: []int64{1}})
	none := entry("JD2/1/E1/B", "JD2", "E1", doing("one", 4, 0, 1), campaign.Doing{Subject: "two", Selected: []int{-1, -1, -1}, NotApplicable: "Java 17"})
	return Summarize(c, []*campaign.Entry{
		{Program: "JD2/0", Status: campaign.Base, Constraint: "JD2"}, {Program: "JD1/0", Status: campaign.BaseNotUsable, Constraint: "JD1"},
		bad, crash, none, {Program: "JD2/0/E9/B", Status: campaign.NotCompilable, Constraint: "JD2", Operator: "E9"},
	}, true)
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; -update writes it:\n%s", file, got)
	}
}

func TestText(t *testing.T) {
	var b bytes.Buffer
	if err := example(t).Text(&b); err != nil {
		t.Fatal(err)
	}
	golden(t, "example.txt", b.Bytes())
}

func TestJSON(t *testing.T) {
	out, err := json.MarshalIndent(example(t), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "example.json", append(out, '\n'))
}

// TestPage: texts of programs stay texts, and nothing is loaded from elsewhere.
func TestPage(t *testing.T) {
	page, err := example(t).HTML()
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"<script", "src=", "href=", "@import", "url(", "<b>"} {
		if bytes.Contains(page, []byte(bad)) {
			t.Errorf("the page has %s", bad)
		}
	}
	again, err := example(t).HTML()
	if err != nil || !bytes.Equal(page, again) {
		t.Errorf("the page differs from one time to the next, %v", err)
	}
}

// TestBrowser looks at the page in a real browser.
func TestBrowser(t *testing.T) {
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("needs chromium on the PATH")
	}
	page, err := example(t).HTML()
	if err != nil {
		t.Fatal(err)
	}
	// The page itself has no script; this one looks at what the browser made of it.
	const probe = `<script>
addEventListener("load", () => {
  const boxes = [...document.querySelectorAll("rect.box")].map(r => Math.round(r.getBoundingClientRect().width));
  const bars = [...document.querySelectorAll("rect.bar")].map(r => Math.round(r.getBoundingClientRect().width));
  document.title = JSON.stringify({boxes, bars, rows: document.querySelectorAll("#rules tr").length, verdict: document.getElementById("verdict").textContent,
    cut: [...document.querySelectorAll("svg text")].filter(x => x.getBoundingClientRect().right > x.closest("svg").getBoundingClientRect().right + 1).map(x => x.textContent),
    grid: document.querySelector("#grid").textContent.replace(/\s+/g, " ")});
});
</script>`
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, bytes.Replace(page, []byte("</body>"), []byte(probe+"</body>"), 1), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir="+t.TempDir(), "--window-size=1100,2000", "--dump-dom", "file://"+file).Output()
	if err != nil {
		t.Fatalf("chromium: %v", err)
	}
	_, title, _ := strings.Cut(string(out), "<title>")
	title, _, ok := strings.Cut(title, "</title>")
	var seen struct {
		Boxes, Bars   []int
		Rows          int
		Verdict, Grid string
		Cut           []string
	}
	title = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&").Replace(title)
	if err := json.Unmarshal([]byte(title), &seen); err != nil || !ok {
		t.Fatalf("%v: %s", err, title)
	}
	if len(seen.Boxes) != 2 || len(seen.Bars) != 2 || seen.Bars[0] < 50 || seen.Rows != len(rule.All)+1 {
		t.Errorf("%+v", seen)
	}
	if len(seen.Cut) > 0 {
		t.Errorf("texts are cut off: %q", seen.Cut)
	}
	if !strings.HasPrefix(seen.Verdict, "violated: R1 two") || !strings.Contains(seen.Grid, "2 / 2") {
		t.Errorf("%q, %q", seen.Verdict, seen.Grid)
	}
}
