package autoep

import (
	"context"
	"flag"
	"sync/atomic"
	"testing"
	"time"

	"winnow/internal/check/evolve"
	"winnow/internal/check/pool"
	"winnow/internal/jvm/jvmtest"
)

var limit = flag.Int("autoep.limit", 2, "programs of each constraint and feature")

func open(t testing.TB, c pool.Config) *pool.Pool {
	t.Helper()
	if c.JDK == "" {
		c.JDK = jvmtest.JDK(t, 17)
	}
	p, err := pool.Open(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func TestMake(t *testing.T) {
	p := open(t, pool.Config{})
	origins, err := Origins(1)
	if err != nil {
		t.Fatal(err)
	}
	c := Config{Pool: p, Seed: 1}
	var failed, tests, lost, died atomic.Int64
	start := time.Now()
	each := func(ctx context.Context, k *Case) error {
		run, err := k.Run(ctx, c, true)
		if err != nil {
			died.Add(1)
			return nil
		}
		for _, o := range run.Outcomes {
			tests.Add(1)
			if o.Result != pool.Passed {
				failed.Add(1)
			}
		}
		if run.Lost {
			lost.Add(1)
		}
		return nil
	}
	paper := Work{Origins: origins[:10], Limit: *limit, Operators: evolve.Operators()[:9], Each: each}
	modern := Work{Origins: origins[10:], Limit: *limit, Each: each}
	for _, w := range []Work{paper, modern} {
		begin := time.Now()
		table, err := Make(context.Background(), c, w)
		if err != nil {
			t.Fatal(err)
		}
		n := table.Total()
		t.Logf("\n%s%d of %d cases compile; %.1f cases a second", table, n.Compilable, n.Generated, float64(n.Compilable)/time.Since(begin).Seconds())
		if n.Compilable == 0 {
			t.Error("no case compiles")
		}
	}
	t.Logf("%d tests ran, %d failed, %d runs lost something, %d runs died, %d JVMs, %v", tests.Load(), failed.Load(), lost.Load(), died.Load(), p.Started(), time.Since(start))
	if failed.Load() == 0 || failed.Load() == tests.Load() {
		t.Errorf("%d of %d tests fail on a changed program", failed.Load(), tests.Load())
	}
	if lost.Load() > 0 {
		t.Errorf("%d runs lost something", lost.Load())
	}
}
