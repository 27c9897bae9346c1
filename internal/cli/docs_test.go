package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

func readManual(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// manualSection returns a section of docs/cli.md.
func manualSection(t *testing.T, title string) string {
	t.Helper()
	_, section, ok := strings.Cut(readManual(t), "\n## "+title+"\n")
	if !ok {
		t.Fatalf("docs/cli.md has no section %q", title)
	}
	section, _, _ = strings.Cut(section, "\n## ")
	return section
}

// newRoot is the command tree with what the library adds to it.
func newRoot() *cobra.Command {
	a := &app{Machine: Machine{Out: io.Discard, Err: io.Discard, Getenv: func(string) string { return "" }}}
	root := a.root()
	root.InitDefaultCompletionCmd()
	return root
}

func TestManualListsExitCodes(t *testing.T) {
	var got, want []string
	for _, row := range regexp.MustCompile(`(?m)^\| (\d+) \| (.*) \|$`).FindAllStringSubmatch(manualSection(t, "Exit codes"), -1) {
		got = append(got, row[1]+" "+row[2])
	}
	for _, x := range exits {
		want = append(want, fmt.Sprint(int(x.Code), " ", x.Says))
		if x.Code.says() != x.Says {
			t.Errorf("code %d says %q", x.Code, x.Code.says())
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("docs/cli.md has\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	topic := exitCodesTopic().Long
	for _, x := range exits {
		if !strings.Contains(topic, fmt.Sprintf("%4d  %s\n", x.Code, x.Says)) {
			t.Errorf("`winnow help exit-codes` does not have %d", x.Code)
		}
	}
	if s := Exit(77).says(); s != "" {
		t.Errorf("a code that does not exist says %q", s)
	}
}

// commandNames returns the names of the commands that can be run, without those that cobra hides.
func commandNames(c *cobra.Command) []string {
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() && sub.Name() != "help" {
			names = append(names, sub.Name())
		}
	}
	slices.Sort(names)
	return names
}

func TestManualListsCommands(t *testing.T) {
	list, _, ok := strings.Cut(readManual(t), "\n`winnow COMMAND --help`")
	if !ok {
		t.Fatal("docs/cli.md has no list of commands")
	}
	root := newRoot()
	var names []string
	for _, row := range regexp.MustCompile(`(?m)^    winnow (\S+)(?: (\S+))?`).FindAllStringSubmatch(list, -1) {
		names = append(names, row[1])
		if c, _, err := root.Find([]string{row[1]}); err == nil && c.HasAvailableSubCommands() {
			subs := strings.Split(row[2], "|")
			if slices.Sort(subs); !slices.Equal(subs, commandNames(c)) {
				t.Errorf("winnow %s: docs/cli.md has %v, want %v", row[1], subs, commandNames(c))
			}
		}
	}
	slices.Sort(names)
	if want := commandNames(root); !slices.Equal(names, want) {
		t.Errorf("docs/cli.md has the commands %v, want %v", names, want)
	}
}

var flagName = regexp.MustCompile(`(?m)^ +(?:-\w, |    )--([a-z-]+)(.*)`)

// TestManualListsFlags checks that every flag of every command is in docs/cli.md or in the help of its command, and that docs/cli.md has no
// other flag. Hidden flags are in no usage text.
func TestManualListsFlags(t *testing.T) {
	section := manualSection(t, "Flags")
	known := map[string]bool{}
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		var help bytes.Buffer
		c.SetOut(&help)
		if err := c.Help(); err != nil {
			t.Fatal(err)
		}
		for _, f := range flagName.FindAllStringSubmatch(c.LocalFlags().FlagUsages()+c.InheritedFlags().FlagUsages(), -1) {
			known[f[1]] = true
			if !strings.Contains(section, "`--"+f[1]) && !strings.Contains(help.String(), "--"+f[1]) {
				t.Errorf("%s: neither docs/cli.md nor the help has --%s", c.CommandPath(), f[1])
			}
			if len(strings.Fields(f[2])) < 2 {
				t.Errorf("%s: --%s has no description", c.CommandPath(), f[1])
			}
		}
		for _, sub := range c.Commands() {
			visit(sub)
		}
	}
	visit(newRoot())
	rows := regexp.MustCompile("(?m)^\\| `--([a-z-]+)").FindAllStringSubmatch(section, -1)
	if len(rows) < 5 || len(known) < len(rows) {
		t.Fatalf("%d flags in docs/cli.md, %d in the program", len(rows), len(known))
	}
	for _, row := range rows {
		if !known[row[1]] {
			t.Errorf("docs/cli.md has --%s, which no command has", row[1])
		}
	}
}
