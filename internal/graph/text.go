package graph

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// The printed form has a line for the start node and a line for each node in
// order, with its edges in the order of their labels:
//
//	start 0
//	0: F->2 T->1
//	1: *->2
//	2:
//
// A label of letters, digits, '_', '.' and '*' stands as it is; any other is
// quoted as in Go. Since each node has a line, the text bounds the graph.

// Format returns the printed form of g. Labels that are not strings are
// printed with fmt.Sprint.
func Format[L cmp.Ordered](g Graph[L]) string {
	var b strings.Builder
	fmt.Fprintf(&b, "start %d\n", g.Start())
	for v := range int32(g.NumNodes()) {
		fmt.Fprintf(&b, "%d:", v)
		for _, e := range g.Out(v) {
			b.WriteByte(' ')
			b.WriteString(e.String())
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// String returns the printed form of g.
func (g *Static[L]) String() string { return Format[L](g) }

// String returns the printed form of e.
func (e Edge[L]) String() string {
	label := fmt.Sprint(e.Label)
	if !isPlain(label) {
		label = strconv.Quote(label)
	}
	return label + "->" + strconv.Itoa(int(e.To))
}

func isPlain(label string) bool {
	return label != "" && plainPrefix(label) == len(label)
}

// plainPrefix returns how many bytes of s may stand in a label without quotes.
func plainPrefix(s string) int {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_', c == '.', c == '*':
		default:
			return i
		}
	}
	return len(s)
}

// Parse reads the printed form of a graph with string labels. Empty lines,
// additional blanks and edges in any order are accepted.
func Parse(text string) (*Static[string], error) {
	var b Builder[string]
	start, seenStart := int32(0), false
	line := 0
	for s := range strings.Lines(text) {
		line++
		s = strings.TrimSpace(s)
		if s == "" {
			continue
		}
		var err error
		if !seenStart {
			start, err = parseStart(s)
			seenStart = true
		} else {
			err = parseNode(&b, s)
		}
		if err != nil {
			return nil, fmt.Errorf("%w: line %d: %w", ErrMalformed, line, err)
		}
	}
	if !seenStart {
		return nil, fmt.Errorf("%w: no start line", ErrMalformed)
	}
	return b.Build(start)
}

func parseStart(s string) (int32, error) {
	rest, ok := strings.CutPrefix(s, "start ")
	if !ok {
		return 0, fmt.Errorf("want %q and a node number", "start ")
	}
	return parseNumber(strings.TrimSpace(rest))
}

func parseNode(b *Builder[string], s string) error {
	number, rest, ok := strings.Cut(s, ":")
	if !ok {
		return fmt.Errorf("no colon after the node number")
	}
	v, err := parseNumber(number)
	if err != nil {
		return err
	}
	if want := b.Node(); v != want {
		return fmt.Errorf("node %d where node %d is due", v, want)
	}
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
		if rest, err = parseEdge(b, v, rest); err != nil {
			return err
		}
	}
	return nil
}

// parseEdge reads one edge of node v and returns what follows it.
func parseEdge(b *Builder[string], v int32, s string) (string, error) {
	label, rest, err := parseLabel(s)
	if err != nil {
		return "", err
	}
	rest, ok := strings.CutPrefix(rest, "->")
	if !ok {
		return "", fmt.Errorf("no arrow after label %q", label)
	}
	number := rest
	if i := strings.IndexAny(rest, " \t"); i >= 0 {
		number, rest = rest[:i], rest[i:]
	} else {
		rest = ""
	}
	to, err := parseNumber(number)
	if err != nil {
		return "", err
	}
	b.Edge(v, label, to)
	return rest, nil
}

func parseLabel(s string) (label, rest string, err error) {
	if !strings.HasPrefix(s, `"`) {
		n := plainPrefix(s)
		if n == 0 {
			return "", "", fmt.Errorf("no label at %q", s)
		}
		return s[:n], s[n:], nil
	}
	quoted, err := strconv.QuotedPrefix(s)
	if err != nil {
		return "", "", fmt.Errorf("label at %q: %w", s, err)
	}
	if label, err = strconv.Unquote(quoted); err != nil {
		return "", "", fmt.Errorf("label %s: %w", quoted, err)
	}
	return label, s[len(quoted):], nil
}

func parseNumber(s string) (int32, error) {
	n, err := strconv.ParseInt(s, 10, 32)
	if err != nil {
		return 0, fmt.Errorf("node number: %w", err)
	}
	return int32(n), nil
}
