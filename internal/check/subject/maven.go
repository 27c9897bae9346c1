package subject

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"winnow/internal/check/rule"
	"winnow/internal/jvm/surefire"
)

// A Setup is what a generated Maven project is built with. Tools work with some of them only.
type Setup struct {
	Surefire string // version
	Release  int    // of class files
}

// usual is what Winnow and the baseline get.
var usual = Setup{Surefire: "3.5.6", Release: 17}

// A Tool is a program that is started in the directory of a Maven project.
type Tool struct {
	Description
	Setup
	// Command is what is started, the program first. The arguments of Maven for the project are appended.
	Command []string
	Env     []string
	// Reads gets what the program wrote to its standard output and says what it selected; nil means that it tells nothing, and what ran was selected.
	Reads func(output []byte) (*Told, error)
	// Fine are exit codes that are no crash.
	Fine []int
	// Refuses says why the tool cannot work on a project, "" if it can.
	Refuses func(w *Workspace) string
	// Sign is a text that the tool prints if it is at work, such as a goal of its plug-in: without it, the build is not the tool's, and nothing can be said about it.
	Sign string
}

// Told is what a tool says that it did, by "module!test".
type Told struct {
	Selected map[string]string // why
	Excepted map[string]string
}

// Describe says what it is.
func (t *Tool) Describe() Description { return t.Description }

// A Workspace is one or more evolving programs as modules of one Maven project, for one tool.
type Workspace struct {
	Dir string
	// Modules are the directories of the programs; none if the project is one program.
	Modules []string
	// Put brings a revision into the directory.
	Put func(ctx context.Context, setup Setup, r int) error
	// Args are for Maven.
	Args []string
	// Generated: the POM is ours, so a tool gets the setup that it needs.
	Generated bool
	Timeout   time.Duration
	// Log gets what the tools print.
	Log func(tool string, r int, output []byte) error
}

// A Timed is a step with the time of the whole project, of which the program may be one module among others.
type Timed struct {
	rule.Step
	Took time.Duration
}

// Steps runs a tool on all revisions. It returns one list of steps for each module.
func (t *Tool) Steps(ctx context.Context, w *Workspace, revisions int) ([][]Timed, error) {
	out := make([][]Timed, max(len(w.Modules), 1))
	if t.Refuses != nil {
		if why := t.Refuses(w); why != "" {
			for i := range out {
				out[i] = slices.Repeat([]Timed{{Step: rule.Step{NotApplicable: why}}}, revisions)
			}
			return out, nil
		}
	}
	for r := range revisions {
		steps, took, err := t.step(ctx, w, r)
		if err != nil {
			return nil, fmt.Errorf("%s at revision %d: %w", t.Name, r, err)
		}
		for i := range out {
			out[i] = append(out[i], Timed{steps[i], took})
		}
	}
	return out, nil
}

// step runs a tool on one revision.
func (t *Tool) step(ctx context.Context, w *Workspace, r int) (steps []rule.Step, took time.Duration, err error) {
	if err := w.Put(ctx, t.Setup, r); err != nil {
		return nil, 0, err
	}
	if err := surefire.Remove(w.Dir); err != nil {
		return nil, 0, err
	}
	start := time.Now()
	stdout, all, code, err := t.run(ctx, w)
	took = time.Since(start)
	if err != nil {
		return nil, 0, err
	}
	if w.Log != nil {
		if err := w.Log(t.Name, r, all); err != nil {
			return nil, 0, err
		}
	}
	if says := t.crash(code, all); says != "" {
		return w.crashed(says), took, nil
	}
	ended, err := readReports(w.Dir)
	if err != nil {
		return nil, 0, err
	}
	told := &Told{}
	if t.Reads != nil {
		if told, err = t.Reads(stdout); err != nil {
			return w.crashed(err.Error()), took, nil
		}
	}
	for i := range max(len(w.Modules), 1) {
		steps = append(steps, w.stepOf(i, ended, told, t.Reads != nil))
	}
	return steps, took, nil
}

func (w *Workspace) crashed(says string) []rule.Step {
	return slices.Repeat([]rule.Step{{Crash: says}}, max(len(w.Modules), 1))
}

// stepOf makes the step of one module.
func (w *Workspace) stepOf(i int, ended map[string]rule.Outcome, told *Told, tells bool) rule.Step {
	prefix := ""
	if len(w.Modules) > 0 {
		prefix = w.Modules[i] + "!"
	}
	mine := func(id string) (string, bool) {
		if prefix == "" {
			return id, true
		}
		return strings.CutPrefix(id, prefix)
	}
	s := rule.Step{Outcomes: map[string]rule.Outcome{}, Excepted: map[string]string{}, Causes: map[string]string{}}
	for id, o := range ended {
		if name, ok := mine(id); ok {
			s.Outcomes[name] = o
		}
	}
	for id, why := range told.Selected {
		if name, ok := mine(id); ok {
			s.Selected, s.Causes[name] = append(s.Selected, name), why
		}
	}
	for id, why := range told.Excepted {
		if name, ok := mine(id); ok {
			s.Excepted[name] = why
		}
	}
	if !tells {
		s.Selected = s.Executed()
	}
	slices.Sort(s.Selected)
	return s
}

