package cli

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"winnow/internal/check"
	"winnow/internal/check/campaign"
	"winnow/internal/check/cases"
	"winnow/internal/check/defects"
	"winnow/internal/check/evolve"
	"winnow/internal/check/loss"
	"winnow/internal/check/pool"
	checkreport "winnow/internal/check/report"
	"winnow/internal/check/rule"
	"winnow/internal/check/subject"
	"winnow/internal/digest"
	"winnow/internal/report"
)

// campaigns are those that have a name: one for each component that needs nothing but Winnow.
//
//go:embed campaigns/*.txt
var campaigns embed.FS

// builtIn finds a campaign by its name.
func builtIn(name string) ([]byte, bool) {
	data, err := campaigns.ReadFile("campaigns/" + name + ".txt")
	return data, err == nil
}

// checkFlags are the flags of `winnow check`.
type checkFlags struct{ results, html, repeat, shown string }

func (a *app) checkCommand() *cobra.Command {
	f := &checkFlags{}
	c := &cobra.Command{
		Use:   "check [NAME | FILE]",
		Short: "Find bugs of selection tools, Winnow's own first",
		Long: `Runs selection tools on evolving programs and reports every violation of rules that a correct tool never violates. FILE is a campaign: which programs, which tools, which
rules, how much; docs/checking.md describes the file. Campaigns with a name:

  small        some programs of every kind on Winnow's techniques, a few minutes; this is the one that runs without a name
  autoep       31,104 generated programs, about an hour
  surefire     500 generated programs through the command line, the agent and Surefire
  cases        known bugs of selection tools as programs; conditions: these and 14 conditions on Maven projects
  releases     published releases of two projects, from Maven Central
  papers       every technique of a paper on some programs of every kind
  peers        the known bugs on tools as published

What was found is kept in .winnow/check and a campaign that was cut short goes on where it was. The program of each violation is written there, as small as it can be made, and
--repeat runs it again.`,
		Example: `  winnow check
  winnow check autoep
  winnow check campaign.txt
  winnow check campaign.txt --html check.html
  winnow check campaign.txt --json > check.json
  winnow check --report .winnow/check/small.log --html check.html
  winnow check --repeat .winnow/check/small.cases/1.txtar`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.check(c.Context(), f, args) },
	}
	c.Flags().StringVar(&f.results, "results", "", "keep results in `FILE` (default: .winnow/check/NAME.log)")
	c.Flags().StringVar(&f.html, "html", "", "write the report as one page to `FILE`")
	c.Flags().StringVar(&f.repeat, "repeat", "", "repeat what is violated on the evolving program in `FILE`")
	c.Flags().StringVar(&f.shown, "report", "", "show the report of the results in `FILE`, and run nothing")
	return c
}

func (a *app) check(ctx context.Context, f *checkFlags, args []string) error {
	switch {
	case f.repeat != "" && (len(args) > 0 || f.shown != ""), f.shown != "" && len(args) > 0:
		return usage("`winnow check` takes one of FILE, --repeat and --report")
	case f.repeat != "":
		return a.repeatCheck(ctx, a.path(f.repeat))
	case f.shown != "":
		c, entries, finished, err := campaign.ReadLog(a.path(f.shown))
		if err != nil {
			return &fault{ExitUsage, err}
		}
		return a.showCheck(f, c, entries, a.path(f.shown), finished)
	}
	name := "small"
	if len(args) == 1 {
		name = args[0]
	}
	text, ok := builtIn(name)
	if !ok {
		data, err := os.ReadFile(a.path(name))
		if err != nil {
			return &fault{ExitUsage, err}
		}
		text = data
	}
	c, err := campaign.Parse(name, text)
	if err != nil {
		return &fault{ExitUsage, err}
	}
	if c.Name == "" {
		c.Name = strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
	}
	return a.runCheck(ctx, f, c)
}

