package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"winnow/internal/engine"
	"winnow/internal/rts"
)

// shownTests is how many selected tests a module shows in full; the rest is counted.
const shownTests = 8

// shownChanges is how many changed entities are named.
const shownChanges = 4

// Heading writes what was found and decided: data, changes, the verdict for each module.
func (r *Run) Heading(w io.Writer, s Style) error {
	t := &text{w: w, style: s}
	r.remarks(t)
	t.line("records", r.recordsLine())
	t.line("changed", r.changedLine())
	for _, m := range r.Selection.Modules {
		r.module(t, m)
	}
	for _, d := range r.Selection.Stranded() {
		t.line("obsolete", fmt.Sprintf("%s: %s; mend or remove the test", s.Red(string(d.Test.ID)), d.Obsolete))
	}
	if n := len(r.Selection.Obsolete); n > 0 {
		t.line("obsolete", fmt.Sprintf("%s with records but no definition: %s; `winnow store gc` forgets them", count(n, "test"), list(r.Selection.Obsolete, shownChanges)))
	}
	return t.err
}

// Remarks writes the notices alone, for a run that came to nothing.
func (r *Run) Remarks(w io.Writer, s Style) error {
	t := &text{w: w, style: s}
	r.remarks(t)
	return t.err
}

func (r *Run) remarks(t *text) {
	for _, n := range r.Notices {
		t.line("note", t.style.Yellow(n))
	}
}

// A text writes lines with a word in front.
type text struct {
	w     io.Writer
	style Style
	err   error
}

const wordWidth = 9

func (t *text) line(word, format string) {
	if t.err == nil && format != "" {
		_, t.err = fmt.Fprintf(t.w, "%s%s %s\n", t.style.Bold(word), strings.Repeat(" ", max(0, wordWidth-len(word))), format)
	}
}

func (t *text) plain(format string, args ...any) {
	if t.err == nil {
		_, t.err = fmt.Fprintf(t.w, format+"\n", args...)
	}
}

func (r *Run) recordsLine() string {
	if r.Records.Tests == 0 {
		return "none yet in " + r.Records.Location
	}
	line := fmt.Sprintf("%d of %s, newest %s", r.Records.Tests, count(len(r.Selection.Decisions), "test"), r.Records.Newest.When.Local().Format("2006-01-02 15:04"))
	if rev := r.Records.Newest.Revision; rev != "" {
		line += " at " + rev[:min(9, len(rev))]
		if r.Records.Newest.Dirty {
			line += " with local changes"
		}
	}
	return line
}

func (r *Run) changedLine() string {
	if r.first() {
		return "" // there is nothing to compare with
	}
	if len(r.Selection.Changes) == 0 {
		return "nothing that a recorded test used"
	}
	kinds := map[rts.Kind]int{}
	var order []rts.Kind
	var names []string
	for _, c := range r.Selection.Changes {
		if kinds[c.Entity.Kind] == 0 {
			order = append(order, c.Entity.Kind)
		}
		kinds[c.Entity.Kind]++
		if len(names) < shownChanges {
			names = append(names, c.Entity.Name)
		}
	}
	var parts []string
	for _, k := range order {
		parts = append(parts, count(kinds[k], string(k)))
	}
	line := strings.Join(parts, ", ") + ": " + strings.Join(names, ", ")
	if more := len(r.Selection.Changes) - len(names); more > 0 {
		line += fmt.Sprintf(" and %d more", more)
	}
	return line
}

// first tells whether no test had a record.
func (r *Run) first() bool {
	for i := range r.Selection.Decisions {
		if !slices.ContainsFunc(r.Selection.Decisions[i].Reasons, func(why rts.Reason) bool { return why.Code == rts.NoRecord }) {
			return false
		}
	}
	return true
}