// crash says how the program broke down, "" if it did not.
func (t *Tool) crash(code int, output []byte) string {
	switch {
	case code == timedOut:
		return "did not end in time"
	case code != 0 && !slices.Contains(t.Fine, code):
		return fmt.Sprintf("exit %d: %s", code, complaint(output))
	case !t.atWork(output):
		return "it was not at work: it did not print " + t.Sign
	}
	return ""
}

// atWork looks for the sign. From 3.9 on Maven names a goal by the prefix of its plug-in.
func (t *Tool) atWork(output []byte) bool {
	return bytes.Contains(output, []byte(t.Sign)) || bytes.Contains(output, []byte("--- "+strings.Replace(t.Sign, "-maven-plugin:", ":", 1)))
}

// complaint is the first line of an output that tells of an error.
func complaint(output []byte) string {
	lines := strings.Split(string(output), "\n")
	for _, mark := range []string{"[ERROR] ", "winnow: ", "rror"} {
		for _, line := range lines {
			if i := strings.Index(line, mark); i >= 0 {
				return strings.TrimSpace(line[:min(len(line), 300)])
			}
		}
	}
	return "no message"
}

// timedOut is no exit code.
const timedOut = -1

// run starts the program and waits for it. Its children end with it.
func (t *Tool) run(ctx context.Context, w *Workspace) (stdout, all []byte, code int, err error) {
	limit := w.Timeout
	if limit <= 0 {
		limit = time.Hour
	}
	inner, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	args := append(slices.Clone(t.Command[1:]), w.Args...)
	cmd := exec.CommandContext(inner, t.Command[0], args...)
	cmd.Dir = w.Dir
	cmd.Env = append(os.Environ(), t.Env...)
	var out bytes.Buffer
	var both transcript
	cmd.Stdout, cmd.Stderr = io.MultiWriter(&out, &both), &both
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, nil, 0, ctx.Err()
	case inner.Err() != nil:
		return out.Bytes(), both.text.Bytes(), timedOut, nil
	case errors.As(err, &exit):
		return out.Bytes(), both.text.Bytes(), exit.ExitCode(), nil
	case err != nil:
		return nil, nil, 0, fmt.Errorf("starting %s: %w", t.Command[0], err)
	}
	return out.Bytes(), both.text.Bytes(), 0, nil
}

// A transcript takes what two streams write.
type transcript struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (t *transcript) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.Write(p)
}

// document is the part of Winnow's JSON that is compared with what happened.
type document struct {
	Error string `json:"error"`
	Tests []struct {
		ID       string `json:"id"`
		Selected bool   `json:"selected"`
		Outcome  string `json:"outcome"`
		Reasons  []struct {
			Code   string `json:"code"`
			Name   string `json:"name"`
			Detail string `json:"detail"`
		} `json:"reasons"`
	} `json:"tests"`
}

// readWinnow reads what Winnow's command line says.
func readWinnow(output []byte) (*Told, error) {
	var d document
	if err := json.Unmarshal(output, &d); err != nil {
		return nil, fmt.Errorf("what winnow printed is no JSON: %w", err)
	}
	if d.Error != "" {
		return nil, fmt.Errorf("winnow: %s", d.Error)
	}
	told := &Told{map[string]string{}, map[string]string{}}
	for _, t := range d.Tests {
		if !t.Selected || t.Outcome == "skipped" { // what was skipped did not run; see readReports
			continue
		}
		why := ""
		if len(t.Reasons) > 0 {
			why = strings.TrimSpace(t.Reasons[0].Code + " " + t.Reasons[0].Name + " " + t.Reasons[0].Detail)
		}
		id := t.ID
		if class, method, ok := strings.Cut(id, "#"); ok {
			method, _, _ = strings.Cut(method, ":") // the framework behind it is not in Surefire's reports
			id = surefire.Test(class, method)
		}
		told.Selected[id] = why
		for _, r := range t.Reasons {
			if r.Code == "external" || r.Code == "opaque" || r.Code == "failed-last" {
				told.Excepted[id] = why
			}
		}
	}
	return told, nil
}

// readReports returns the tests that ran with how they ended: the worst of several invocations counts. What was skipped did not run.
func readReports(root string) (map[string]rule.Outcome, error) {
	out := map[string]rule.Outcome{}
	cases, err := surefire.Read(root)
	for _, c := range cases {
		if c.Result == surefire.Skipped {
			continue
		}
		o := out[c.Test]
		o.Failed = o.Failed || c.Result.Bad()
		out[c.Test] = o
	}
	return out, err
}
