package maven

import (
	"fmt"
	"strings"
)

// An Action is what becomes of a test execution.
type Action string

// The actions. The zero value leaves the execution as it is.
const (
	Unchanged   Action = ""     // run as without Winnow
	WithOptions Action = "run"  // run with JVM options in front of the user's
	Skip        Action = "skip" // run no test of this execution
	Fail        Action = "fail" // fail the build
)

// An Answer says what becomes of a test execution.
type Answer struct {
	Action  Action
	Options []string    // JVM options to put before all others, each unquoted
	Set     []Parameter // top-level parameters of the plug-in to set, for this execution only
	Reason  Reason      // why it runs unchanged, or would without Options.NoTests
	Text    string      // for people; in Maven's output unless the action is WithOptions
}

// check refuses what would not reach the tests as it is: Maven evaluates expressions in the line of options and Surefire splits it at spaces
// and quotes. It has no way to write a dollar sign or a quote.
func (a Answer) check() error {
	for _, option := range a.Options {
		if option == "" || strings.ContainsAny(option, "$\"'\n\r\t") || strings.Contains(option, "@{") {
			return fmt.Errorf("JVM option %q cannot be handed to Surefire", option)
		}
	}
	for _, p := range a.Set {
		if p.Path == "" || strings.ContainsAny(p.Path, "=/ ") || strings.Contains(p.Value, "$") {
			return fmt.Errorf("parameter %q cannot be set", p)
		}
	}
	if a.Action == WithOptions && len(a.Options) == 0 {
		return fmt.Errorf("no JVM options to put in front")
	}
	return nil
}

func (a Answer) message(id string) message {
	kind := string(a.Action)
	if a.Action == Unchanged {
		kind = "unchanged"
	}
	m := newMessage(kind)
	m.add("id", id)
	for _, option := range a.Options {
		m.add("option", option)
	}
	for _, p := range a.Set {
		m.add("set", p.String())
	}
	text := a.Text
	if text == "" {
		text = string(a.Reason)
	}
	m.add("reason", text)
	return m
}
