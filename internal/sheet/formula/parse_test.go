package formula

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
)

// cases reads pairs of a line and indented lines after it from a file of
// testdata. A line with "#" and a blank is a comment.
func cases(t *testing.T, file string, use func(line int, in string, want []string)) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	n := 0
	for i := 0; i < len(lines); i++ {
		var want []string
		for i+1+len(want) < len(lines) && strings.HasPrefix(lines[i+1+len(want)], "\t") {
			want = append(want, lines[i+1+len(want)][1:])
		}
		switch {
		case len(want) > 0:
			use(i+1, lines[i], want)
			n++
		case lines[i] != "" && !strings.HasPrefix(lines[i], "# "):
			t.Errorf("%s:%d: no result for %q", file, i+1, lines[i])
		}
		i += len(want)
	}
	if n == 0 {
		t.Errorf("%s: no cases", file)
	}
}

func TestParse(t *testing.T) {
	cases(t, "parse.txt", func(line int, in string, want []string) {
		got := outcome(in)
		if got != want[0] {
			t.Errorf("parse.txt:%d: %s\n got %s\nwant %s", line, in, got, want[0])
		}
	})
}

// outcome is the tree of a formula, or its error.
func outcome(src string) string {
	f, err := Parse(src)
	var syntax *SyntaxError
	switch {
	case errors.As(err, &syntax):
		return fmt.Sprintf("%d: %s", syntax.Offset, syntax.Msg)
	case err != nil:
		return "not a SyntaxError: " + err.Error()
	}
	return tree(f.Root)
}

// tree prints a tree with its structure, which Print does not show.
func tree(n Node) string {
	symbol := strings.NewReplacer(" ", "∩", ",", "∪")
	switch n := n.(type) {
	case *Name:
		return "name " + Print(n)
	case *Table:
		return "table " + Print(n)
	case *Unary:
		return "(" + n.Op.String() + ": " + tree(n.X) + ")"
	case *Postfix:
		return "(" + n.Op.String() + " " + tree(n.X) + ")"
	case *Binary:
		return "(" + symbol.Replace(n.Op.String()) + " " + tree(n.X) + " " + tree(n.Y) + ")"
	case *Paren:
		return "(() " + tree(n.X) + ")"
	case *Call:
		name := strings.TrimSuffix(Print(&Call{Prefix: n.Prefix, Marker: n.Marker, Name: n.Name}), "()")
		return name + "[" + trees(n.Args) + "]"
	case *Invoke:
		return "(call " + tree(n.Fun) + " " + trees(n.Args) + ")"
	case *Empty:
		return "_"
	}
	return Print(n)
}

func trees(ns []Node) string {
	var s []string
	for _, n := range ns {
		s = append(s, tree(n))
	}
	return strings.Join(s, " ")
}

// TestPrecedence compares each pair of binary operators with the order that
// Excel documents, loosest last.
func TestPrecedence(t *testing.T) {
	levels := [][]string{{":"}, {" "}, {","}, {"^"}, {"*", "/"}, {"+", "-"}, {"&"}, {"=", "<>", "<", "<=", ">", ">="}}
	for i, first := range levels {
		for j, second := range levels {
			for _, a := range first {
				for _, b := range second {
					f, err := Parse("(X" + a + "Y" + b + "Z)")
					if err != nil {
						t.Fatal(err)
					}
					top := f.Root.(*Paren).X.(*Binary)
					want := b // the looser operator, or the right one of equals
					if i > j {
						want = a
					}
					if top.Op.String() != want {
						t.Errorf("X%sY%sZ: top operator is %q, want %q", a, b, top.Op, want)
					}
				}
			}
		}
	}
}

func TestLimits(t *testing.T) {
	nested := func(open, shut string, n int) string {
		return strings.Repeat(open, n) + "1" + strings.Repeat(shut, n)
	}
	tests := []struct {
		name, src, want string
	}{
		{"parentheses at limit", nested("(", ")", MaxNesting), ""},
		{"parentheses over limit", nested("(", ")", MaxNesting+1), "nested too deep"},
		{"calls at limit", nested("ABS(", ")", MaxNesting), ""},
		{"calls over limit", nested("ABS(", ")", MaxNesting+1), "nested too deep"},
		{"unclosed parentheses", strings.Repeat("(", MaxLength), "nested too deep"},
		{"prefix operators", strings.Repeat("-", MaxLength-1) + "1", ""},
		{"postfix operators", "1" + strings.Repeat("%", MaxLength-1), ""},
		{"additions", "1" + strings.Repeat("+1", MaxLength/2-1), ""},
		{"invocations", "(1)" + strings.Repeat("()", MaxLength/2-2), ""},
		{"blanks", strings.Repeat("-", MaxLength/2) + "1" + strings.Repeat(" ", MaxLength/2-2) + "%", ""},
		{"length", strings.Repeat(" ", MaxLength) + "1", "formula too long"},
		{"encoding", "\"\xff\"", "not UTF-8"},
	}
	for _, tt := range tests {
		f, err := Parse(tt.src)
		_, _, streamErr := AppendNormalRefs(nil, nil, tt.src, Cell{Row: 1, Col: 1}, Offset{})
		for _, err := range []error{err, streamErr} {
			if got := message(err); got != tt.want {
				t.Errorf("%s: error %q, want %q", tt.name, got, tt.want)
			}
		}
		if err == nil && Print(f.Root) != strings.ReplaceAll(tt.src, " ", "") {
			t.Errorf("%s: printed differently", tt.name)
		}
	}
}

func message(err error) string {
	var syntax *SyntaxError
	if errors.As(err, &syntax) {
		return syntax.Msg
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

func TestSyntaxErrorText(t *testing.T) {
	_, err := Parse("1+")
	if got, want := fmt.Sprint(err), "formula: offset 2: operand expected"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
