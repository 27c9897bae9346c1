package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"winnow/internal/engine"
	"winnow/internal/jvm/maven"
	"winnow/internal/report"
	"winnow/internal/rts"
)

// show shows the end of a build and turns it into an exit code.
func (h *mavenRun) show(ctx context.Context, outcome *maven.Outcome, err error) error {
	s := h.session
	if err != nil && ctx.Err() == nil {
		return errors.Join(&fault{ExitBuild, err}, s.w.close())
	}
	if why := h.reached(outcome); why != "" && ctx.Err() == nil {
		return h.failed(why)
	}
	h.keep(context.WithoutCancel(ctx))
	if !s.flags.json {
		fmt.Fprintln(s.Out)
		if err := s.run.Heading(s.Out, s.style); err != nil {
			return err
		}
		if !h.runs {
			h.would()
		}
	}
	if rep := s.run.Report; rep != nil {
		if rep.RunErr != nil {
			fmt.Fprintf(s.Err, "winnow: %v\n", rep.RunErr)
		}
		s.mend(context.WithoutCancel(ctx))
		if err := h.failures(); err != nil {
			return err
		}
	}
	code := h.code(ctx, outcome)
	if code == ExitBuild {
		s.run.Failed = "The build failed apart from its tests; Maven's messages are above."
	}
	return s.finish(code)
}

// reached says why the build failed before any of its tests, "" if it came as far as that.
func (h *mavenRun) reached(outcome *maven.Outcome) string {
	if outcome == nil || len(h.modules) > 0 || len(h.foreign) > 0 {
		return ""
	}
	switch verdict := outcome.Verdict(); {
	case verdict == maven.Unattached:
		return "Maven did not load Winnow's extension, so tests ran as without it, if at all"
	case verdict == maven.CompileFailed:
		return "the build failed before its tests: the sources do not compile; Maven's messages are above"
	case verdict == maven.Succeeded || verdict == maven.TestsFailed || verdict == maven.Stopped:
		return ""
	case !outcome.Has(maven.Attached):
		return "Maven could not start; its messages are above"
	}
	return "the build failed before its tests; Maven's messages are above"
}

// failed ends a build in which no test was reached. What is known stays as it was.
func (h *mavenRun) failed(why string) error {
	s := h.session
	s.run.Report = nil
	s.run.Notices = append(s.run.Notices, why+". No test ran, and what is recorded is as it was.")
	if !s.flags.json {
		fmt.Fprintln(s.Out)
		if err := s.run.Remarks(s.Out, s.style); err != nil {
			return err
		}
	}
	return s.finish(ExitBuild)
}

// keep writes down what other commands want to know of the run: the selection and the history.
func (h *mavenRun) keep(ctx context.Context) {
	s := h.session
	s.engine = &engine.Engine{Store: s.w.store}
	var err error
	if s.run.Records, err = s.records(ctx); err != nil {
		s.run.Notices = append(s.run.Notices, err.Error())
	}
	h.keeps(h.remember(ctx))
	if rep := s.run.Report; rep != nil {
		if err := s.w.store.AddRun(ctx, rep.Summary(h.meta)); err != nil && rep.RecordErr == nil {
			h.keeps(fmt.Errorf("the history could not be written: %w", err))
		}
	}
	if h.unkept != nil {
		s.run.Unrecorded = h.unkept.Error()
		s.run.Notices = append(s.run.Notices, fmt.Sprintf("%s cannot be written, so the next run may start Maven where it need not, and `winnow why` may explain an earlier one: %v",
			filepath.Dir(s.w.location), h.unkept))
	}
	switch {
	case h.left:
		s.run.Unrecorded = "some tests ran as without Winnow"
	case s.w.unstored:
		s.run.Unrecorded = "there is no store"
	}
}

// shownFailures is how many tests that failed are named; Maven's output has them all.
const shownFailures = 8

// failures names the tests that did not pass.
func (h *mavenRun) failures() error {
	shown := 0
	rep := h.session.run.Report
	for i := range rep.Results {
		switch res := &rep.Results[i]; {
		case h.flags.json || res.Record.Outcome.Proves():
		case shown == shownFailures:
			fmt.Fprintf(h.Out, "and %d more; Maven's output has them all\n", rep.Bad()-shown)
			return nil
		default:
			shown++
			if err := report.Result(h.Out, h.style, res); err != nil {
				return err
			}
		}
	}
	return nil
}

// would says what a run would do.
func (h *mavenRun) would() {
	sel := h.session.run.Selection
	fmt.Fprintf(h.Out, "%d of %d known tests would run\n", len(sel.Selected()), len(sel.Decisions))
	for _, m := range h.modules {
		if why := m.Unlisted(); why != "" {
			fmt.Fprintf(h.Out, "%s may have new tests, which would run too: %s\n", m.Name(), why)
		}
	}
}

// code turns a finished build into an exit code: Maven's word first, then what is known of the tests.
func (h *mavenRun) code(ctx context.Context, outcome *maven.Outcome) Exit {
	if ctx.Err() != nil {
		return ExitInterrupted
	}
	verdict := outcome.Verdict()
	switch verdict {
	case maven.Succeeded, maven.TestsFailed:
	default:
		return ExitBuild
	}
	if shadow := h.session.run.Shadow; shadow != nil && len(shadow.Missed) > 0 {
		return ExitMissed
	}
	if verdict == maven.TestsFailed {
		return ExitTests
	}
	if !h.runs {
		if len(h.session.run.Selection.Decisions) == 0 && !h.unlisted() {
			return ExitNoTests
		}
		return ExitOK
	}
	code := h.session.code()
	if n := h.doubtful(); n > 0 && code == ExitOK {
		return ExitTests
	}
	if code == ExitNoTests && len(h.session.run.Selection.Decisions) == 0 && h.unchanged(outcome) {
		return ExitOK // tests ran as without Winnow, and Maven says that they passed
	}
	return code
}

// doubtful counts the tests that failed before with the same inputs and did not fail now, while others were left out. It says so for each.
func (h *mavenRun) doubtful() int {
	n := 0
	for _, m := range h.modules {
		if m.rep == nil || len(m.sel.Selected()) == len(m.sel.Decisions) {
			continue
		}
		for _, test := range m.recovered() {
			n++
			fmt.Fprintf(h.Err, "winnow: %s failed with the same inputs before and did not fail now, while other tests were left out: it is unstable, or depends on them; `winnow test --all` decides\n", test)
		}
	}
	return n
}

// recovered lists the tests that failed before with the same inputs and did not fail now.
func (m *mavenModule) recovered() (out []rts.TestID) {
	for i := range m.rep.Results {
		r := &m.rep.Results[i].Record
		if r.Outcome.Proves() && slices.Contains(m.doubted, r.Test) && !slices.Contains(m.PassedOver(), r.Test) { // the build may exclude it since
			out = append(out, r.Test)
		}
	}
	return out
}

// unlisted tells whether some module has tests that are not known yet.
func (h *mavenRun) unlisted() bool {
	return slices.ContainsFunc(h.modules, func(m *mavenModule) bool { return m.Unlisted() != "" })
}

// unchanged tells whether tests ran without Winnow.
func (h *mavenRun) unchanged(outcome *maven.Outcome) bool {
	return slices.ContainsFunc(outcome.Answers(), func(e maven.Event) bool {
		return e.Answer.Action == maven.Unchanged && e.Answer.Reason != maven.TestsSkipped
	})
}
