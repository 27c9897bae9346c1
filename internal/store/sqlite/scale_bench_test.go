//go:build linux

package sqlite

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"winnow/internal/digest"
	"winnow/internal/rts"
	"winnow/internal/store"
	"winnow/internal/store/segment"
)

var scaleTests = flag.Int("sqlite.tests", 20_000, "number of tests of the benchmark")

// The program of the benchmark has 400 packages of 100 entities and 10,000 shared entities. A package depends on 9 others, the
// number of which is 400·u² for a uniform u, so low ones are popular. A test uses each entity of its own package and of these 9
// with probability 0.9, about 900 in all, and shared ones up to 2,000; a shared one has the number 10,000·u³.
const (
	packages     = 400
	perPackage   = 100
	shared       = 10_000
	dependencies = 2_000
)

type program struct {
	names   []string
	digests []digest.Digest
	depends [packages][]int
}

func newProgram(r *rand.Rand) *program {
	p := &program{}
	for i := range packages * perPackage {
		p.names = append(p.names, fmt.Sprintf("com/example/shop/p%03d/Service%02d.method%d(Ljava/lang/String;)V", i/perPackage, i%perPackage/10, i%10))
	}
	for i := range shared {
		p.names = append(p.names, fmt.Sprintf("com/example/shop/zz/shared/Type%04d.method%d(I)I", i/10, i%10))
	}
	for _, n := range p.names {
		p.digests = append(p.digests, digest.OfString(n))
	}
	for i := range p.depends {
		p.depends[i] = []int{i}
		for len(p.depends[i]) < 10 {
			u := r.Float64()
			if d := int(packages * u * u); !slices.Contains(p.depends[i], d) {
				p.depends[i] = append(p.depends[i], d)
			}
		}
	}
	return p
}

// uses returns the uses of one test, sorted.
func (p *program) uses(r *rand.Rand, test int) []rts.Use {
	used := make([]bool, len(p.names))
	n := 0
	for _, pkg := range p.depends[test%packages] {
		for i := range perPackage {
			if r.IntN(10) > 0 {
				used[pkg*perPackage+i] = true
				n++
			}
		}
	}
	for n < dependencies {
		u := r.Float64()
		if i := packages*perPackage + int(shared*u*u*u); !used[i] {
			used[i] = true
			n++
		}
	}
	uses := make([]rts.Use, 0, dependencies)
	for i, yes := range used {
		if yes {
			uses = append(uses, rts.Use{Entity: rts.Entity{Kind: "method", Name: p.names[i]}, Digest: p.digests[i]})
		}
	}
	return uses
}

