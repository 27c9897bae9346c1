//go:build deep

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const toyPOM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
<modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>toy</artifactId><version>1</version>
<properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target>
<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<dependencies><dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.10.2</version><scope>test</scope></dependency></dependencies>
<build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin></plugins></build>
</project>
`

const toyTest = `package p;
import org.junit.jupiter.api.Test;
class NameTest { @Test void ok() { new NAME().m(); } }
`

const toyAnnotation = `package p;
@java.lang.annotation.Target(java.lang.annotation.ElementType.TYPE_USE)
@interface T {}
`

// A selection that leaves everything out is no use, and must be caught: a stand-in for Winnow runs all tests at first, none later.
const lazyWinnow = `#!/bin/sh
if [ "$1" = audit ]; then exit 2; fi
echo '{"schema":1}'
if [ -e "$WINNOW_STORE/seen" ]; then exit 0; fi
: > "$WINNOW_STORE/seen"
exec mvn -B -o test >&2
`

func class(name, body string) string {
	return "package p;\npublic class " + name + " { public int m() { " + body + " } }\n"
}

func TestDeep(t *testing.T) {
	if _, err := exec.LookPath("mvn"); err != nil {
		t.Skipf("needs Maven: %v", err)
	}
	clone, revs := toyHistory(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "projects.json"), `[{"name":"toy","clone":"`+clone+`","tip":"`+revs[len(revs)-1]+`"}]`)
	winnow := filepath.Join(dir, "lazy")
	write(t, winnow, lazyWinnow)
	if err := os.Chmod(winnow, 0o777); err != nil {
		t.Fatal(err)
	}
	var out, progress strings.Builder
	err := run(t.Context(), &out, &progress, []string{"-quick", "-winnow", winnow, dir})
	t.Logf("%s%s", progress.String(), out.String())
	for _, want := range []string{
		"no test of p.ATest was run, which executes p/A.m()I",
		"no test of p.BTest was run, which executes p/B.m()I",
		"p.BTest#ok fails now and was not run",
		"| toy | 2 (1) | 2 (2) | 0 | 0.0 % | 0.0 % | 2 (2) | 1 (1) |",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the table does not say %q", want)
		}
	}
	if err == nil {
		t.Error("misses are no error")
	}
	progress.Reset()
	again := run(t.Context(), &out, &progress, []string{"-quick", "-winnow", winnow, dir})
	if again == nil || strings.Count(progress.String(), "[") != 1 || !strings.Contains(progress.String(), "03-mutants-01") {
		t.Errorf("the second run did more than the step without a result:\n%s", progress.String())
	}
}

// toyHistory has a base and three revisions: a changed body, beside an annotation inside of another; one that does not compile; one that makes a test fail.
func toyHistory(t *testing.T) (string, []string) {
	a, b := "src/main/java/p/A.java", "src/main/java/p/B.java"
	first := map[string]string{"pom.xml": toyPOM, a: class("A", "return 1;"), b: class("B", "int x = 1; return x;"), "src/main/java/p/T.java": toyAnnotation, ".gitignore": "target\n"}
	for _, name := range []string{"A", "B"} {
		first["src/test/java/p/"+name+"Test.java"] = strings.ReplaceAll(strings.ReplaceAll(toyTest, "NameTest", name+"Test"), "NAME", name)
	}
	return repository(t,
		map[string]string{"readme": "the first revision has no parent"},
		first,
		map[string]string{a: class("A", "return 2;"), b: class("B", "@T int x = 1; return x;")},
		map[string]string{a: class("A", "return no;")},
		map[string]string{a: class("A", "return 2;"), b: class("B", `throw new RuntimeException();`)},
	)
}
