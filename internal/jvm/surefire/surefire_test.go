package surefire

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func write(t *testing.T, root, name, text string) {
	t.Helper()
	file := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestRead(t *testing.T) {
	root := t.TempDir()
	write(t, root, "target/surefire-reports/TEST-p.ATest.xml", `<testsuite name="p.ATest"><properties><property name="k" value="7-1"/></properties>
<testcase name="a" classname="p.ATest"/>
<testcase name="b(int)[1]" classname="p.ATest"/>
<testcase name="b(int)[2]" classname="p.ATest"><failure message="m">trace</failure></testcase>
<testcase name="c{String}[1]" classname="p.ATest$Inner"><error/></testcase>
<testcase name="d"><skipped/></testcase>
<testcase name="e(int)[2][1]" classname="p.ATest$Rows[2]"/>
</testsuite>`)
	write(t, root, "core/target/surefire-reports/TEST-p.BTest.xml", `<testsuite name="p.BTest"><testcase name="" classname="p.BTest"><error/></testcase></testsuite>`)
	write(t, root, "src/target/surefire-reports/TEST-p.No.xml", `no report of this project`)
	write(t, root, ".hidden/target/surefire-reports/TEST-p.No.xml", `no report of this project`)
	cases, err := Read(root)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range cases {
		got = append(got, c.Test+" "+string(c.Result)+" "+c.Properties["k"])
	}
	want := []string{"core!p.BTest#(class) error ", "p.ATest#a passed 7-1", "p.ATest#b passed 7-1", "p.ATest#b failed 7-1", "p.ATest$Inner#c error 7-1", "p.ATest#d skipped 7-1", "p.ATest$Rows#e passed 7-1"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if err := Remove(root); err != nil {
		t.Fatal(err)
	}
	if cases, err = Read(root); err != nil || len(cases) > 0 {
		t.Errorf("after removal: %v, %v", cases, err)
	}
}

func TestDamagedReport(t *testing.T) {
	root := t.TempDir()
	write(t, root, "target/surefire-reports/TEST-p.ATest.xml", `<testsuite name="p.ATest"><testcase`)
	if cases, err := Read(root); err == nil || cases != nil {
		t.Errorf("got %v, %v", cases, err)
	}
}
