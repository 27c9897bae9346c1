package synth

import (
	"slices"
	"strings"

	"winnow/internal/technique/pythia"
)

// blocks cuts a body into blocks: runs of lines that the same probes stand for. A brace belongs to the statement that it closes.
func blocks(body []Stmt) *pythia.Source {
	b := &blockWriter{code: Lower(body), src: &pythia.Source{Entries: [][]uint32{{0}}}}
	b.body(body, 0)
	return b.src
}

type blockWriter struct {
	code *Code
	src  *pythia.Source
}

func (b *blockWriter) line(depth int, text string, node int32) {
	covers := b.code.covers[node]
	last := len(b.src.Entries) - 1
	if !slices.Equal(b.src.Entries[last], covers) {
		b.src.Entries = append(b.src.Entries, covers)
		last++
	}
	b.src.Lines = append(b.src.Lines, strings.Repeat("\t", depth)+text)
	b.src.Block = append(b.src.Block, last)
}

func (b *blockWriter) body(body []Stmt, depth int) {
	for i := range body {
		s := &body[i]
		n := b.code.at[s]
		switch s.Op {
		case "if":
			b.line(depth, s.head()+" {", n)
			b.body(s.Then, depth+1)
			b.line(depth, "} else {", n)
			b.body(s.Else, depth+1)
			b.line(depth, "}", n)
		case "switch":
			b.line(depth, s.head()+" {", n)
			for _, c := range s.Cases {
				b.line(depth, "case "+string(rune('0'+c.Label))+" {", n)
				b.body(c.Body, depth+1)
				b.line(depth, "}", n)
			}
			b.line(depth, "default {", n)
			b.body(s.Else, depth+1)
			b.line(depth, "}", n)
			b.line(depth, "}", n)
		default:
			b.line(depth, s.head(), n)
		}
	}
}
