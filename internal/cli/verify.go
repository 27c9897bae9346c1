package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"winnow/internal/config"
	"winnow/internal/report"
	"winnow/internal/rts"
	"winnow/internal/verify"
	"winnow/internal/vfs"
)

func (a *app) verifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "verify",
		Short:   "Check the proofs of the last run anew, against the records and the class files",
		Example: "  winnow verify\n  winnow verify --json",
		Long: `Takes every test that the last run or selection left out and checks its proof with code of its own: the record, every input
that it names, and for each difference an argument that it cannot matter to the test. It starts no build: the class path, properties
and tools are those of the last run.

Exit codes: 0 all proofs hold; 9 something speaks against a proof; 10 nothing does, but the checker's argument, which is simpler than
the one that selected, does not reach all of them.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.verify(c.Context()) },
	}
}

func (a *app) verify(ctx context.Context) error {
	w, ok, err := a.maven(ctx)
	if err != nil {
		return err
	}
	if !ok {
		if w, err = a.open(ctx); err != nil {
			return err
		}
		return errors.Join(usage("`winnow verify` checks Maven projects; proofs of spreadsheets are made anew by every `winnow select`"), w.close())
	}
	s := &session{app: a, w: w}
	var rep *verify.Report
	err = a.withStore(ctx, w, func() error {
		if err := s.recall(ctx); err != nil {
			return err
		}
		rep, err = s.checkProofs(ctx)
		return err
	})
	if err = errors.Join(err, w.close()); err != nil {
		return err
	}
	return s.showProofs(rep)
}

// checkProofs checks the selection of the last build.
func (s *session) checkProofs(ctx context.Context) (rep *verify.Report, err error) {
	dir := filepath.Dir(s.w.location)
	settings, err := verify.ReadSettings(s.jvmDir())
	if err != nil {
		return nil, usage("%v; `winnow select` makes it anew", err)
	}
	key, err := storeKey(dir, false)
	if err != nil {
		return nil, &fault{ExitInternal, err}
	}
	v, err := s.w.store.View(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, v.Close()) }()
	roots := rootsOf(s.w.root)
	return verify.Check(ctx, v, s.run.Selection, verify.Options{
		Files: vfs.NewFiles(roots).Keyed(key), Settings: settings, Declared: declaredInputs(s.w.cfg, roots, s.w.root),
	})
}

// declaredInputs lists the inputs that winnow.toml declares for a test. Of a directory it is the directory alone: what is below it is in the record, and compared like everything in it.
func declaredInputs(cfg *config.Config, roots vfs.Roots, root string) func(rts.TestID) []rts.Entity {
	return func(id rts.TestID) []rts.Entity {
		var out []rts.Entity
		for _, in := range cfg.Inputs {
			if p, _ := cfg.Matching(in.Tests, string(id)); p == "" {
				continue
			}
			for _, name := range in.Env {
				out = append(out, rts.Entity{Kind: rts.KindEnv, Name: name})
			}
			for _, rel := range in.Paths {
				path := filepath.Join(root, filepath.FromSlash(rel))
				kind := rts.KindFile
				if info, err := os.Stat(path); err == nil && info.IsDir() || strings.HasSuffix(rel, "/") {
					kind = rts.KindDir
				}
				out = append(out, rts.Entity{Kind: kind, Name: roots.Portable(path)})
			}
		}
		return out
	}
}

// A proofReport is what `winnow verify` writes for programs.
type proofReport struct {
	Schema   int            `json:"schema"`
	Command  string         `json:"command"`
	Project  string         `json:"project"`
	Proofs   int            `json:"proofs"`
	Held     int            `json:"held"`
	Broken   int            `json:"broken"`
	Open     int            `json:"open"`
	Uses     int            `json:"uses"`
	Compared int            `json:"compared"`
	Classes  int            `json:"classes"`
	Findings []proofFinding `json:"findings"`
	Notices  []string       `json:"notices,omitempty"`
	Exit     Exit           `json:"exit"`
	ExitSays string         `json:"exit_says"`
}

type proofFinding struct {
	Test    rts.TestID `json:"test"`
	Status  string     `json:"status"`
	Kind    rts.Kind   `json:"kind,omitempty"`
	Name    string     `json:"name,omitempty"`
	Through string     `json:"through,omitempty"`
	Says    string     `json:"says"`
}

// showProofs shows the result and turns it into an exit code.
func (s *session) showProofs(rep *verify.Report) error {
	code, says := ExitOK, "all proofs hold"
	switch {
	case rep.Broken > 0:
		code, says = ExitProof, "a proof does not hold"
	case rep.Open > 0:
		code, says = ExitOpen, "a proof could not be established again"
	}
	err := s.writeProofs(rep, code, says)
	if err == nil && code != ExitOK {
		return quit{code}
	}
	return err
}

func (s *session) writeProofs(rep *verify.Report, code Exit, says string) error {
	if !s.flags.json {
		return proofText(s.Out, s.w.notices, rep)
	}
	out := proofReport{
		Schema: report.Schema, Command: "verify", Project: s.w.shown, Proofs: rep.Proofs, Held: rep.Held, Broken: rep.Broken, Open: rep.Open,
		Uses: rep.Uses, Compared: rep.Compared, Classes: rep.Classes, Findings: []proofFinding{}, Notices: s.w.notices, Exit: code, ExitSays: says,
	}
	for _, f := range rep.Findings {
		out.Findings = append(out.Findings, proofFinding{f.Test, string(f.Status), f.Entity.Kind, f.Entity.Name, f.Through, f.Says})
	}
	return writeJSON(s.Out, out)
}

// proofText writes every test whose proof does not hold with all that was found, and then the figures.
func proofText(w io.Writer, notices []string, rep *verify.Report) error {
	var b strings.Builder
	for _, n := range notices {
		fmt.Fprintf(&b, "%s\n", n)
	}
	words := map[verify.Status]string{verify.Broken: "does not hold", verify.Open: "is not re-established"}
	last := rts.TestID("")
	for i, f := range rep.Findings {
		if i == 0 || f.Test != last {
			last = f.Test
			fmt.Fprintf(&b, "%s\n", f.Test)
		}
		fmt.Fprintf(&b, "  %s: ", words[f.Status])
		if f.Entity.Kind != "" {
			fmt.Fprintf(&b, "%s: ", f.Entity)
		}
		b.WriteString(f.Says)
		if f.Through != "" {
			fmt.Fprintf(&b, " (%s)", f.Through)
		}
		b.WriteByte('\n')
	}
	if rep.Proofs == 0 {
		b.WriteString("no test was left out, so there is no proof to check\n")
	}
	fmt.Fprintf(&b, "%d proofs checked: %d hold, %d do not, %d are not re-established\n", rep.Proofs, rep.Held, rep.Broken, rep.Open)
	fmt.Fprintf(&b, "%d uses, %d of them compared (the rest is shared), %d classes digested\n", rep.Uses, rep.Compared, rep.Classes)
	_, err := io.WriteString(w, b.String())
	return err
}