// runCheck does a campaign.
func (a *app) runCheck(ctx context.Context, f *checkFlags, c *campaign.Campaign) (err error) {
	results := f.results
	if results == "" {
		dir := filepath.Join(a.Dir, storeDir)
		if err := os.MkdirAll(filepath.Join(dir, "check"), 0o777); err != nil {
			return err
		}
		ignoreItself(dir)
		results = filepath.Join(dir, "check", fileName(c.Name)+".log")
	}
	results = a.path(results)
	who, err := self()
	if err != nil {
		return err
	}
	log, err := campaign.OpenLog(results, c, who)
	if errors.Is(err, campaign.ErrLog) || errors.Is(err, fs.ErrNotExist) {
		return &fault{ExitUsage, err}
	}
	if err != nil {
		return err
	}
	plan, closing, err := a.planCheck(ctx, c, log, results)
	if err != nil {
		return errors.Join(err, log.Close())
	}
	finished, err := check.Run(ctx, c, plan, log, a.checkProgress())
	entries := log.Entries()
	if err == nil && finished {
		err = log.Finish()
	}
	err = errors.Join(err, closing(), log.Close())
	if a.Terminal {
		fmt.Fprint(a.Err, "\r\x1b[K")
	}
	if err != nil {
		return err
	}
	return a.showCheck(f, c, entries, results, finished)
}

// fileName keeps what every file system takes.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '.' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, name)
}

// self names this program: results of another one are not mixed with its own.
func self() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	return version + " " + digest.Of(data).String(), nil
}

// checkProgress shows how far a campaign is: on a terminal one line that is written again and again, elsewhere a line now and then.
func (a *app) checkProgress() func(check.Progress) {
	last := time.Now()
	return func(p check.Progress) {
		every := 30 * time.Second
		if a.Terminal {
			every = time.Second / 5
		}
		if time.Since(last) < every {
			return
		}
		last = time.Now()
		line := fmt.Sprintf("%d of %d pieces, %d programs compared, %d violations, %s", p.Done, p.Pieces, p.Compared, p.Violations, p.Elapsed.Round(time.Second))
		if p.Remained > 0 {
			line += fmt.Sprintf(", about %s left", p.Remained.Round(time.Second))
		}
		if a.Terminal {
			fmt.Fprintf(a.Err, "\r\x1b[K%s", line)
			return
		}
		fmt.Fprintln(a.Err, line)
	}
}

// planCheck finds subjects and programs.
func (a *app) planCheck(ctx context.Context, c *campaign.Campaign, log *campaign.Log, results string) (plan check.Plan, closing func() error, err error) {
	rules, err := rule.Find(c.Rules)
	if err != nil {
		return plan, nil, &fault{ExitUsage, err}
	}
	inside, tools, err := a.checkSubjects(c)
	if err != nil {
		return plan, nil, err
	}
	if len(tools) > 0 && c.Component != campaign.AutoEP {
		return a.planTools(ctx, c, tools, rules, log, results)
	}
	jdk, err := subject.FindJDK(c.JDK, a.Getenv)
	if err != nil {
		return plan, nil, &fault{ExitUsage, err}
	}
	config := pool.Config{JDK: jdk, Workers: c.Workers, Timeout: c.Timeout}
	if c.Loss {
		config.Options = loss.Options
	}
	p, err := pool.Open(ctx, config)
	if err != nil {
		return plan, nil, err
	}
	checker := &check.Checker{Pool: p, JDK: jdk, Subjects: inside, Rules: rules}
	if c.Loss {
		if checker.Loss, err = loss.New(ctx, p); err != nil {
			return plan, nil, &fault{ExitUsage, errors.Join(fmt.Errorf("loss: %w", err), p.Close())}
		}
	}
	switch {
	case len(tools) > 0:
		return a.planGenerated(ctx, c, checker, tools, log, results)
	case c.Component == campaign.AutoEP:
		plan, err = checker.AutoEP(c)
	case c.Component == campaign.Cases:
		var all []*check.Program
		all, err = a.checkCases(c)
		plan = checker.Programs(all)
	default:
		err = fmt.Errorf("component %s: its programs are Maven projects; name the subject winnow or another tool", c.Component)
	}
	if err != nil {
		return plan, nil, &fault{ExitUsage, errors.Join(err, p.Close())}
	}
	return plan, p.Close, nil
}

