// Package config reads winnow.toml: what the tool cannot know by itself.
//
//	always = ["budget.xlsx#year end*"]     # these tests always run
//	opaque = ["report.xlsx#*"]             # these tests use something that cannot be tracked: they always run
//	ignore = ["drafts", "old/*.xlsx"]      # paths that are no part of the project
//
//	[[inputs]]                             # what tests depend on besides what is recorded
//	tests = ["budget.xlsx#*"]
//	paths = ["rates.csv", "data/"]         # a file; a directory with everything below it
//	env   = ["TZ"]
//
// In a pattern * stands for any text and ? for one character. The file is optional. A key that is not known, a pattern that
// is malformed, or a path outside the project is an error that names the line: a misspelt rule must not be ignored.
package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// FileName is the name of the file, at the project's root.
const FileName = "winnow.toml"

// A Config is the content of winnow.toml. Its zero value is that of a missing file.
type Config struct {
	Always []string `toml:"always"`
	Opaque []string `toml:"opaque"`
	Ignore []string `toml:"ignore"`
	Inputs []Inputs `toml:"inputs"`

	text string // for line numbers
}

// Inputs declares what the tests that match depend on.
type Inputs struct {
	Tests []string `toml:"tests"`
	Paths []string `toml:"paths"`
	Env   []string `toml:"env"`
}

// Load reads the file at the given path. A missing file is an empty configuration.
func Load(file string) (*Config, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return &Config{}, nil
	}
	if err != nil {
		return nil, err
	}
	c, err := Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return c, nil
}

// Parse reads the text of a configuration.
func Parse(text string) (*Config, error) {
	c := &Config{text: text}
	meta, err := toml.Decode(text, c)
	if err != nil {
		var parse toml.ParseError
		if errors.As(err, &parse) {
			return nil, fmt.Errorf("line %d: %s", parse.Position.Line, parse.Message)
		}
		return nil, err
	}
	for _, key := range meta.Undecoded() {
		return nil, c.unknownKey(key)
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	return c, nil
}

// known are the keys at the top and inside [[inputs]].
var known = map[string][]string{
	"":       {"always", "opaque", "ignore", "inputs"},
	"inputs": {"tests", "paths", "env"},
}

func (c *Config) unknownKey(key toml.Key) error {
	table := strings.Join(key[:len(key)-1], ".")
	name := key[len(key)-1]
	msg := fmt.Sprintf("line %d: unknown key %q", c.line(name), key.String())
	if near := Nearest(name, known[table]); near != "" {
		msg += fmt.Sprintf("; did you mean %q?", near)
	} else {
		msg += "; known keys are " + strings.Join(known[table], ", ")
	}
	return errors.New(msg)
}

// line returns the first line that mentions a text, for messages.
func (c *Config) line(text string) int {
	n := 0
	for line := range strings.Lines(c.text) {
		n++
		if i := strings.Index(line, text); i >= 0 && !strings.Contains(line[:i], "#") {
			return n
		}
	}
	return 1
}

func (c *Config) check() error {
	lists := [][]string{c.Always, c.Opaque, c.Ignore}
	for i, in := range c.Inputs {
		if len(in.Tests) == 0 {
			return fmt.Errorf("[[inputs]] number %d names no tests; write tests = [\"*\"] for all of them", i+1)
		}
		if len(in.Paths) == 0 && len(in.Env) == 0 {
			return fmt.Errorf("[[inputs]] number %d names neither paths nor env", i+1)
		}
		lists = append(lists, in.Tests)
		for _, p := range in.Paths {
			if !filepath.IsLocal(filepath.FromSlash(p)) {
				return fmt.Errorf("line %d: path %q is not inside the project", c.line(p), p)
			}
		}
	}
	for _, list := range lists {
		for _, p := range list {
			if p == "" {
				return errors.New("an empty pattern matches nothing; remove it")
			}
		}
	}
	return nil
}

// Matching returns the first pattern that matches name and its line, or "".
func (c *Config) Matching(patterns []string, name string) (pattern string, line int) {
	for _, p := range patterns {
		if Match(p, name) {
			return p, c.line(p)
		}
	}
	return "", 0
}

// Idle returns a sentence for each pattern that matches none of the tests: it may be misspelt.
func (c *Config) Idle(tests []string) []string {
	var out []string
	check := func(key string, patterns []string) {
		for _, p := range patterns {
			if !slices.ContainsFunc(tests, func(t string) bool { return Match(p, t) }) {
				out = append(out, fmt.Sprintf("%s:%d: %s %q matches no test", FileName, c.line(p), key, p))
			}
		}
	}
	check("always", c.Always)
	check("opaque", c.Opaque)
	for _, in := range c.Inputs {
		check("inputs for", in.Tests)
	}
	return out
}

// Ignores tells whether a path, relative to the root and with slashes, is no part of the project: it or a directory above it matches.
func (c *Config) Ignores(rel string) bool {
	for p := rel; p != "." && p != "/"; p = path.Dir(p) {
		for _, pattern := range c.Ignore {
			if Match(strings.TrimSuffix(pattern, "/"), p) {
				return true
			}
		}
	}
	return false
}

// Match tells whether a pattern matches the whole of a name. It takes time in proportion to the product of their lengths at worst.
func Match(pattern, name string) bool {
	p, n, star, mark := 0, 0, -1, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == name[n]) && pattern[p] != '*':
			p++
			n++
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, n
			p++
		case star >= 0:
			mark++
			p, n = star+1, mark
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}
