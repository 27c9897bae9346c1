package compare

import (
	"slices"

	"winnow/internal/jvm/observed"
)

// A tally counts what a technique selected at a revision.
type tally struct {
	line                   *Line
	paper, ours, lostPaper map[string]bool // classes, with their unit
}

// unit counts one test execution.
func (c *tally) unit(name string, u *unit, selected observed.Selection, reasons map[string]Chosen, product bool) {
	l := c.line
	classes, of := observed.ByClass(u.tests)
	l.Tests += len(u.tests)
	l.Classes += len(classes)
	for _, class := range classes {
		some, beyond := false, product
		for _, t := range of[class] {
			if _, ok := selected[t.ID]; !ok {
				continue
			}
			some = true
			beyond = beyond && reasons[t.ID].Beyond
			l.SelectedTests++
			l.Seconds += u.runs[t.ID].Seconds
		}
		if some {
			l.SelectedClasses++
		}
		if some && beyond {
			l.Beyond++
		}
		c.lost(name, class, of[class], u, some)
	}
	for _, t := range u.tests {
		if _, ok := selected[t.ID]; !ok && u.was != nil && u.was.passed[t.ID] && !u.passed[t.ID] {
			l.Missed = append(l.Missed, t.ID)
		}
	}
	slices.Sort(l.Missed)
}

// lost counts a class that has a test of T_o.
func (c *tally) lost(unit, class string, tests []observed.Test, u *unit, selected bool) {
	if u.comparison == nil {
		return
	}
	key := unit + " " + class
	for _, t := range tests {
		if u.comparison.Paper[t.ID] != "" {
			c.paper[key] = true
			c.lostPaper[key] = !selected
		}
		if method := u.comparison.Ours[t.ID]; method != "" {
			c.ours[key] = true
			if !selected {
				c.line.Lost[class] = method
			}
		}
	}
}

func (c *tally) ratios() {
	lost := 0
	for _, is := range c.lostPaper {
		if is {
			lost++
		}
	}
	c.line.Paper, c.line.Ours = ratio(lost, len(c.paper)), ratio(len(c.line.Lost), len(c.ours))
}

// ratio is negative if there is none.
func ratio(part, all int) float64 {
	if all == 0 {
		return -1
	}
	return float64(part) / float64(all)
}
