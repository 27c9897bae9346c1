package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"winnow/internal/report"
	"winnow/internal/rts"
)

func nowUTC() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if a.flags.json {
				return writeJSON(a.Out, map[string]any{"schema": report.Schema, "command": "version", "version": version})
			}
			_, err := fmt.Fprintln(a.Out, a.versionText())
			return err
		},
	}
}

func (a *app) statusCommand() *cobra.Command {
	return &cobra.Command{
		Use: "status", Short: "What is known about the project: tests, records, earlier runs, what was saved", Args: cobra.NoArgs,
		Example: "  winnow status\n  winnow status --json",
		RunE:    func(c *cobra.Command, _ []string) error { return a.status(c.Context()) },
	}
}

// A statusReport is what `winnow status` shows.
type statusReport struct {
	Schema   int          `json:"schema"`
	Command  string       `json:"command"`
	Project  string       `json:"project"`
	Kind     string       `json:"kind"`
	Store    string       `json:"store"`
	Bytes    int64        `json:"store_bytes"`
	Tests    int          `json:"tests"`
	Selected int          `json:"selected"`
	Recorded int          `json:"recorded"`
	Always   []rts.TestID `json:"always"`
	Obsolete []rts.TestID `json:"obsolete"`
	Records  int          `json:"records"`
	Notices  []string     `json:"notices,omitempty"`
	Last     *lastRun     `json:"last_run,omitempty"`
	Runs     int          `json:"runs"`
	Saved    int64        `json:"saved_ms"`
}

type lastRun struct {
	When        time.Time `json:"when"`
	Revision    string    `json:"revision,omitempty"`
	Verdict     string    `json:"verdict"`
	Executed    int       `json:"executed"`
	Passed      int       `json:"passed"`
	Failed      int       `json:"failed"`
	Interrupted bool      `json:"interrupted,omitempty"`
}

func (a *app) status(ctx context.Context) error {
	s, err := a.begin(ctx, "status")
	if err != nil {
		return err
	}
	st := statusReport{
		Schema: report.Schema, Command: "status", Project: s.w.shown, Kind: s.w.kind, Store: s.run.Records.Location,
		Tests: len(s.run.Selection.Decisions), Selected: len(s.run.Selection.Selected()), Recorded: s.run.Records.Tests,
		Always: []rts.TestID{}, Obsolete: append([]rts.TestID{}, s.run.Selection.Obsolete...), Notices: s.w.notices,
	}
	for i := range s.run.Selection.Decisions {
		if t := s.run.Selection.Decisions[i].Test; t.Always != "" {
			st.Always = append(st.Always, t.ID)
		}
	}
	if err := s.history(ctx, &st); err != nil {
		return errors.Join(err, s.w.close())
	}
	if err := s.w.close(); err != nil {
		return err
	}
	if a.flags.json {
		return writeJSON(a.Out, st)
	}
	return st.text(a.Out)
}

// allRuns is more runs than anybody keeps.
const allRuns = 1 << 20

func (s *session) history(ctx context.Context, st *statusReport) error {
	runs, err := s.w.store.Runs(ctx, allRuns)
	if err != nil {
		return err
	}
	st.Runs = len(runs)
	for i, r := range runs {
		st.Saved += r.Saved.Milliseconds()
		if i == 0 {
			st.Last = &lastRun{r.When, r.Revision, r.Verdict, r.Executed, r.Passed, r.Failed, r.Interrupted}
		}
	}
	v, err := s.w.store.View(ctx)
	if err != nil {
		return err
	}
	stat, err := v.Stat()
	st.Records, st.Bytes = stat.Records, stat.Bytes
	return errors.Join(err, v.Close())
}

func (st *statusReport) text(w io.Writer) error {
	var err error
	line := func(word, format string, args ...any) {
		if err == nil {
			_, err = fmt.Fprintf(w, "%-9s %s\n", word, fmt.Sprintf(format, args...))
		}
	}
	for _, n := range st.Notices {
		line("note", "%s", n)
	}
	line("project", "%s (%s)", st.Project, st.Kind)
	line("store", "%s, %d records, %.1f MB", st.Store, st.Records, float64(st.Bytes)/1e6)
	line("tests", "%d, of these %d with records; %d would run now", st.Tests, st.Recorded, st.Selected)
	if len(st.Always) > 0 {
		line("always", "%d run every time: %s", len(st.Always), someTests(st.Always))
	}
	if len(st.Obsolete) > 0 {
		line("obsolete", "%d: %s; `winnow store gc` forgets them", len(st.Obsolete), someTests(st.Obsolete))
	}
	if st.Last == nil {
		line("runs", "none yet")
		return err
	}
	cut := ""
	if st.Last.Interrupted {
		cut = ", interrupted"
	}
	line("last run", "%s: %s, %d run, %d passed, %d failed%s", st.Last.When.Local().Format("2006-01-02 15:04"), st.Last.Verdict, st.Last.Executed, st.Last.Passed, st.Last.Failed, cut)
	line("runs", "%d, saved %s in all", st.Runs, report.Duration(time.Duration(st.Saved)*time.Millisecond))
	return err
}

func someTests(ids []rts.TestID) string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = string(id)
	}
	return some(names)
}
