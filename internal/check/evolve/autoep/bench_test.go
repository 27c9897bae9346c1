//go:build deep

package autoep

import (
	"context"
	"errors"
	"flag"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"winnow/internal/check/evolve"
	"winnow/internal/check/pool"
	"winnow/internal/jvm/jvmtest"
)

var (
	cases   = flag.Int("autoep.cases", 1000, "cases for TestCost")
	limit   = flag.Int("autoep.limit", 400, "programs of each constraint, for TestCost")
	options = flag.String("autoep.options", "", "options of the JVMs for TestCost")
)

// TestCost measures what a case costs: compiled, run and recorded, its share of the base included. Wall time is that of a machine that others use, too; processor time counts.
func TestCost(t *testing.T) {
	p, err := pool.Open(context.Background(), pool.Config{JDK: jvmtest.JDK(t, 17), Options: strings.Fields(*options)})
	if err != nil {
		t.Fatal(err)
	}
	origins, err := Origins(1)
	if err != nil {
		t.Fatal(err)
	}
	start, before := time.Now(), self(t)
	c := Config{Pool: p, Seed: 1}
	done, tests := 0, 0
	enough := errors.New("enough")
	w := Work{Origins: origins[:10], Limit: *limit, Operators: evolve.Operators()[:9]}
	var mu sync.Mutex
	w.Each = func(ctx context.Context, k *Case) error {
		run, err := k.Run(ctx, c, true)
		if err != nil && !errors.Is(err, pool.ErrDied) {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		done++
		tests += len(run.Outcomes)
		if done >= *cases { // the table is not made then
			return enough
		}
		return nil
	}
	table, err := Make(context.Background(), c, w)
	if err != nil && !errors.Is(err, enough) {
		t.Fatal(err)
	}
	if table != nil {
		n := table.Total()
		t.Logf("\n%s%d of %d cases compile", table, n.Compilable, n.Generated)
	}
	wall := time.Since(start)
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	cpu := p.CPU() + self(t) - before
	t.Logf("%d cases, %d test runs: %.3f CPU-s a case (JVMs %.3f), wall %v, %d JVMs, %d died", done, tests, cpu.Seconds()/float64(done), p.CPU().Seconds()/float64(done), wall.Round(time.Second), p.Started(), p.Died())
}

// self is the processor time of this process.
func self(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
