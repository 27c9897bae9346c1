package agent

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"winnow/internal/jvm/jvmtest"
)

// large are jars that make a plan as large as that of a project with many libraries.
var large = []string{"guava", "commons-lang3", "hibernate-core", "spring-core", "byte-buddy", "groovy", "jackson-databind"}

// BenchmarkStart starts JVMs that do nothing, with and without the agent, in turn, and compares the medians of their processor times, which other work on the
// machine changes less than the clock.
func BenchmarkStart(b *testing.B) {
	for _, feature := range features {
		for _, jars := range [][]string{nil, large} {
			for _, hooks := range []bool{false, true} {
				b.Run(fmt.Sprintf("jdk-%d/jars-%d/hooks-%v", feature, len(jars), hooks), func(b *testing.B) {
					p := newProject(b, feature, append([]string{"junit-3.8"}, jars...)...)
					p.options.NoJDKHooks = !hooks
					benchmarkStart(b, p)
				})
			}
		}
	}
}

func benchmarkStart(b *testing.B, p *project) {
	plan := p.plan()
	var with, without []time.Duration
	for b.Loop() {
		without = append(without, p.timed(nil, "Bench", "1"))
		with = append(with, p.timed(plan, "Bench", "1"))
	}
	slices.Sort(with)
	slices.Sort(without)
	w, wo := with[len(with)/2], without[len(without)/2]
	b.ReportMetric(float64(w)/float64(wo), "cpu-ratio")
	b.ReportMetric(float64(w-wo)/1e6, "cpu-ms-more")
	b.ReportMetric(float64(len(plan.Classes)), "classes")
}

func (p *project) timed(plan *Plan, args ...string) time.Duration {
	r := p.run(plan, nil, args...)
	if r.err != nil {
		p.t.Fatalf("%v\n%s", r.err, r.out)
	}
	return r.cpu
}

// BenchmarkBoundary reports what a test costs that does nothing: two boundaries, each with a drain, a write, and a look at other threads.
func BenchmarkBoundary(b *testing.B) {
	for _, feature := range features {
		for _, c := range []struct {
			agent   bool
			threads int
		}{{false, 0}, {true, 0}, {true, 20}} {
			b.Run(fmt.Sprintf("jdk-%d/agent-%v/threads-%d", feature, c.agent, c.threads), func(b *testing.B) {
				p := newProject(b, feature, "junit-3.8")
				var plan *Plan
				if c.agent {
					plan = p.plan()
				}
				total := 0
				for b.Loop() {
					r := p.run(plan, nil, "Bench", "5000", strconv.Itoa(c.threads))
					n, err := strconv.Atoi(strings.TrimSpace(r.out))
					if err != nil {
						b.Fatalf("%v\n%s", err, r.out)
					}
					total += n
				}
				b.ReportMetric(float64(total)/float64(b.N), "ns/test")
			})
		}
	}
}

// BenchmarkBuild makes a plan for many libraries, anew and again.
func BenchmarkBuild(b *testing.B) {
	var path []string
	for _, name := range large {
		path = append(path, jvmtest.Jar(b, name))
	}
	home := jvmtest.JDK(b, 17)
	for _, again := range []bool{false, true} {
		b.Run(fmt.Sprintf("again-%v", again), func(b *testing.B) {
			o := Options{JDK: home, ClassPath: path, Dir: b.TempDir()}
			classes := 0
			if _, err := Build(b.Context(), o); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if !again {
					o.Dir = b.TempDir()
				}
				plan, err := Build(b.Context(), o)
				if err != nil {
					b.Fatal(err)
				}
				classes = len(plan.Classes)
			}
			b.ReportMetric(float64(classes), "classes")
		})
	}
}

// BenchmarkSuite runs tests of Jupiter, which reflects much, without the agent, with probes only, and with hooks into the JDK, in turn, and compares the medians of processor times.
func BenchmarkSuite(b *testing.B) {
	for _, feature := range features {
		b.Run(fmt.Sprintf("jdk-%d", feature), func(b *testing.B) {
			p := newProject(b, feature, platformJars...)
			hooks := p.plan()
			p.options.NoJDKHooks = true
			probes := p.plan()
			times := make([][]time.Duration, 3)
			for b.Loop() {
				for i, plan := range []*Plan{nil, probes, hooks} {
					times[i] = append(times[i], p.timed(plan, "Launch", "Five", "Other", "More"))
				}
			}
			for i, name := range []string{"cpu-ms-plain", "cpu-ms-probes", "cpu-ms-hooks"} {
				slices.Sort(times[i])
				b.ReportMetric(float64(times[i][len(times[i])/2])/1e6, name)
			}
		})
	}
}