// checkBatch is how many generated programs are modules of one project.
const checkBatch = 25

// builder makes what runs tools on Maven projects.
func builder(c *campaign.Campaign, tools []*subject.Tool, rules []*rule.Rule, log *campaign.Log, results string) (*check.Builder, error) {
	dir := strings.TrimSuffix(results, ".log") + ".work"
	return &check.Builder{Tools: tools, Rules: rules, Dir: dir, Timeout: c.Timeout, Batch: checkBatch, Log: log}, os.MkdirAll(dir, 0o777)
}

// planGenerated is the plan for tools on generated programs.
func (a *app) planGenerated(ctx context.Context, c *campaign.Campaign, checker *check.Checker, tools []*subject.Tool, log *campaign.Log, results string) (check.Plan, func() error, error) {
	b, err := builder(c, tools, checker.Rules, log, results)
	if err != nil {
		return check.Plan{}, nil, errors.Join(err, checker.Pool.Close())
	}
	var failed error
	programs, err := checker.Generated(ctx, c, &failed)
	if err != nil {
		return check.Plan{}, nil, &fault{ExitUsage, errors.Join(err, checker.Pool.Close())}
	}
	return b.Plan(programs, c.Evolving), func() error { return errors.Join(failed, checker.Pool.Close(), os.RemoveAll(b.Dir)) }, nil
}

// planTools is the plan for tools that are processes of their own.
func (a *app) planTools(ctx context.Context, c *campaign.Campaign, tools []*subject.Tool, rules []*rule.Rule, log *campaign.Log, results string) (plan check.Plan, closing func() error, err error) {
	b, err := builder(c, tools, rules, log, results)
	if err != nil {
		return plan, nil, err
	}
	closing = func() error { return os.RemoveAll(b.Dir) }
	switch c.Component {
	case campaign.Cases:
		all, err := a.checkCases(c)
		if err != nil {
			return plan, nil, &fault{ExitUsage, err}
		}
		var programs []*check.MavenProgram
		for _, p := range all {
			programs = append(programs, check.ForMaven(p))
		}
		if len(c.Paths) == 0 {
			for _, k := range cases.Conditions() {
				programs = append(programs, check.ForCondition(&k))
			}
		}
		return b.Plan(slices.Values(programs), len(programs)), closing, nil
	case campaign.DefectsEP:
		programs, err := a.checkDefects(c)
		if err != nil {
			return plan, nil, &fault{ExitUsage, err}
		}
		b.Batch = 5 // a bug is a project as a whole
		return b.Plan(slices.Values(programs), len(programs)), closing, nil
	}
	if c.Component == campaign.EvoEP {
		var paths []string
		for _, p := range c.Paths {
			paths = append(paths, a.path(p))
		}
		if plan, err = b.Histories(ctx, c, paths); err != nil {
			return plan, nil, &fault{ExitUsage, err}
		}
		return plan, closing, nil
	}
	return plan, nil, usage("component %s with tools that are processes of their own is not possible", c.Component)
}

// checkDefects reads the bugs of a campaign.
func (a *app) checkDefects(c *campaign.Campaign) ([]*check.MavenProgram, error) {
	var out []*check.MavenProgram
	for _, path := range c.Paths {
		dirs, err := defects.Find(a.path(path))
		if err != nil {
			return nil, err
		}
		for _, dir := range dirs {
			bug, err := defects.Read(dir)
			if err != nil {
				return nil, err
			}
			out = append(out, check.ForDefect(bug))
		}
	}
	return out, nil
}

