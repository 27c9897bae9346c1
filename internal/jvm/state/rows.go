package state

import (
	"slices"
	"strings"
)

// Databases that live in the process keep what tests put there: whoever asks one finds what earlier tests wrote, unless these took it back. Which rows it finds is not known, so all that such tests did counts. What a
// database keeps in its own objects is not followed.

// embedded are the packages of the drivers of such databases.
var embedded = []string{"org/h2/jdbc/", "org/hsqldb/jdbc/", "org/apache/derby/impl/jdbc/"}

// rows makes the cell of what such databases keep.
func (c *cells) rows(owner int32) {
	at := &cell{label: "databases in the process", static: true, descriptor: "Ljava/lang/Object;", owner: owner, kept: true, rows: true}
	for n := range c.methods {
		if name := c.ofDriver(int32(n)); strings.HasPrefix(name, "execute") {
			at.readers = append(at.readers, int32(n))
			if name != "executeQuery" {
				at.writers = append(at.writers, int32(n))
			}
		}
	}
	c.keep(at)
}

// ofDriver is the name of a method of a driver; "" if it is none.
func (c *cells) ofDriver(n int32) string {
	class, b := c.types[c.methods[n].class].name, c.methods[n].body
	if b == nil || !slices.ContainsFunc(embedded, func(p string) bool { return strings.HasPrefix(class, p) }) {
		return ""
	}
	return b.Name
}

// takeBack notes for each footprint whether what it wrote to databases was taken back: it began a transaction, ended one by a rollback, and none by a commit.
func (s *stretches) takeBack() {
	s.undone = make([]bool, len(s.from))
	if !slices.ContainsFunc(s.all, func(c *cell) bool { return c.rows }) {
		return
	}
	for k := range s.from {
		began, back, commits := false, false, false
		for _, n := range s.has[k] {
			switch s.ofDriver(n) {
			case "setAutoCommit":
				began = true
			case "rollback":
				back = true
			case "commit":
				commits = true
			}
		}
		s.undone[k] = began && back && !commits
	}
}
