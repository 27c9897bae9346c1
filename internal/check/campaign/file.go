package campaign

import (
	"bufio"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"winnow/internal/check/rule"
)

// A Component makes evolving programs.
type Component string

// The components.
const (
	AutoEP    Component = "autoep"
	Cases     Component = "cases"
	DefectsEP Component = "defects"
	EvoEP     Component = "evolution"
)

var components = []Component{AutoEP, Cases, DefectsEP, EvoEP}

// Limits of what a campaign may ask for: beyond them a number is a mistake.
const (
	mostPrograms = 1 << 24
	mostTests    = 10_000
	mostWorkers  = 256
	mostLine     = 1 << 16
	mostLines    = 10_000
)

// A Campaign says what is checked. A file has a line for each of:
//
//	name        what the campaign is called
//	component   autoep, cases, defects or evolution
//	constraint  autoep: JD1 to JD10, or all
//	operator    autoep: ids of operators, or all
//	programs    autoep: programs for each constraint
//	evolving    the campaign ends when so many evolving programs were compared; 0 is all
//	each        autoep: variants of each program at most for each operator; 0 is all
//	length      autoep: lengths of tests
//	tests       autoep: tests at most for each length
//	seed        seed of everything that is drawn
//	jdk         feature version of the JDK
//	subject     names of subjects; may be repeated
//	command     NAME COMMAND...: an external tool; may be repeated
//	rule        ids of rules, or all
//	workers     JVMs at the same time
//	timeout     time for one revision of one program
//	time        time for the whole campaign; what is left is done by the next run
//	path        cases, defects, evolution: a file or directory; may be repeated
//	release     evolution: GROUP:ARTIFACT VERSION...: releases whose sources and test sources are published; may be repeated
//	dependency  evolution: GROUP:ARTIFACT:VERSION that releases need; may be repeated
//	revisions   evolution: revisions of each project
//	maven       evolution: arguments for Maven
//	loss        yes: ask an independent decoder which tests execute changed methods
//
// A # begins a comment.
type Campaign struct {
	Name        string
	Component   Component
	Constraints []string
	Operators   []string
	Programs    int
	Evolving    int
	Each        int
	Lengths     []int
	Tests       int
	Seed        uint64
	JDK         int
	Subjects    []string
	Commands    []Command
	Rules       []string
	Workers     int
	Timeout     time.Duration
	Time        time.Duration
	Paths       []string
	Releases    []Release
	Needs       []string // GROUP:ARTIFACT:VERSION of what releases depend on
	Revisions   int
	Maven       []string
	Loss        bool
}

// A Release is an artifact with several versions.
type Release struct {
	Group, Artifact string
	Versions        []string
}

// POMDependencies is what releases depend on, for a POM.
func (c *Campaign) POMDependencies() string {
	var b strings.Builder
	for _, n := range c.Needs {
		p := strings.Split(n, ":")
		fmt.Fprintf(&b, "<dependency><groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version></dependency>", p[0], p[1], p[2])
	}
	return b.String()
}

// A Command is an external tool that is run as a subject.
type Command struct {
	Name string
	Args []string
}

// defaults are the values of what a file does not mention.
func defaults() *Campaign {
	return &Campaign{Programs: 400, Lengths: []int{1, 2, 4, 100}, Tests: 50, Seed: 1, JDK: 17, Workers: 2, Timeout: 60 * time.Second, Revisions: 20}
}

// A SyntaxError is a line of a campaign file that cannot be understood.
type SyntaxError struct {
	File string
	Line int
	Says string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Says) }

// Parse reads a campaign file; name is for errors.
func Parse(name string, text []byte) (*Campaign, error) {
	p := &parser{c: defaults(), seen: map[string]bool{}}
	lines := bufio.NewScanner(strings.NewReader(string(text)))
	lines.Buffer(nil, mostLine)
	n := 0
	for lines.Scan() {
		n++
		line, _, _ := strings.Cut(lines.Text(), "#")
		if n > mostLines {
			return nil, &SyntaxError{name, n, "too many lines"}
		}
		if says := p.line(strings.Fields(line)); says != "" {
			return nil, &SyntaxError{name, n, says}
		}
	}
	if err := lines.Err(); err != nil {
		return nil, &SyntaxError{name, n + 1, err.Error()}
	}
	if says := p.finish(); says != "" {
		return nil, &SyntaxError{name, n, says}
	}
	return p.c, nil
}

type parser struct {
	c    *Campaign
	seen map[string]bool
}

// A word is a line that a file may have. It returns what is wrong with the values.
type word struct {
	name   string
	repeat bool
	set    func(c *Campaign, values []string) string
}

