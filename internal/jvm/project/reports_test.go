package project

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"winnow/internal/jvm/agent"
)

// TestReports: of each test in a report of Surefire it is known how it ended; a test that was skipped or flaky says nothing of its class.
func TestReports(t *testing.T) {
	const report = `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="p.A" tests="8">
  <properties><property name="java.version" value="17"/></properties>
  <testcase name="one" classname="p.A" time="0.001"/>
  <testcase name="a &gt; b" classname="p.B" time="0"/>
  <testcase name="fails" classname="p.C$Inner" time="0.1">
    <failure message="x" type="java.lang.AssertionError"><![CDATA[at p.C]]></failure>
  </testcase>
  <testcase name="breaks" classname="p.C" time="0.1"><error type="E"/></testcase>
  <testcase name="off" classname="p.D" time="0"><skipped/></testcase>
  <testcase name="wavers" classname="p.E" time="0">
    <flakyFailure message="x"/>
  </testcase>
  <testcase name="talks" classname="p.F &amp; f" time="0">
    <system-out><![CDATA[hello]]></system-out>
  </testcase>
  <testcase name="without a class" time="0"/>
  <testcase name="last" classname="p.G" time="0"`
	r := newReports()
	r.read("p.A", report)
	passed := map[mention]bool{{"p.A", "p.A"}: true, {"p.B", "p.A"}: true, {"p.F & f", "p.A"}: true, {"p.G", "p.A"}: true}
	if !maps.Equal(r.passed, passed) {
		t.Errorf("passed %v, want %v", r.passed, passed)
	}
	if bad := map[mention]int{{"p.C$Inner", "p.A"}: 1, {"p.C", "p.A"}: 1}; !maps.Equal(r.bad, bad) || !r.any {
		t.Errorf("bad %v, want %v, any %v", r.bad, bad, r.any)
	}
}

// TestFailedAround: more failures in Surefire's reports than failed tests mean that something around tests failed, also where reports name classes for people; if it cannot be told where, all tests are doubted.
func TestFailedAround(t *testing.T) {
	outcomes := map[string]agent.Outcome{"p.A": agent.Failed, "p.B": agent.Passed}
	for _, test := range []struct {
		name string
		bad  map[mention]int
		want []string
	}{
		{"a failed test", map[mention]int{{"p.A", "p.A"}: 1}, nil},
		{"a tear-down", map[mention]int{{"p.A", "p.A"}: 2}, []string{"p.A"}},
		{"a tear-down of a nested class", map[mention]int{{"p.A", "p.A"}: 1, {"p.B$C", "p.B"}: 1}, []string{"p.B"}},
		{"a failed test, for people", map[mention]int{{"The A", "p.A"}: 1}, nil},
		{"a tear-down, for people", map[mention]int{{"The A", "p.A"}: 1, {"The B", "p.B"}: 1}, []string{"p.B"}},
		{"a failed test, files for people", map[mention]int{{"The A", "The A"}: 1}, nil},
		{"a tear-down, files for people", map[mention]int{{"The A", "The A"}: 1, {"The B", "The B"}: 1}, []string{"p.A", "p.B"}},
		{"a class without tests", map[mention]int{{"p.A", "p.A"}: 1, {"p.Other", "p.Other"}: 1}, []string{"p.Other"}},
	} {
		c := &collected{runs: map[string][]*testRun{}}
		for class, outcome := range outcomes {
			c.runs[class] = []*testRun{{traces: []*agent.TestTrace{{Node: agent.Node{Class: class}, Outcome: outcome}}}}
		}
		r := newReports()
		r.bad, r.isClass = test.bad, func(name string) bool { return strings.HasPrefix(name, "p.") }
		var got []string
		for class, failed := range c.failedAround(r) {
			if failed {
				got = append(got, class)
			}
		}
		if slices.Sort(got); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}
