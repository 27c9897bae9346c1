package evolve

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A tokenKind is what a token is.
type tokenKind uint8

const (
	word   tokenKind = iota // identifiers, keywords
	number                  // literals of numbers
	quoted                  // characters, strings, text blocks
	sign                    // everything else, one character each, but for -> and ::
	end
)

// A token is a piece of source text. White space and comments are no tokens; spaced says that there was some before.
type token struct {
	kind   tokenKind
	text   string
	spaced bool
	line   int
}

// A SyntaxError says why a source was not understood.
type SyntaxError struct {
	Line   int
	Detail string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Detail) }

// lex splits a source into tokens; the last one is the end.
func lex(src string) ([]token, error) {
	l := &lexer{src: src, line: 1}
	if !utf8.ValidString(src) {
		return nil, &SyntaxError{1, "the source is not UTF-8"}
	}
	var out []token
	for {
		spaced, err := l.space()
		if err != nil {
			return nil, err
		}
		line := l.line
		kind, text, err := l.next()
		if err != nil {
			return nil, err
		}
		out = append(out, token{kind, text, spaced, line})
		if kind == end {
			return out, nil
		}
	}
}

type lexer struct {
	src  string
	at   int
	line int
}

func (l *lexer) rest() string { return l.src[l.at:] }

// take moves on by some bytes.
func (l *lexer) take(n int) string {
	text := l.src[l.at : l.at+n]
	l.at += n
	l.line += strings.Count(text, "\n")
	return text
}

// space skips white space and comments.
func (l *lexer) space() (bool, error) {
	from := l.at
	for {
		rest := l.rest()
		trimmed := strings.TrimLeft(rest, " \t\r\n\f")
		l.take(len(rest) - len(trimmed))
		switch {
		case strings.HasPrefix(trimmed, "//"):
			l.take(len(trimmed) - len(strings.TrimLeftFunc(trimmed, func(r rune) bool { return r != '\n' && r != '\r' })))
		case strings.HasPrefix(trimmed, "/*"):
			n := strings.Index(trimmed[2:], "*/")
			if n < 0 {
				return false, &SyntaxError{l.line, "a comment does not end"}
			}
			l.take(n + 4)
		default:
			return l.at > from, nil
		}
	}
}

func (l *lexer) next() (tokenKind, string, error) {
	rest := l.rest()
	if rest == "" {
		return end, "", nil
	}
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case strings.HasPrefix(rest, `"""`):
		return l.block()
	case r == '"' || r == '\'':
		return l.quote(byte(r))
	case r >= '0' && r <= '9' || r == '.' && len(rest) > 1 && rest[1] >= '0' && rest[1] <= '9':
		return number, l.take(numberLength(rest)), nil
	case isWord(r):
		n := strings.IndexFunc(rest, func(r rune) bool { return !isWord(r) })
		if n < 0 {
			n = len(rest)
		}
		return word, l.take(n), nil
	case strings.HasPrefix(rest, "->") || strings.HasPrefix(rest, "::"):
		return sign, l.take(2), nil
	case r > unicode.MaxASCII || r < ' ' || strings.ContainsRune("\\#`", r):
		return end, "", &SyntaxError{l.line, fmt.Sprintf("the character %q cannot stand here", r)}
	}
	return sign, l.take(size), nil
}

func isWord(r rune) bool { return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// numberLength is how long the number at the start is. A sign belongs to it behind an exponent.
func numberLength(s string) int {
	i := 0
	hex := strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0X")
	for i < len(s) {
		c := s[i]
		exponent := i > 0 && (!hex && (s[i-1] == 'e' || s[i-1] == 'E') || hex && (s[i-1] == 'p' || s[i-1] == 'P'))
		if c != '.' && c != '_' && !isDigitOrLetter(c) && !((c == '+' || c == '-') && exponent) {
			break
		}
		i++
	}
	return i
}

func isDigitOrLetter(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func (l *lexer) quote(mark byte) (tokenKind, string, error) {
	rest := l.rest()
	for i := 1; i < len(rest); i++ {
		switch rest[i] {
		case '\\':
			i++
		case '\n', '\r':
			return end, "", &SyntaxError{l.line, "a string does not end"}
		case mark:
			return quoted, l.take(i + 1), nil
		}
	}
	return end, "", &SyntaxError{l.line, "a string does not end"}
}

func (l *lexer) block() (tokenKind, string, error) {
	rest := l.rest()
	for i := 3; i < len(rest); i++ {
		switch {
		case rest[i] == '\\':
			i++
		case strings.HasPrefix(rest[i:], `"""`):
			return quoted, l.take(i + 3), nil
		}
	}
	return end, "", &SyntaxError{l.line, "a text block does not end"}
}

// join is the normal text of tokens: one space where there was any.
func join(tokens []token) string {
	var b strings.Builder
	for i, t := range tokens {
		if i > 0 && t.spaced {
			b.WriteByte(' ')
		}
		b.WriteString(t.text)
	}
	return b.String()
}

// mustLex gives the tokens of a text that was made by join.
func mustLex(text string) []token {
	tokens, err := lex(text)
	if err != nil {
		return nil
	}
	return tokens[:len(tokens)-1]
}
