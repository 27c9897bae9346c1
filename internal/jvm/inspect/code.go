package inspect

import (
	"fmt"
	"slices"

	"winnow/internal/jvm/canon"
	"winnow/internal/jvm/classfile"
)

// A CodeLine is one line of the difference of two bodies. Op is " " for what both have, "-" and "+" for what only the old or the new one has, "…" for
// lines that are left out. Old and New are the numbers of the instruction; -1 where there is none.
type CodeLine struct {
	Op   string `json:"op"`
	Old  int    `json:"old"`
	New  int    `json:"new"`
	Text string `json:"text"`
}

const (
	contextLines = 2
	// maxCells bounds the table that aligns two bodies; beyond it what is between the common start and end counts as replaced.
	maxCells = 4 << 20
	// shownLines is how many lines of a body's difference are shown unless all are asked for.
	shownLines = 60
)

// codeDiff aligns two bodies and returns the lines that differ with some lines around them.
func codeDiff(old, new *canon.Listing, all bool) []CodeLine {
	a := align(old, new)
	lines := append(a.lines(), a.handlers()...)
	lines = foldContext(lines)
	if len(lines) > shownLines && !all {
		rest := len(lines) - shownLines
		lines = append(lines[:shownLines], CodeLine{"…", -1, -1, fmt.Sprintf("%d more lines; --all shows them", rest)})
	}
	return lines
}

// An alignment says which instructions of two bodies belong together.
type alignment struct {
	old, new *canon.Listing
	toNew    []int // by old instruction: the new one, or -1
	toOld    []int
}

func align(old, new *canon.Listing) *alignment {
	a := &alignment{old: old, new: new, toNew: filled(len(old.Instructions)), toOld: filled(len(new.Instructions))}
	n, m := len(a.toNew), len(a.toOld)
	start := 0
	for start < min(n, m) && a.equal(start, start) {
		a.pair(start, start)
		start++
	}
	end := 0
	for end < min(n, m)-start && a.equal(n-1-end, m-1-end) {
		a.pair(n-1-end, m-1-end)
		end++
	}
	if rows, columns := n-start-end, m-start-end; rows > 0 && columns > 0 && rows*columns <= maxCells {
		a.longest(start, rows, columns)
	}
	return a
}

func filled(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = -1
	}
	return out
}

// equal compares two instructions without branch targets: their numbers shift.
func (a *alignment) equal(i, j int) bool {
	return a.old.Instructions[i].Digest.Same(a.new.Instructions[j].Digest)
}

func (a *alignment) pair(i, j int) { a.toNew[i], a.toOld[j] = j, i }

// longest pairs a longest common subsequence of the instructions from start on.
func (a *alignment) longest(start, rows, columns int) {
	width := columns + 1
	length := make([]int32, (rows+1)*width) // of the common subsequence from a cell on
	for i := rows - 1; i >= 0; i-- {
		for j := columns - 1; j >= 0; j-- {
			if a.equal(start+i, start+j) {
				length[i*width+j] = length[(i+1)*width+j+1] + 1
			} else {
				length[i*width+j] = max(length[(i+1)*width+j], length[i*width+j+1])
			}
		}
	}
	for i, j := 0, 0; i < rows && j < columns; {
		switch {
		case a.equal(start+i, start+j):
			a.pair(start+i, start+j)
			i++
			j++
		case length[(i+1)*width+j] >= length[i*width+j+1]:
			i++
		default:
			j++
		}
	}
}

// place is where a position of the old body is in the new one: of what has no partner, the next that has.
func (a *alignment) place(i int) int {
	for ; i < len(a.toNew); i++ {
		if a.toNew[i] >= 0 {
			return a.toNew[i]
		}
	}
	return len(a.toOld)
}

// next is the first instruction of the new body at or behind j that has a partner.
func (a *alignment) next(j int) int {
	for ; j < len(a.toOld); j++ {
		if a.toOld[j] >= 0 {
			return j
		}
	}
	return len(a.toOld)
}

// agree tells whether the targets of two instructions that belong together do so too.
func (a *alignment) agree(i, j int) bool {
	x, y := a.old.Instructions[i].Targets, a.new.Instructions[j].Targets
	return slices.EqualFunc(x, y, func(t, u int) bool { return a.place(t) == a.next(u) })
}

// lines are all lines of both bodies.
func (a *alignment) lines() []CodeLine {
	var out []CodeLine
	gone := func(i int) { out = append(out, CodeLine{"-", i, -1, a.old.Instructions[i].String()}) }
	come := func(j int) { out = append(out, CodeLine{"+", -1, j, a.new.Instructions[j].String()}) }
	i, j := 0, 0
	for i < len(a.toNew) || j < len(a.toOld) {
		switch {
		case i < len(a.toNew) && a.toNew[i] < 0:
			gone(i)
			i++
		case j < len(a.toOld) && a.toOld[j] < 0:
			come(j)
			j++
		case !a.agree(i, j):
			gone(i)
			come(j)
			i++
			j++
		default:
			out = append(out, CodeLine{" ", i, j, a.new.Instructions[j].String()})
			i++
			j++
		}
	}
	return out
}

// handlers are the entries of the exception tables, those that only one body has marked so.
func (a *alignment) handlers() []CodeLine {
	moved := make([]canon.Handler, len(a.old.Handlers))
	for i, h := range a.old.Handlers {
		moved[i] = canon.Handler{Start: a.place(h.Start), End: a.place(h.End), To: a.place(h.To), Catch: h.Catch}
	}
	settled := make([]canon.Handler, len(a.new.Handlers))
	for i, h := range a.new.Handlers {
		settled[i] = canon.Handler{Start: a.next(h.Start), End: a.next(h.End), To: a.next(h.To), Catch: h.Catch}
	}
	if slices.Equal(moved, settled) {
		return nil
	}
	var out []CodeLine
	for _, h := range a.old.Handlers {
		out = append(out, CodeLine{"-", -1, -1, handlerText(h)})
	}
	for _, h := range a.new.Handlers {
		out = append(out, CodeLine{"+", -1, -1, handlerText(h)})
	}
	return out
}

func handlerText(h canon.Handler) string {
	catch := "anything"
	if h.Catch != "" {
		catch = classfile.Text(h.Catch)
	}
	return fmt.Sprintf("instructions %d to %d: catch %s at %d", h.Start, h.End-1, catch, h.To)
}

// foldContext keeps the lines that differ and those next to them; runs of others become one line with their number. Without any difference nothing is left.
func foldContext(lines []CodeLine) []CodeLine {
	keep := make([]bool, len(lines))
	for i, l := range lines {
		if l.Op == " " {
			continue
		}
		for k := max(0, i-contextLines); k <= min(len(lines)-1, i+contextLines); k++ {
			keep[k] = true
		}
	}
	if !slices.Contains(keep, true) {
		return nil
	}
	var out []CodeLine
	for i := 0; i < len(lines); {
		if keep[i] {
			out = append(out, lines[i])
			i++
			continue
		}
		start := i
		for i < len(lines) && !keep[i] {
			i++
		}
		out = append(out, CodeLine{"…", -1, -1, count(i-start, "same instruction")})
	}
	return out
}