func (p *program) write(b *testing.B, path string) (bytes int64) {
	r := rand.New(rand.NewPCG(*seed, 1))
	var w segment.Writer
	meta := w.Meta(rts.Meta{When: time.Unix(1_700_000_000, 0).UTC(), Revision: "r", Technique: "t"})
	for i := range *scaleTests {
		b.StopTimer()
		f := rts.Footprint{Uses: p.uses(r, i)}
		b.StartTimer()
		n := w.Footprint(f)
		w.Record(rts.Record{Test: rts.TestID(fmt.Sprintf("com.example.shop.p%03d.ServiceTest#case%d", i%packages, i/packages)), Outcome: rts.Passed, Footprint: n}, meta)
	}
	back, err := Open(context.Background(), path, Options{})
	if err != nil {
		b.Fatal(err)
	}
	if err := store.New(back).Write(context.Background(), &w); err != nil {
		b.Fatal(err)
	}
	if err := back.Close(); err != nil {
		b.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	return info.Size()
}

// BenchmarkScale writes a large recording in one transaction, and then asks in a new process which tests ten changed
// entities affect, with the file in the cache of the system (warm) and not (cold).
func BenchmarkScale(b *testing.B) {
	p := newProgram(rand.New(rand.NewPCG(*seed, 0)))
	path := filepath.Join(b.TempDir(), "store.db")
	b.Run("write", func(b *testing.B) {
		for range b.N {
			if err := remove(path); err != nil {
				b.Fatal(err)
			}
			size := p.write(b, path)
			b.ReportMetric(float64(size)/float64(*scaleTests*dependencies), "bytes/dependency")
		}
	})
	for _, cold := range []bool{true, false} {
		b.Run(map[bool]string{true: "affected/cold", false: "affected/warm"}[cold], func(b *testing.B) {
			var sum affectedReport
			for range b.N {
				b.StopTimer()
				if cold {
					forget(b, path)
				}
				b.StartTimer()
				sum.add(askChild(b, path))
			}
			n := float64(b.N)
			b.ReportMetric(sum.Open/n, "open-ms")
			b.ReportMetric(sum.View/n, "view-ms")
			b.ReportMetric(sum.Owners/n, "owners-ms")
			b.ReportMetric((sum.Open+sum.View+sum.Owners)/n, "sum-ms")
			b.ReportMetric(float64(sum.Tests)/n, "tests")
		})
	}
}

// forget makes the system drop the file from its cache.
func forget(b *testing.B, path string) {
	f, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	const dontNeed = 4
	if _, _, errno := syscall.Syscall6(syscall.SYS_FADVISE64, f.Fd(), 0, 0, dontNeed, 0, 0); errno != 0 {
		b.Fatal(errno)
	}
}

// An affectedReport has times in milliseconds.
type affectedReport struct {
	Open, View, Owners float64
	Tests              int
}

func (r *affectedReport) add(s affectedReport) {
	r.Open, r.View, r.Owners, r.Tests = r.Open+s.Open, r.View+s.View, r.Owners+s.Owners, r.Tests+s.Tests
}

func askChild(b *testing.B, path string) (report affectedReport) {
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	cmd := childProcess(self, "affected", path)
	out, err := cmd.Output()
	if err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	if err := json.Unmarshal(out, &report); err != nil {
		b.Fatal(err)
	}
	return report
}

func init() { children["affected"] = affectedByTen }

// affectedByTen is the other process: it finds the tests that use ten entities, some local and some shared.
func affectedByTen(args []string) error {
	ctx := context.Background()
	changed := changedEntities()
	start := time.Now()
	back, err := Open(ctx, args[0], Options{})
	if err != nil {
		return err
	}
	opened := time.Now()
	v, err := store.New(back).View(ctx)
	if err != nil {
		return err
	}
	viewed := time.Now()
	tests, err := affected(v, changed)
	if err != nil {
		return err
	}
	done := time.Now()
	ms := func(from, to time.Time) float64 { return float64(to.Sub(from).Microseconds()) / 1000 }
	report := affectedReport{ms(start, opened), ms(opened, viewed), ms(viewed, done), len(tests)}
	if err := json.NewEncoder(os.Stdout).Encode(report); err != nil {
		return err
	}
	if err := v.Close(); err != nil {
		return err
	}
	return back.Close()
}

func changedEntities() map[rts.Entity]bool {
	p := newProgram(rand.New(rand.NewPCG(*seed, 0)))
	changed := map[rts.Entity]bool{}
	for _, i := range []int{17, 3_210, 7_777, 12_345, 20_001, 28_282, 35_000, 39_999, 41_000, 49_500} {
		changed[rts.Entity{Kind: "method", Name: p.names[i]}] = true
	}
	return changed
}

func affected(v *store.View, changed map[rts.Entity]bool) (map[rts.TestID]bool, error) {
	footprints := map[store.FootprintRef]bool{}
	var failed error
	for e := range changed {
		v.Inputs(e, func(ref store.InputRef, _ digest.Digest) {
			owners, err := v.Owners(ref)
			if err != nil && failed == nil {
				failed = err
			}
			for _, f := range owners {
				footprints[f] = true
			}
		})
	}
	tests := map[rts.TestID]bool{}
	v.Records(func(r store.Stored) {
		if footprints[r.Ref] {
			tests[r.Test] = true
		}
	})
	return tests, failed
}
