package inspect

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
)

// A Style paints text, or does not.
type Style interface {
	Bold(string) string
	Dim(string) string
	Red(string) string
	Green(string) string
	Yellow(string) string
}

// A writer writes lines. Text from class files is made harmless before it is painted.
type writer struct {
	w     io.Writer
	style Style
	err   error
}

// An ink is text that is ready for the terminal.
type ink string

func (w *writer) bold(s string) ink   { return ink(w.style.Bold(harmless(s))) }
func (w *writer) dim(s string) ink    { return ink(w.style.Dim(harmless(s))) }
func (w *writer) red(s string) ink    { return ink(w.style.Red(harmless(s))) }
func (w *writer) green(s string) ink  { return ink(w.style.Green(harmless(s))) }
func (w *writer) yellow(s string) ink { return ink(w.style.Yellow(harmless(s))) }

// op paints text by the sign of a difference.
func (w *writer) op(sign, s string) ink {
	switch sign {
	case "+":
		return w.green(s)
	case "-":
		return w.red(s)
	case "~":
		return w.yellow(s)
	case "…":
		return w.dim(s)
	}
	return ink(harmless(s))
}

// line writes one line, without blanks at its end.
func (w *writer) line(format string, args ...any) {
	if w.err != nil {
		return
	}
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = harmless(s)
		}
	}
	_, w.err = fmt.Fprintln(w.w, strings.TrimRight(fmt.Sprintf(format, args...), " "))
}

// harmless writes what a terminal could take for a command as an escape.
func harmless(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
	}
	return b.String()
}

// pad fills text to a width.
func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-len([]rune(s))))
}

// widest is the width of the widest of some texts, at most a limit.
func widest[T any](list []T, limit int, text func(T) string) int {
	n := 0
	for _, x := range list {
		n = max(n, len([]rune(harmless(text(x)))))
	}
	return min(n, limit)
}

// short cuts a digest for people, unless all is asked for.
func short(digest string, all bool) string {
	if all || len(digest) < 16 {
		return digest
	}
	return digest[:8]
}

// item writes a line with a word in front.
func (w *writer) item(word, format string, args ...any) {
	w.line("%s%s", append([]any{w.bold(pad(word, 12))}, ink(w.sprintf(format, args...)))...)
}

func (w *writer) sprintf(format string, args ...any) string {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = harmless(s)
		}
	}
	return fmt.Sprintf(format, args...)
}

func (w *writer) notes(notes []string) {
	for _, n := range notes {
		w.line("%s %s", w.yellow("note"), n)
	}
}

func (w *writer) unreadable(list []Unreadable) {
	for _, u := range list {
		w.line("%s %s", w.red("unreadable"), u.String())
	}
}

// some writes the first of a list, and how many there are more.
func some[T any](w *writer, list []T, all bool, line func(T)) {
	const shown = 10
	for i, x := range list {
		if i == shown && !all && len(list) > shown+1 {
			w.line("  %s", w.dim(fmt.Sprintf("… and %d more; --all shows them", len(list)-shown)))
			return
		}
		line(x)
	}
}
