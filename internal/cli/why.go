package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"winnow/internal/config"
	"winnow/internal/jvm/project"
	"winnow/internal/report"
	"winnow/internal/rts"
	"winnow/internal/store"
)

func (a *app) whyCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "why TEST",
		Short: "Why a test is selected",
		Long: `TEST is a name as Winnow shows it, or as Maven and its reports do: p.CartTest#adds, p.CartTest.adds, CartTest$Empty, CartTest.adds:17. A part of a name
will do if only one test has it. In a Maven project the answer is about the last run; ` + "`winnow select`" + ` looks again.`,
		Example: `  winnow why p.CartTest#adds
  winnow why adds
  winnow why "budget.xlsx#full price"`,
		Args:              oneArgument("a test"),
		ValidArgsFunction: a.completeTests,
		RunE:              func(c *cobra.Command, args []string) error { return a.explain(c.Context(), args[0], "why") },
	}
	a.selectionFlags(c)
	return c
}

func (a *app) whyNotCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "why-not TEST",
		Short: "The proof that a test need not run",
		Long: `Shows the record that proves that the test need not run, and for everything that differs from it why that cannot matter to the test. ` + "`winnow why --help`" + ` says how TEST may
be written.`,
		Example: `  winnow why-not p.CartTest#adds
  winnow why-not "budget.xlsx#full price"`,
		Args:              oneArgument("a test"),
		ValidArgsFunction: a.completeTests,
		RunE:              func(c *cobra.Command, args []string) error { return a.explain(c.Context(), args[0], "why-not") },
	}
	a.selectionFlags(c)
	return c
}

// oneArgument wants exactly one argument, and says what it stands for.
func oneArgument(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch len(args) {
		case 1:
			return nil
		case 0:
			return usage("`%s` needs %s; `%s --help` has examples", c.CommandPath(), what, c.CommandPath())
		}
		return usage("`%s` takes one argument; put a name with blanks in quotes", c.CommandPath())
	}
}