func (r *Run) module(t *text, m rts.ModuleVerdict) {
	verdict := string(m.Verdict)
	switch m.Verdict {
	case rts.Full:
		verdict = t.style.Yellow(verdict) + fmt.Sprintf(": %s, because %s", all(m.Tests, "test"), common(m))
	case rts.Exact:
		verdict += fmt.Sprintf(": %d of %s", m.Selected, count(m.Tests, "test"))
	case rts.ProvenEmpty:
		verdict += ": none of " + count(m.Tests, "test") + " can be affected"
		if m.Tests == 1 {
			verdict = string(m.Verdict) + ": its only test cannot be affected"
		}
	case rts.NoTests:
		verdict += ": this module has no tests"
	}
	t.plain("%s  %s", t.style.Bold(m.Module), verdict)
	if m.Verdict != rts.Exact {
		return
	}
	shown := 0
	for i := range r.Selection.Decisions {
		d := &r.Selection.Decisions[i]
		if d.Test.Module != m.Module || !d.Selected() {
			continue
		}
		if shown == shownTests {
			t.plain("  %s", t.style.Dim(fmt.Sprintf("and %d more; `winnow why TEST` explains each", m.Selected-shown)))
			break
		}
		shown++
		why := rts.Reason{Code: rts.InternalError}
		if len(d.Reasons) > 0 {
			why = d.Reasons[0]
		}
		t.plain("  %s  %s", shortName(d.Test), t.style.Dim(sentence(why)))
	}
}

// common says the reason that all tests of a module share.
func common(m rts.ModuleVerdict) string {
	switch {
	case m.Why.Code != rts.NoRecord || m.Why.Detail != "":
		return sentence(*m.Why)
	case m.Tests == 1:
		return "it has no record yet"
	}
	return "none has a record yet"
}

func shortName(t rts.Test) string { return strings.TrimPrefix(string(t.ID), t.Module+"#") }

// sentence says a reason in words.
func sentence(r rts.Reason) string {
	says := string(r.Code)
	switch r.Code {
	case rts.InputChanged, rts.InputRemoved, rts.InputAppeared, rts.InputUnreadable, rts.EnvChanged, rts.ToolchainChanged:
		says = fmt.Sprintf("%s %s", r.Entity, map[rts.Code]string{
			rts.InputChanged: "changed", rts.InputRemoved: "is gone", rts.InputAppeared: "appeared", rts.InputUnreadable: "cannot be read",
			rts.EnvChanged: "changed", rts.ToolchainChanged: "changed",
		}[r.Code])
	default:
		for _, c := range rts.Codes {
			if c.Code == r.Code {
				says = c.Says
			}
		}
	}
	if r.Detail != "" {
		says += " (" + r.Detail + ")"
	}
	return says
}

// Result writes one finished test that did not pass, as it ends.
func Result(w io.Writer, s Style, res *engine.Result) error {
	if res.Record.Outcome == rts.Passed {
		return nil
	}
	line := s.Red(strings.ToUpper(res.Record.Outcome.String())) + " " + string(res.Record.Test)
	if res.Message != "" {
		line += "\n  " + res.Message
	}
	_, err := fmt.Fprintln(w, line)
	return err
}

// Summary writes the closing lines.
func (r *Run) Summary(w io.Writer, s Style) error {
	t := &text{w: w, style: s}
	rep := r.Report
	if rep == nil {
		return nil
	}
	for _, id := range rep.Missing {
		t.plain("%s %s was selected, and nothing was heard of it", s.Red("MISSING"), id)
	}
	for _, id := range rep.Extra {
		t.plain("%s %s ran without being selected", s.Red("EXTRA"), id)
	}
	r.notRun(t)
	r.repeated(t)
	for _, err := range rep.Troubles {
		t.plain("%s %v", s.Yellow("note"), err)
	}
	if rep.RecordErr != nil {
		t.plain("%s results could not be recorded, so these tests will run again: %v", s.Yellow("NOT RECORDED"), rep.RecordErr)
	}
	if len(r.Selection.Decisions) > 0 || r.Failed == "" { // what failed says why there are none
		t.plain("%s", r.closing(s))
	}
	if r.Shadow != nil {
		r.Shadow.text(t)
	}
	if r.Failed != "" {
		t.plain("%s", s.Red(r.Failed))
	}
	return t.err
}

