package project

import (
	"maps"
	"slices"
	"testing"
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
  <testcase name="talks" classname="p.F" time="0">
    <system-out><![CDATA[hello]]></system-out>
  </testcase>
  <testcase name="without a class" time="0"/>
  <testcase name="last" classname="p.G" time="0"`
	r := &reports{passed: map[string]bool{}, bad: map[string]int{}}
	r.read(report)
	if got, want := slices.Sorted(maps.Keys(r.passed)), []string{"p.A", "p.B", "p.F", "p.G"}; !slices.Equal(got, want) {
		t.Errorf("passed %v, want %v", got, want)
	}
	if len(r.bad) != 1 || r.bad["p.C"] != 2 || !r.any {
		t.Errorf("bad %v, any %v", r.bad, r.any)
	}
}