// checkSubjects finds the subjects of a campaign. One that is missing ends it: nothing must be green because nobody looked.
func (a *app) checkSubjects(c *campaign.Campaign) (inside []subject.Subject, tools []*subject.Tool, err error) {
	for _, name := range spelled(c.Subjects) {
		s, tool := a.checkSubject(name)
		switch {
		case tool != nil:
			tools = append(tools, tool)
		case s != nil:
			inside = append(inside, s)
		default:
			return nil, nil, &fault{ExitSubject, fmt.Errorf("there is no subject %s; the subjects are %s", name, strings.Join(a.checkNames(), ", "))}
		}
	}
	for _, command := range c.Commands {
		if _, err := subject.LookPath(command.Args[0]); err != nil {
			return nil, nil, &fault{ExitSubject, fmt.Errorf("subject %s is missing: %w", command.Name, err)}
		}
		tools = append(tools, subject.Command(command.Name, command.Args))
	}
	if len(inside) > 0 && len(tools) > 0 {
		return nil, nil, usage("%s runs inside winnow and %s on Maven projects; make two campaigns of it", inside[0].Describe().Name, tools[0].Name)
	}
	return inside, tools, nil
}

// paperPrefix is before the names of techniques as papers have them: some tools have the same names.
const paperPrefix = "paper:"

// spelled puts all techniques of papers in the place of the word papers.
func spelled(names []string) []string {
	var out []string
	for _, name := range names {
		if name != "papers" {
			out = append(out, name)
			continue
		}
		for _, p := range papers {
			out = append(out, paperPrefix+p.Name)
		}
	}
	return out
}

func (a *app) checkSubject(name string) (subject.Subject, *subject.Tool) {
	if p := paperNamed(strings.TrimPrefix(name, paperPrefix)); p != nil && strings.HasPrefix(name, paperPrefix) {
		return subject.Paper{Description: subject.Description{Name: name, Title: p.Title, Role: rule.Selecting}, New: p.New}, nil
	}
	for _, t := range subject.Techniques {
		if t.Name == name {
			return t, nil
		}
	}
	for _, b := range subject.BrokenOnes() {
		if b.Name == name {
			return b, nil
		}
	}
	for _, t := range checkTools() {
		if t.Name == name {
			return nil, t
		}
	}
	return nil, nil
}

// checkTools are the tools that a campaign can name.
func checkTools() []*subject.Tool {
	program, err := os.Executable()
	if err != nil {
		program = "winnow"
	}
	return []*subject.Tool{subject.Winnow(program), subject.Ekstazi(), subject.STARTS(), subject.Clover()}
}

func (a *app) checkNames() []string {
	var out []string
	for _, t := range subject.Techniques {
		out = append(out, t.Name)
	}
	for _, t := range checkTools() {
		out = append(out, t.Name)
	}
	for _, p := range papers {
		out = append(out, paperPrefix+p.Name)
	}
	for _, b := range subject.BrokenOnes() {
		out = append(out, b.Name)
	}
	return out
}

// checkCases are the programs of Table VII, or those of the files that the campaign names.
func (a *app) checkCases(c *campaign.Campaign) ([]*check.Program, error) {
	var out []*check.Program
	if len(c.Paths) == 0 {
		for i := range cases.All {
			e, err := cases.All[i].Program()
			if err != nil {
				return nil, err
			}
			out = append(out, &check.Program{Evolving: *e, Constraint: string(cases.All[i].Kind)})
		}
		return out, nil
	}
	for _, pattern := range c.Paths {
		files, err := filepath.Glob(a.path(pattern))
		if err != nil || len(files) == 0 {
			return nil, fmt.Errorf("path %s: no such file", pattern)
		}
		for _, file := range files {
			p, err := readProgram(file)
			if err != nil {
				return nil, err
			}
			out = append(out, p)
		}
	}
	return out, nil
}

