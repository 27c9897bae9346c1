package main

import (
	"fmt"
	"io"
	"time"
)

// A clock tells how far the evaluation is and about how long the rest takes, if it goes on as fast as so far in this run.
type clock struct {
	out         io.Writer
	left, total int
	done        int // in this run
	began       time.Time
	spent       time.Duration
	now         func() time.Time
}

func newClock(out io.Writer, total int) *clock {
	return &clock{out: out, left: total, total: total, now: time.Now}
}

// more announces steps that were not foreseen.
func (c *clock) more(n int) { c.left, c.total = c.left+n, c.total+n }

// skip passes over steps that need not be done.
func (c *clock) skip(n int) { c.left -= n }

func (c *clock) start(what string) {
	c.began = c.now()
	left := "time left unknown"
	if c.done > 0 {
		left = fmt.Sprintf("about %v left", (c.spent / time.Duration(c.done) * time.Duration(c.left)).Round(time.Minute))
	}
	fmt.Fprintf(c.out, "%s [%d/%d] %s (%s)\n", c.began.Format("15:04:05"), c.total-c.left+1, c.total, what, left)
}

func (c *clock) end() {
	c.spent += c.now().Sub(c.began)
	c.done++
	c.left--
}
