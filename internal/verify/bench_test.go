package verify

import (
	"context"
	"fmt"
	"syscall"
	"testing"
	"time"

	"winnow/internal/jvm/jvmtest"
	"winnow/internal/jvm/table"
	"winnow/internal/rts"
	"winnow/internal/store"
	"winnow/internal/store/memory"
)

// BenchmarkCheck checks 5,000 proofs that share the classes of some libraries, about 5,000, in 100 shared footprints; each proof includes three of them and has 20 uses of its own beside.
func BenchmarkCheck(b *testing.B) {
	s, classes := libraries(b)
	const proofs, shared = 5000, 100
	for i := range shared {
		f := rts.Footprint{Label: fmt.Sprintf("set-up %d", i)}
		for k := i; k < len(classes); k += shared {
			f.Uses = append(f.Uses, classes[k])
		}
		f.Uses = rts.SortUses(f.Uses)
		s.rec.Footprints = append(s.rec.Footprints, f)
	}
	for i := range proofs {
		own := rts.Footprint{Includes: []int{i % shared, (i + 1) % shared, (i * 7) % shared}}
		for k := range 20 {
			own.Uses = append(own.Uses, classes[(i*20+k)%len(classes)])
		}
		own.Uses = rts.SortUses(own.Uses)
		id := rts.TestID(fmt.Sprintf("p.T#m%d", i))
		s.rec.Footprints = append(s.rec.Footprints, own)
		s.rec.Records = append(s.rec.Records, rts.Record{Test: id, Outcome: rts.Passed, Footprint: len(s.rec.Footprints) - 1})
		s.sel.Decisions = append(s.sel.Decisions, rts.Decision{Test: rts.Test{ID: id}, Proof: &rts.Proof{Meta: s.rec.Meta}})
	}
	ctx := context.Background()
	st := store.New(&memory.Backend{})
	if err := st.Append(ctx, s.rec); err != nil {
		b.Fatal(err)
	}
	v, err := st.View(ctx)
	if err != nil {
		b.Fatal(err)
	}
	defer v.Close()
	start, n := cpu(b), 0
	for b.Loop() {
		n++
		s.options.Files = s.files()
		rep, err := Check(ctx, v, s.sel, s.options)
		if err != nil || rep.Held != proofs {
			b.Fatalf("%d of %d hold, %v: %v", rep.Held, proofs, err, said(rep)[:1])
		}
		b.ReportMetric(float64(rep.Classes), "classes")
		b.ReportMetric(float64(rep.Uses), "uses")
	}
	b.ReportMetric(float64((cpu(b)-start).Milliseconds())/float64(n), "cpu-ms/op")
}

// cpu is the processor time of this process: on a busy machine it tells more than the clock.
func cpu(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// libraries is a scene whose class path is some libraries, with a use of each of their classes in which every method was entered.
func libraries(b *testing.B) (*scene, []rts.Use) {
	s := newScene(b, nil)
	s.setting.ClassPath = nil
	for _, name := range []string{"guava", "commons-lang3", "groovy"} {
		s.setting.ClassPath = append(s.setting.ClassPath, jvmtest.Jar(b, name))
	}
	p := s.program()
	names, err := p.Names()
	if err != nil {
		b.Fatal(err)
	}
	var out []rts.Use
	for _, name := range names {
		t, err := p.Table(name)
		if err != nil || len(out) == 5000 {
			continue
		}
		u := rts.Use{Entity: rts.Entity{Kind: kindClass, Name: name}, Digest: p.Digest(name), Entries: []uint32{table.Touched, table.Reflected}}
		for i := range t.Methods {
			u.Entries = append(u.Entries, table.FirstMethod+uint32(i))
		}
		s.rec.Bodies[u.Digest] = t.Append(nil)
		out = append(out, u)
	}
	return s, out
}