// readProgram reads an evolving program. What was generated has a seed, and its tests are judged by their state.
func readProgram(file string) (*check.Program, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	e, err := evolve.ParseEvolving(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return &check.Program{Evolving: *e, Oracle: e.Seed != 0}, nil
}

// repeatCheck runs all techniques on one program.
func (a *app) repeatCheck(ctx context.Context, file string) error {
	p, err := readProgram(file)
	if err != nil {
		return &fault{ExitUsage, err}
	}
	c := &campaign.Campaign{Name: p.Name, Component: campaign.Cases, JDK: 17, Workers: 1, Timeout: 20 * time.Second, Rules: rule.IDs()}
	for _, t := range subject.Techniques {
		c.Subjects = append(c.Subjects, t.Name)
	}
	jdk, err := subject.FindJDK(c.JDK, a.Getenv)
	if err != nil {
		return &fault{ExitUsage, err}
	}
	workers, err := pool.Open(ctx, pool.Config{JDK: jdk, Workers: 1, Timeout: c.Timeout})
	if err != nil {
		return err
	}
	inside, _, err := a.checkSubjects(c)
	if err != nil {
		return err
	}
	checker := &check.Checker{Pool: workers, JDK: jdk, Subjects: inside, Rules: rule.All}
	e, err := checker.Check(ctx, p)
	if err := errors.Join(err, workers.Close()); err != nil {
		return err
	}
	return a.endCheck(checkreport.Summarize(c, []*campaign.Entry{e}, true))
}

// showCheck writes the programs of violations and the report.
func (a *app) showCheck(f *checkFlags, c *campaign.Campaign, entries []*campaign.Entry, results string, finished bool) error {
	s := checkreport.Summarize(c, entries, finished)
	if err := a.writeCauses(s, results); err != nil {
		return err
	}
	if f.html != "" {
		page, err := s.HTML()
		if err != nil {
			return err
		}
		if err := os.WriteFile(a.path(f.html), page, 0o666); err != nil {
			return err
		}
	}
	return a.endCheck(s)
}

// writeCauses writes the program of each group of violations, and the command that repeats it.
func (a *app) writeCauses(s *checkreport.Summary, results string) error {
	dir := strings.TrimSuffix(results, ".log") + ".cases"
	for i := range s.Causes {
		c := &s.Causes[i]
		if c.Source == "" {
			continue
		}
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
		file := filepath.Join(dir, fmt.Sprintf("%d.txtar", i+1))
		if err := os.WriteFile(file, []byte(c.Source), 0o666); err != nil {
			return err
		}
		shown := file
		if rel, err := filepath.Rel(a.Dir, file); err == nil && !strings.HasPrefix(rel, "..") {
			shown = rel
		}
		c.Repeat = "winnow check --repeat " + shown
	}
	return nil
}

// checkExits are the exit codes of the verdicts.
var checkExits = map[campaign.Verdict]Exit{
	campaign.Clean: ExitOK, campaign.Unfinished: ExitOK, campaign.Violated: ExitViolated, campaign.Crashed: ExitCrashed,
	campaign.SubjectNeverUsed: ExitSubject, campaign.NothingCompiled: ExitNothingCompiled, campaign.NothingCompared: ExitNothingCompared,
}

// endCheck shows a summary and ends with its code.
func (a *app) endCheck(s *checkreport.Summary) error {
	code, ok := checkExits[s.Judgement.Verdict]
	if !ok {
		code = ExitInternal
	}
	if a.flags.json {
		out := struct {
			Schema   int    `json:"schema"`
			Command  string `json:"command"`
			Exit     Exit   `json:"exit"`
			ExitSays string `json:"exit_says"`
			*checkreport.Summary
		}{report.Schema, "check", code, code.says(), s}
		if err := writeJSON(a.Out, out); err != nil {
			return err
		}
	} else if err := s.Text(a.Out); err != nil {
		return err
	}
	if code != ExitOK {
		return quit{code}
	}
	return nil
}
