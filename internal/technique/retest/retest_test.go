package retest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"winnow/internal/jvm/observed"
	"winnow/internal/technique/techniquetest"
)

const avg = `name avg
seed 0
revision
revision
-- N/src/p/Avg.java --
package p;
public class Avg {
	static int[] numarray = new int[10];
	final int[] input; int at;
	public Avg(int... input) { this.input = input; }
	int read() { return at < input.length ? input[at++] : -99; }
	static int calc(int[] a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return n == 0 ? 0 : s / n; }
	public int avg() {
		int count = 0;
		int n = read();
		while (n != -99) {
			if (n < 0) {
				PRINTreturn -1;
			} else {
				numarray[count] = n;
				COUNT
			}
			n = read();
		}
		return calc(numarray, count);
	}
}
-- N/test/t/AvgTest.java --
package t;
public class AvgTest {
	public Object one() { return new p.Avg().avg(); }
	public Object two() { return new p.Avg(-1).avg(); }
	public Object three() { return new p.Avg(1, 2, 3).avg(); }
}
`

// versions makes the text of two revisions from a text with placeholders: the files named N/… are in both.
func versions(text string, old, new []string) string {
	head, files, _ := strings.Cut(text, "-- N/")
	files = "-- N/" + files
	return head + strings.NewReplacer(old...).Replace(strings.ReplaceAll(files, "-- N/", "-- 0/")) + strings.NewReplacer(new...).Replace(strings.ReplaceAll(files, "-- N/", "-- 1/"))
}

// walk gives a trace the edges of a way through a method, as offsets at which blocks begin.
func walk(t *testing.T, p *observed.Program, trace *observed.Trace, m observed.Method, offsets ...int) {
	t.Helper()
	flow := flowOf(t, p, m)
	at := -1
	for _, pc := range offsets {
		to := flow.Block(pc)
		i := slices.IndexFunc(flow.Edges, func(e edge) bool { return e.From == at && e.To == to })
		if i < 0 {
			t.Fatalf("%s: no edge from block %d to that of %d", m, at, pc)
		}
		trace.Edges[m] = append(trace.Edges[m], i)
		at = to
	}
	slices.Sort(trace.Edges[m])
}

// TestWorkedExample: Tables 1 and 2. By edges, tests 2 and 3 are selected; by methods all are.
func TestWorkedExample(t *testing.T) {
	text := versions(avg, []string{"PRINT", "", "COUNT", "count++;"}, []string{"PRINT", `System.out.print(""); `, "COUNT", ""})
	revisions := techniquetest.Observe(t, text)
	m := observed.Method{Class: "p/Avg", Name: "avg", Descriptor: "()I"}
	if !revisions[0].Runs[0].Trace.Detailed {
		// The edges of Table 2, by the offsets of javac's code: 7 the loop's condition, 13 the test for negative numbers, 17 the return of -1, 19 the store, 36 the average.
		ways := map[string][]int{"one": {0, 7, 38}, "two": {0, 7, 13, 17}, "three": {0, 7, 13, 19, 7, 38}}
		for i := range revisions[0].Runs {
			run := &revisions[0].Runs[i]
			run.Trace.Detailed, run.Trace.Edges = true, map[observed.Method][]int{}
			walk(t, revisions[0].Program, run.Trace, m, ways[run.Test.Method]...)
			for _, other := range run.Trace.Entered {
				if other != m {
					run.Trace.Coarse = append(run.Trace.Coarse, other)
				}
			}
		}
	}
	all := []string{"t.AvgTest.one", "t.AvgTest.three", "t.AvgTest.two"}
	check(t, revisions, Edges, all, []string{"t.AvgTest.three", "t.AvgTest.two"})
	check(t, revisions, Methods, all, all)
	check(t, revisions, Types, all, all)

	t.Run("nothing recorded", func(t *testing.T) {
		for i := range revisions[0].Runs {
			revisions[0].Runs[i].Trace.Detailed = false
		}
		check(t, revisions, Edges, all, all)
		s := New(Edges)
		must(t, s.Ran(revisions[0].Program, revisions[0].Runs))
		got, err := s.Select(revisions[1].Program, []observed.Test{revisions[0].Runs[0].Test})
		must(t, err)
		if why := fmt.Sprint(got); !strings.Contains(why, "by methods: edges were not recorded") {
			t.Errorf("selection %v", why)
		}
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func check(t *testing.T, revisions []techniquetest.Revision, level Level, want ...[]string) {
	t.Helper()
	if got := techniquetest.Play(t, New(level), revisions); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("level %d: selected %v, want %v", level, got, want)
	}
}