// completeTests offers the tests of the project to the shell.
func (a *app) completeTests(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	w, err := a.openRoot()
	if err != nil || a.openProject(w) != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	if w.project == nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	for _, t := range w.project.Tests() {
		names = append(names, string(t.ID))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func (a *app) explain(ctx context.Context, name, command string) error {
	s, err := a.begin(ctx, command)
	if err != nil {
		return err
	}
	d, err := s.decision(name)
	if err != nil {
		return errors.Join(err, s.w.close())
	}
	s.run.Selection = &rts.Selection{Decisions: []rts.Decision{*d}}
	if s.run.Proven, err = provenOutcomes(ctx, s.w.store, s.run.Selection); err != nil {
		return errors.Join(err, s.w.close())
	}
	switch {
	case a.flags.json:
		return s.finish(ExitOK)
	case command == "why":
		err = report.Why(a.Out, s.style, d)
	default:
		err = report.WhyNot(a.Out, s.style, d, s.run.Proven[d.Test.ID])
	}
	for _, note := range s.w.notices { // such as: as of which run
		fmt.Fprintf(a.Out, "note      %s\n", note)
	}
	return errors.Join(err, s.w.close())
}

// decision finds the test that a name stands for: the whole name, the name that Maven and its reports have, or a part that only one has.
func (s *session) decision(name string) (*rts.Decision, error) {
	byID := map[rts.TestID]*rts.Decision{}
	var ids, parts []rts.TestID
	for i := range s.run.Selection.Decisions {
		d := &s.run.Selection.Decisions[i]
		id := d.Test.ID
		if string(id) == name || strings.TrimPrefix(string(id), d.Test.Module+"#") == name {
			return d, nil
		}
		byID[id], ids = d, append(ids, id)
		if strings.Contains(strings.ToLower(string(id)), strings.ToLower(name)) {
			parts = append(parts, id)
		}
	}
	if s.w.kind == mavenKind {
		if hits := named(name, ids); len(hits) > 0 {
			parts = hits
		}
	}
	switch {
	case len(parts) == 1:
		return byID[parts[0]], nil
	case len(parts) > 1:
		return nil, usage("%q may be any of %d tests:\n%s", name, len(parts), choice(parts))
	case slices.Contains(s.run.Selection.Obsolete, rts.TestID(name)):
		return nil, usage("%s is obsolete: it has records, but exists no more", name)
	}
	return nil, s.noSuchTest(name, ids)
}

// shownChoices is how many tests an ambiguous name is answered with.
const shownChoices = 10

// choice lists tests, one a line.
func choice(ids []rts.TestID) string {
	var b strings.Builder
	for i, id := range ids {
		if i == shownChoices {
			fmt.Fprintf(&b, "  and %d more\n", len(ids)-i)
			break
		}
		fmt.Fprintf(&b, "  %s\n", id)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (s *session) noSuchTest(name string, ids []rts.TestID) error {
	near := ""
	if s.w.kind == mavenKind {
		near = string(nearTest(name, ids))
	} else {
		var names []string
		for i := range s.run.Selection.Decisions {
			t := s.run.Selection.Decisions[i].Test
			names = append(names, string(t.ID), strings.TrimPrefix(string(t.ID), t.Module+"#"))
		}
		near = config.Nearest(name, names)
	}
	if near != "" {
		return usage("there is no test %q; did you mean %q?", name, near)
	}
	return usage("there is no test %q; `winnow select --json` lists all tests", name)
}

func (a *app) impactCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "impact ENTITY",
		Short: "Which tests used a cell, a file or another entity when they were recorded",
		Example: `  winnow impact p.Cart
  winnow impact config/rates.csv
  winnow impact Summary!B4
  winnow impact "cell [budget.xlsx]Summary!B4"`,
		Args:              oneArgument("an entity"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(c *cobra.Command, args []string) error { return a.impact(c.Context(), args[0]) },
	}
	return c
}

// impact lists the tests whose newest records used an entity.
func (a *app) impact(ctx context.Context, name string) error {
	w, err := a.open(ctx)
	if err != nil {
		return err
	}
	var out []impactOf
	if err := a.withStore(ctx, w, func() (err error) {
		out, err = findImpact(ctx, w.store, name)
		return err
	}); err != nil {
		return err
	}
	if err := w.close(); err != nil {
		return err
	}
	if len(out) == 0 {
		return usage("no recorded test used %q; entities look like %s", name, entityExamples(w.kind))
	}
	if a.flags.json {
		return writeJSON(a.Out, struct {
			Schema   int        `json:"schema"`
			Command  string     `json:"command"`
			Entities []impactOf `json:"entities"`
		}{report.Schema, "impact", out})
	}
	for _, x := range out {
		fmt.Fprintf(a.Out, "%s %s was used by %d tests\n", x.Kind, x.Name, len(x.Tests))
		for _, t := range x.Tests {
			fmt.Fprintf(a.Out, "  %s\n", t)
		}
	}
	return nil
}

type impactOf struct {
	Kind  rts.Kind     `json:"kind"`
	Name  string       `json:"name"`
	Tests []rts.TestID `json:"tests"`
}

func findImpact(ctx context.Context, st *store.Store, name string) (out []impactOf, err error) {
	v, err := st.View(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, v.Close()) }()
	matching := map[rts.Entity]bool{}
	v.Entities(func(e rts.Entity) {
		if entityMatches(e, name) {
			matching[e] = true
		}
	})
	users := v.Users()
	for e := range matching {
		tests := map[rts.TestID]bool{}
		if err := users(e, func(t rts.TestID) { tests[t] = true }); err != nil {
			return nil, err
		}
		x := impactOf{Kind: e.Kind, Name: e.Name}
		for t := range tests {
			x.Tests = append(x.Tests, t)
		}
		slices.Sort(x.Tests)
		out = append(out, x)
	}
	slices.SortFunc(out, func(a, b impactOf) int { return strings.Compare(string(a.Kind)+a.Name, string(b.Kind)+b.Name) })
	return out, nil
}

// entityExamples shows how entities of a kind of project are written.
func entityExamples(kind string) string {
	if kind == mavenKind {
		return `p.Cart, p.Cart$Item, config/rates.csv or "env HOME"`
	}
	return `Summary!B4, rates.csv or "cell [budget.xlsx]Summary!B4"`
}

// entityMatches tells whether a name as a user writes it stands for an entity: with or without kind, workbook, sheet or root.
func entityMatches(e rts.Entity, name string) bool {
	if e.String() == name || strings.EqualFold(e.Name, name) {
		return true
	}
	rest := e.Name
	if i := strings.LastIndex(rest, "]"); strings.HasPrefix(rest, "[") && i > 0 {
		rest = rest[i+1:]
	}
	rest = strings.TrimPrefix(rest, "$project/")
	if e.Kind == project.Class {
		return rest[strings.LastIndex(rest, "!")+1:] == strings.ReplaceAll(name, ".", "/")
	}
	plain := strings.ReplaceAll(name, "$", "")
	return strings.EqualFold(rest, plain) || strings.EqualFold(rest[strings.LastIndex(rest, "!")+1:], plain)
}
