package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"winnow/internal/jvm/surefire"
)

// A coverage says which methods, "class TAB method", each session executed.
type coverage map[string][]string

func readCoverage(file string) (coverage, error) {
	var names []string
	all := coverage{}
	err := eachLine(file, func(line string) error {
		kind, rest, _ := strings.Cut(line, " ")
		if kind == "M" {
			names = append(names, rest)
		}
		if kind != "S" {
			return nil
		}
		words := strings.Fields(rest)
		if len(words) == 0 {
			return fmt.Errorf("no session in %q", line)
		}
		methods := []string{}
		for _, word := range words[1:] {
			n, err := strconv.Atoi(word)
			if err != nil || n < 0 || n >= len(names) {
				return fmt.Errorf("no method %q", word)
			}
			methods = append(methods, names[n])
		}
		all[words[0]] = methods
		return nil
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// write writes what readCoverage reads.
func (c coverage) write(to string) error {
	text := to + ".text"
	f, err := os.Create(text)
	if err != nil {
		return err
	}
	defer os.Remove(text)
	out, numbers := bufio.NewWriter(f), map[string]int{}
	for _, session := range sorted(c) {
		line := "S " + session
		for _, method := range c[session] {
			n, ok := numbers[method]
			if !ok {
				n = len(numbers)
				numbers[method] = n
				fmt.Fprintln(out, "M "+method)
			}
			line += " " + strconv.Itoa(n)
		}
		fmt.Fprintln(out, line)
	}
	if err := errors.Join(out.Flush(), f.Close()); err != nil {
		return err
	}
	return compress(text, to)
}

// classes are those in which a session executed something.
func (c coverage) classes(session string) map[string]bool {
	all := map[string]bool{}
	for _, method := range c[session] {
		class, _, _ := strings.Cut(method, "\t")
		all[class] = true
	}
	return all
}

// changedClasses returns the classes whose files differ, and whether one of them can matter to code in which JaCoCo sees nothing of it.
func changedClasses(old, new bodies) (classes map[string]bool, wide bool) {
	classes = map[string]bool{}
	for _, side := range [][2]bodies{{old, new}, {new, old}} {
		for key, digests := range side[0] {
			class, what, _ := strings.Cut(key, "\t")
			if !strings.HasPrefix(what, "(class)") && !strings.HasPrefix(what, "(interface)") || slices.Equal(digests, side[1][key]) {
				continue
			}
			classes[class] = true
			wide = wide || what == "(interface)" || class == "module-info"
		}
	}
	return classes, wide
}

// harmless tells whether a file can matter to a test only by way of class files, or not at all.
func harmless(file string) bool {
	for _, dir := range []string{".github/", "docs/", "src/site/", "src/changes/", "release-notes/"} {
		if strings.HasPrefix(file, dir) {
			return true
		}
	}
	if strings.Contains(file, "/resources/") {
		return false
	}
	base := path.Base(file)
	return slices.Contains([]string{".java", ".kt", ".groovy", ".scala", ".md"}, path.Ext(base)) || base == "RELEASE-NOTES.txt"
}

// A prior is what is known of test classes from an earlier revision, and still holds.
type prior struct {
	covered  coverage
	sessions map[string][]string // test classes
}

// prior returns what holds of a revision at a later one. The classes of both are known.
func (p place) prior(ctx context.Context, before, now int, rev string) (prior, error) {
	none := prior{coverage{}, map[string][]string{}}
	if now == 0 {
		return none, nil
	}
	judged, err := load(p.result(name(before, "judge")))
	if err != nil {
		return none, err
	}
	files, err := git(ctx, p.Clone, "diff", "--name-only", "--no-renames", judged.Revision, rev)
	if err != nil {
		return none, err
	}
	for file := range strings.Lines(files) {
		if !harmless(strings.TrimSpace(file)) {
			return none, nil
		}
	}
	old, err := readBodies(p.data(name(before, "plain-methods")))
	if err != nil {
		return none, err
	}
	new, err := readBodies(p.data(name(now, "plain-methods")))
	if err != nil {
		return none, err
	}
	covered, err := readCoverage(p.data(name(before, "judge-executed")))
	if err != nil {
		return none, err
	}
	changed, wide := changedClasses(old, new)
	if wide {
		return none, nil
	}
	return prior{covered, judged.Sessions}.without(changed), nil
}

// without leaves out the test classes that executed something in a changed class.
func (p prior) without(changed map[string]bool) prior {
	stale := map[string]bool{}
	for session, tests := range p.sessions {
		for class := range p.covered.classes(session) {
			if changed[class] {
				for _, test := range tests {
					stale[test] = true
				}
			}
		}
	}
	return p.only(func(test string) bool { return !stale[test] })
}

// only keeps some test classes.
func (p prior) only(keep func(test string) bool) prior {
	kept := prior{coverage{}, map[string][]string{}}
	for session, tests := range p.sessions {
		for _, test := range tests {
			if keep(test) {
				kept.sessions[session] = append(kept.sessions[session], test)
				kept.covered[session] = p.covered[session]
			}
		}
	}
	return kept
}

func (p prior) tests() map[string]bool {
	all := map[string]bool{}
	for _, tests := range p.sessions {
		for _, test := range tests {
			all[test] = true
		}
	}
	return all
}

// underJudge runs test classes one JVM each, as far as it is not known what they execute, and keeps what was executed.
func (p place) underJudge(ctx context.Context, i, before int, rev string) (*step, error) {
	plain, err := load(p.result(name(i, "plain")))
	if err != nil {
		return nil, err
	}
	known, err := p.prior(ctx, before, i, rev)
	if err != nil {
		return nil, err
	}
	present, had := outermostOf(plain.Outcomes.ran()), known.tests()
	known = known.only(func(test string) bool { return present[test] })
	wanted := maps.Clone(present)
	maps.DeleteFunc(wanted, func(test string, _ bool) bool { return had[test] })
	s, more, err := p.judged(ctx, i, rev, wanted, len(wanted) == len(present))
	if err != nil || s.Broken {
		return s, err
	}
	s.Again = len(wanted)
	maps.Copy(more.covered, known.covered)
	maps.Copy(more.sessions, known.sessions)
	s.Sessions = more.sessions
	return s, more.covered.write(p.data(name(i, "judge-executed")))
}

// judged runs test classes under the judge. Where the names do not reach all of them, it runs all there are.
func (p place) judged(ctx context.Context, i int, rev string, wanted map[string]bool, all bool) (*step, prior, error) {
	if len(wanted) == 0 {
		return &step{Outcomes: outcomes{}}, prior{coverage{}, map[string][]string{}}, nil
	}
	root, execs := p.clone("judge"), filepath.Join(p.dir, "execs", p.Name)
	if err := errors.Join(checkout(ctx, p.Clone, root, rev), surefire.Remove(root), os.RemoveAll(execs), os.MkdirAll(execs, 0o777)); err != nil {
		return nil, prior{}, err
	}
	classes, err := readBodies(p.data(name(i, "plain-methods")))
	if err != nil {
		return nil, prior{}, err
	}
	label, options := name(i, "judge"), p.judge.options(execs, classes.patterns())
	if !all {
		options = append(options, "-Dtest="+strings.Join(classNames(wanted), ","), "-Dsurefire.failIfNoSpecifiedTests=false", "-DfailIfNoTests=false")
	}
	f, err := command{dir: root, log: p.log(label), args: p.mvn(append(options, "test")...)}.run(ctx)
	if err != nil {
		return nil, prior{}, err
	}
	s := &step{finished: f, Broken: f.Exit != 0}
	if s.Broken {
		return s, prior{}, nil
	}
	if err := p.judge.executed(ctx, root, execs, p.log(label+"-executed"), p.data(label+"-executed")); err != nil {
		return nil, prior{}, err
	}
	covered, err := readCoverage(p.data(label + "-executed"))
	if err != nil {
		return nil, prior{}, err
	}
	r, err := readReports(root)
	if err != nil {
		return nil, prior{}, err
	}
	s.Outcomes = r.outcomes
	found := prior{covered, map[string][]string{}}
	for id, classes := range r.sessions {
		found.sessions[id] = sorted(classes)
	}
	if reached := found.tests(); !all && !within(wanted, reached) {
		return p.judged(ctx, i, rev, wanted, true)
	}
	return s, found, os.RemoveAll(execs)
}

func within(part, whole map[string]bool) bool {
	for key := range part {
		if !whole[key] {
			return false
		}
	}
	return true
}

// classNames are test classes as Surefire knows them.
func classNames(tests map[string]bool) []string {
	all := map[string]bool{}
	for test := range tests {
		_, class, ok := strings.Cut(test, "!")
		if !ok {
			class = test
		}
		all[class] = true
	}
	return sorted(all)
}