// notRun writes which selected tests were kept from running, those with the same explanation together.
func (r *Run) notRun(t *text) {
	because := map[string][]rts.TestID{}
	for id, why := range r.Report.NotRun {
		because[why] = append(because[why], id)
	}
	for _, why := range slices.Sorted(maps.Keys(because)) {
		ids := because[why]
		slices.Sort(ids)
		if len(ids) == 1 {
			t.plain("%s %s is still due: %s", t.style.Yellow("NOT RUN"), ids[0], why)
			continue
		}
		t.plain("%s %s are still due: %s", t.style.Yellow("NOT RUN"), count(len(ids), "selected test"), why)
		t.plain("  %s", list(ids, shownTests))
	}
}

// repeated writes what came of tests that ran again beside those that had been left out.
func (r *Run) repeated(t *text) {
	var again []rts.TestID
	for _, x := range r.Repeated {
		if x.Second.Proves() {
			t.plain("%s %s %s while other tests were left out, and %s with them: it depends on their order, through %s", t.style.Yellow("UNSTABLE"), x.Test, x.First, x.Second, list(x.State, shownChanges))
		} else {
			again = append(again, x.Test)
		}
	}
	if len(again) > 0 {
		t.plain("%s no better with tests that may change what they look at: %s", t.style.Red("AGAIN"), list(again, shownTests))
	}
}

func (r *Run) closing(s Style) string {
	rep := r.Report
	total, selected := len(r.Selection.Decisions), len(r.Selection.Selected())
	if total == 0 {
		return s.Yellow("No tests were found.")
	}
	parts := []string{}
	add := func(n int, word string, paint func(string) string) {
		if n > 0 {
			parts = append(parts, paint(fmt.Sprintf("%d %s", n, word)))
		}
	}
	same := func(t string) string { return t }
	add(rep.Count(rts.Passed), "passed", s.Green)
	add(rep.Count(rts.Failed), "failed", s.Red)
	add(rep.Count(rts.Errored), "could not be computed", s.Red)
	add(rep.Count(rts.Killed), "killed", s.Red)
	add(rep.Count(rts.Skipped), "skipped", s.Yellow)
	add(rep.Count(rts.OutcomeNone), "not finished", s.Yellow)
	head := fmt.Sprintf("Ran %s in %s", count(len(rep.Results), "test"), Duration(rep.Took))
	if len(rep.Results) == 0 && selected == 0 {
		head = "Ran nothing"
	}
	switch {
	case rep.Interrupted && rep.RecordErr == nil:
		head += " (interrupted; what ended is recorded)"
	case rep.Interrupted:
		head += " (interrupted)"
	}
	add(len(rep.NotRun), "due and not run", s.Yellow)
	stranded := len(r.Selection.Stranded())
	add(stranded, "obsolete", s.Red)
	if r.Shadow == nil {
		bare := r.Selection.Unproven()
		add(total-selected-stranded-bare, "proven unaffected"+r.unasked(), same)
		add(bare, "left out by "+r.Technique+" without a proof", s.Yellow)
	}
	line := head + ": " + strings.Join(parts, " · ")
	if rep.Saved >= time.Millisecond {
		share := 100 * float64(rep.Saved) / float64(rep.Saved+rep.Took)
		line += fmt.Sprintf(" · saved %s (%.0f %%)", Duration(rep.Saved), share)
	}
	return line
}

// unasked says that tests ran although they were proven unaffected, so that nobody adds up figures that overlap.
func (r *Run) unasked() string {
	ran, why := map[rts.TestID]bool{}, ""
	for i := range r.Report.Results {
		if x := &r.Report.Results[i]; x.Unasked != "" {
			ran[x.Record.Test], why = true, x.Unasked
		}
	}
	if len(ran) == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d of them ran: %s)", len(ran), why)
}