var words = []word{
	{"name", false, func(c *Campaign, v []string) string { c.Name = strings.Join(v, " "); return "" }},
	{"component", false, setComponent},
	{"constraint", true, func(c *Campaign, v []string) string { c.Constraints = append(c.Constraints, v...); return "" }},
	{"operator", true, func(c *Campaign, v []string) string { c.Operators = append(c.Operators, v...); return "" }},
	{"programs", false, func(c *Campaign, v []string) string { return number(&c.Programs, v, 1, mostPrograms) }},
	{"evolving", false, func(c *Campaign, v []string) string { return number(&c.Evolving, v, 0, mostPrograms) }},
	{"each", false, func(c *Campaign, v []string) string { return number(&c.Each, v, 0, mostPrograms) }},
	{"length", false, setLengths},
	{"tests", false, func(c *Campaign, v []string) string { return number(&c.Tests, v, 1, mostTests) }},
	{"seed", false, setSeed},
	{"jdk", false, func(c *Campaign, v []string) string { return number(&c.JDK, v, 8, 99) }},
	{"subject", true, func(c *Campaign, v []string) string { c.Subjects = append(c.Subjects, v...); return "" }},
	{"command", true, addCommand},
	{"rule", true, setRules},
	{"workers", false, func(c *Campaign, v []string) string { return number(&c.Workers, v, 1, mostWorkers) }},
	{"timeout", false, func(c *Campaign, v []string) string { return duration(&c.Timeout, v) }},
	{"time", false, func(c *Campaign, v []string) string { return duration(&c.Time, v) }},
	{"path", true, func(c *Campaign, v []string) string { c.Paths = append(c.Paths, v...); return "" }},
	{"release", true, addRelease},
	{"dependency", true, addNeeds},
	{"revisions", false, func(c *Campaign, v []string) string { return number(&c.Revisions, v, 2, mostPrograms) }},
	{"maven", true, func(c *Campaign, v []string) string { c.Maven = append(c.Maven, v...); return "" }},
	{"loss", false, func(c *Campaign, v []string) string { return yes(&c.Loss, v) }},
}

func wordNames() string {
	var all []string
	for _, w := range words {
		all = append(all, w.name)
	}
	return strings.Join(all, ", ")
}

// line takes one line, and returns what is wrong with it.
func (p *parser) line(fields []string) string {
	if len(fields) == 0 {
		return ""
	}
	i := slices.IndexFunc(words, func(w word) bool { return w.name == fields[0] })
	switch {
	case i < 0:
		return fmt.Sprintf("%q is no word of a campaign; want one of %s", fields[0], wordNames())
	case len(fields) == 1:
		return fmt.Sprintf("%s has no value", fields[0])
	case p.seen[fields[0]] && !words[i].repeat:
		return fmt.Sprintf("%s is there twice", fields[0])
	}
	p.seen[fields[0]] = true
	if says := words[i].set(p.c, fields[1:]); says != "" {
		return fields[0] + ": " + says
	}
	return ""
}

// finish checks the campaign as a whole.
func (p *parser) finish() string {
	c := p.c
	if len(c.Rules) == 0 {
		c.Rules = rule.IDs()
	}
	switch {
	case c.Component == "":
		return "component is missing"
	case len(c.Subjects)+len(c.Commands) == 0:
		return "there is no subject: nothing would be checked"
	case c.Component == AutoEP && len(c.Constraints) == 0:
		return "constraint is missing: JD1 to JD10, or all"
	case c.Component == AutoEP && len(c.Operators) == 0:
		return "operator is missing: ids of operators, or all"
	case (c.Component == DefectsEP || c.Component == EvoEP) && len(c.Paths)+len(c.Releases) == 0:
		return "path or release is missing: where the programs are"
	case c.Component != EvoEP && len(c.Releases) > 0:
		return "release is for the component evolution"
	}
	return twice(slices.Concat(c.Subjects, commandNames(c.Commands)))
}

func commandNames(all []Command) []string {
	var out []string
	for _, c := range all {
		out = append(out, c.Name)
	}
	return out
}

// twice finds a name that is there twice.
func twice(names []string) string {
	seen := map[string]bool{}
	for _, n := range names {
		if seen[n] {
			return fmt.Sprintf("subject %s is there twice", n)
		}
		seen[n] = true
	}
	return ""
}

func setComponent(c *Campaign, v []string) string {
	c.Component = Component(strings.ToLower(v[0]))
	if len(v) != 1 || !slices.Contains(components, c.Component) {
		return "want autoep, cases, defects or evolution"
	}
	return ""
}