// Duration prints a duration for people.
func Duration(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 59950*time.Millisecond: // what would round to 60.0 is a minute
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%d m %d s", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%d h %d m", int(d.Hours()), int(d.Minutes())%60)
}

func count(n int, word string) string { return fmt.Sprintf("%d %s", n, plural(n, word)) }

// all says "its only test" or "all 3 tests".
func all(n int, word string) string {
	if n == 1 {
		return "its only " + word
	}
	return "all " + count(n, word)
}

func be(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

func plural(n int, word string) string {
	switch {
	case n == 1 || strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss"):
		return word
	case strings.HasSuffix(word, "ss"):
		return word + "es"
	case strings.HasSuffix(word, "y"):
		return strings.TrimSuffix(word, "y") + "ies"
	}
	return word + "s"
}

func list[T ~string](ids []T, most int) string {
	var names []string
	for i, id := range ids {
		if i == most {
			names = append(names, fmt.Sprintf("%d more", len(ids)-most))
			break
		}
		names = append(names, string(id))
	}
	return strings.Join(names, ", ")
}

// Why writes why one test is selected, or that it is not.
func Why(w io.Writer, s Style, d *rts.Decision) error {
	t := &text{w: w, style: s}
	if d.Obsolete != "" {
		t.plain("%s is obsolete: %s", d.Test.ID, d.Obsolete)
		return t.err
	}
	if !d.Selected() {
		t.plain("%s is not selected; `winnow why-not %q` shows the proof", d.Test.ID, string(d.Test.ID))
		return t.err
	}
	t.plain("%s is selected:", s.Bold(string(d.Test.ID)))
	for _, r := range d.Reasons {
		t.plain("  %s  %s", s.Yellow(string(r.Code)), sentence(r))
		if len(r.Path) > 0 {
			t.plain("    %s", s.Dim("by way of "+strings.Join(r.Path, " → ")))
		}
	}
	return t.err
}

// WhyNot writes the proof for a test that is left out, or that it is selected. A proof that ended as skipped says no more than that.
func WhyNot(w io.Writer, s Style, d *rts.Decision, ended rts.Outcome) error {
	t := &text{w: w, style: s}
	if d.Obsolete != "" {
		t.plain("%s is obsolete: %s", d.Test.ID, d.Obsolete)
		return t.err
	}
	if d.Selected() {
		t.plain("%s is selected; `winnow why %q` gives the reasons", d.Test.ID, string(d.Test.ID))
		return t.err
	}
	p := d.Proof
	if p.Unproven {
		t.plain("%s is left out by a technique that is not safe, and there is no proof", s.Bold(string(d.Test.ID)))
		return t.err
	}
	t.plain("%s need not run:", s.Bold(string(d.Test.ID)))
	line := "  it passed on "
	if ended == rts.Skipped {
		line = "  the framework skipped it on "
	}
	line += fmt.Sprint(p.Meta.When.Local().Format("2006-01-02 15:04"))
	if p.Meta.Revision != "" {
		line += " at " + p.Meta.Revision[:min(9, len(p.Meta.Revision))]
	}
	if p.Meta.Dirty {
		line += " with local changes"
	}
	same := all(p.Inputs, "input") + " " + be(p.Inputs) + " the same now"
	if n := len(p.Differences); n > 0 {
		same = fmt.Sprintf("of its %s %d %s in a way that cannot matter to it:", count(p.Inputs, "input"), n, map[bool]string{true: "differs", false: "differ"}[n == 1])
	}
	t.plain("%s, and %s", line, same)
	for i, diff := range p.Differences {
		if i == 2*shownTests {
			t.plain("    and %d more", len(p.Differences)-i)
			break
		}
		t.plain("    %s: %s", diff.Entity, diff.Why)
	}
	return t.err
}