// coordinates splits what has n parts with colons between, none of which can be anything but a name in a POM.
func coordinates(s string, n int) ([]string, bool) {
	parts := strings.Split(s, ":")
	plain := func(p string) bool {
		return p != "" && strings.Trim(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_") == ""
	}
	return parts, len(parts) == n && !slices.ContainsFunc(parts, func(p string) bool { return !plain(p) })
}

func addRelease(c *Campaign, v []string) string {
	p, ok := coordinates(v[0], 2)
	if !ok || len(v) < 3 {
		return "want GROUP:ARTIFACT and two or more versions"
	}
	for _, version := range v[1:] {
		if _, ok := coordinates(version, 1); !ok {
			return fmt.Sprintf("%q is no version", version)
		}
	}
	c.Releases = append(c.Releases, Release{p[0], p[1], v[1:]})
	return ""
}

func addNeeds(c *Campaign, v []string) string {
	for _, n := range v {
		if _, ok := coordinates(n, 3); !ok {
			return fmt.Sprintf("%q is not GROUP:ARTIFACT:VERSION", n)
		}
	}
	c.Needs = append(c.Needs, v...)
	return ""
}

func setLengths(c *Campaign, v []string) string {
	c.Lengths = nil
	for _, s := range v {
		var n int
		if says := number(&n, []string{s}, 1, mostTests); says != "" {
			return says
		}
		if slices.Contains(c.Lengths, n) {
			return s + " is there twice"
		}
		c.Lengths = append(c.Lengths, n)
	}
	return ""
}

func setSeed(c *Campaign, v []string) string {
	n, err := strconv.ParseUint(v[0], 10, 64)
	if err != nil || len(v) != 1 {
		return "want one number"
	}
	c.Seed = n
	return ""
}

func addCommand(c *Campaign, v []string) string {
	if len(v) < 2 {
		return "want a name and a command"
	}
	c.Commands = append(c.Commands, Command{v[0], v[1:]})
	return ""
}

func setRules(c *Campaign, v []string) string {
	if len(v) == 1 && v[0] == "all" {
		v = rule.IDs()
	}
	if _, err := rule.Find(v); err != nil {
		return err.Error()
	}
	for _, id := range v {
		if !slices.Contains(c.Rules, id) {
			c.Rules = append(c.Rules, id)
		}
	}
	return ""
}

func number(to *int, v []string, least, most int) string {
	n, err := strconv.Atoi(v[0])
	if err != nil || len(v) != 1 || n < least || n > most {
		return fmt.Sprintf("want one number from %d to %d", least, most)
	}
	*to = n
	return ""
}

func duration(to *time.Duration, v []string) string {
	d, err := time.ParseDuration(v[0])
	if err != nil || len(v) != 1 || d <= 0 || d > math.MaxInt64/2 {
		return "want a time such as 30s or 5m"
	}
	*to = d
	return ""
}

func yes(to *bool, v []string) string {
	if len(v) != 1 || v[0] != "yes" && v[0] != "no" {
		return "want yes or no"
	}
	*to = v[0] == "yes"
	return ""
}

// String writes the campaign as a file that reads the same.
func (c *Campaign) String() string {
	var b strings.Builder
	line := func(word string, values ...string) {
		if len(values) > 0 && strings.Join(values, "") != "" {
			fmt.Fprintf(&b, "%-11s %s\n", word, strings.Join(values, " "))
		}
	}
	line("name", c.Name)
	line("component", string(c.Component))
	line("constraint", c.Constraints...)
	line("operator", c.Operators...)
	line("programs", strconv.Itoa(c.Programs))
	line("evolving", strconv.Itoa(c.Evolving))
	line("each", strconv.Itoa(c.Each))
	var lengths []string
	for _, n := range c.Lengths {
		lengths = append(lengths, strconv.Itoa(n))
	}
	line("length", lengths...)
	line("tests", strconv.Itoa(c.Tests))
	line("seed", strconv.FormatUint(c.Seed, 10))
	line("jdk", strconv.Itoa(c.JDK))
	line("subject", c.Subjects...)
	for _, cmd := range c.Commands {
		line("command", append([]string{cmd.Name}, cmd.Args...)...)
	}
	line("rule", c.Rules...)
	line("workers", strconv.Itoa(c.Workers))
	line("timeout", c.Timeout.String())
	if c.Time > 0 {
		line("time", c.Time.String())
	}
	for _, p := range c.Paths {
		line("path", p)
	}
	for _, r := range c.Releases {
		line("release", append([]string{r.Group + ":" + r.Artifact}, r.Versions...)...)
	}
	line("dependency", c.Needs...)
	line("revisions", strconv.Itoa(c.Revisions))
	line("maven", c.Maven...)
	if c.Loss {
		line("loss", "yes")
	}
	return b.String()
}
