package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"winnow/internal/jvm/jvmtest"
	"winnow/internal/safety"
	"winnow/internal/testenv"
)

const (
	setter = "src/test/java/p/ATest.java"
	reader = "src/test/java/p/ZTest.java"
	level  = "src/main/java/p/Level.java"
)

// recorded makes the project of testdata/absent.txtar, with one edit, all of whose tests have run.
func recorded(t *testing.T, old, new string) string {
	t.Helper()
	dir := written(t, nil)
	replace(t, filepath.Join(dir, setter), old, new)
	invoke(t, safety.Rules{}, dir, "test", "--", "-q").want(t, ExitOK, "6 passed")
	return dir
}

// written makes that project, with more files, none of whose tests has run.
func written(t *testing.T, more map[string]string) string {
	t.Helper()
	if _, err := exec.LookPath("mvn"); err != nil {
		testenv.Missing(t, "Maven (mvn)", err)
	}
	t.Setenv("JAVA_HOME", jvmtest.JDK(t, 17))
	t.Setenv("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
	t.Setenv("WINNOW_STORE", "")
	archive, err := txtar.ParseFile("testdata/absent.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range more {
		archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(text)})
	}
	dir := filepath.Join(t.TempDir(), "first")
	if err := txtar.Write(archive, dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// another is a copy of a project, with what is recorded of it.
func another(t *testing.T, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "second")
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return to
}

// TestAbsentTests: a test that ran alone still depends on those that change what it reads (S8.11).
func TestAbsentTests(t *testing.T) {
	dir := recorded(t, "int level = 1;", "")
	after := func(in safety.Rules, dir string, code Exit, texts ...string) {
		t.Helper()
		replace(t, filepath.Join(dir, level), "return level;", "return +level - 0;")
		replace(t, filepath.Join(dir, level), `Integer.getInteger("level")`, `Integer.getInteger("level", 0)`)
		invoke(t, in, dir, "test", "--", "-q").want(t, ExitOK, "Ran 2 tests")
		replace(t, filepath.Join(dir, setter), "Level.set(1)", "Level.set(7)")
		replace(t, filepath.Join(dir, setter), `"level", "1"`, `"level", "7"`)
		invoke(t, in, dir, "test", "--", "-q").want(t, code, texts...)
	}
	after(safety.Without(safety.AbsentCounts), another(t, dir), ExitOK, "2 passed")
	after(safety.Rules{}, dir, ExitTests, "too high", "too loud")
	// A record that does not know the setter would hold.
	replace(t, filepath.Join(dir, setter), "Level.set(7)", "Level.set(2)")
	replace(t, filepath.Join(dir, setter), `"level", "7"`, `"level", "2"`)
	invoke(t, safety.Rules{}, dir, "test", "--", "-q").want(t, ExitOK, "4 passed")
}

// TestAbsentApart: with a JVM for each class, tests of one class still meet in its JVM, and all in files (S8.11).
func TestAbsentApart(t *testing.T) {
	const (
		one = "src/main/java/p/One.java"
		two = "src/main/java/p/Two.java"
	)
	dir := written(t, map[string]string{
		one: "package p;\n\nclass One {\n    static int get() {\n        return 1;\n    }\n}\n",
		two: "package p;\n\nclass Two {\n    static int get() {\n        return 2;\n    }\n}\n",
		"src/test/java/p/BothTest.java": `package p;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.*;

@TestMethodOrder(MethodOrderer.MethodName.class)
class BothTest {
    @Test
    void a() {
        Level.set(One.get());
    }

    @Test
    void b() {
        assertTrue(Level.get() < 3 + Two.get(), "too high");
    }
}
`,
		"src/test/java/p/FillsTest.java": "package p;\n\nclass FillsTest {\n    @org.junit.jupiter.api.Test\n    void fills() throws Exception {\n        java.nio.file.Files.write(java.nio.file.Path.of(\"level.txt\"), new byte[One.get()]);\n    }\n}\n",
		"src/test/java/p/FindsTest.java": "package p;\n\nclass FindsTest {\n    @org.junit.jupiter.api.Test\n    void finds() throws Exception {\n        org.junit.jupiter.api.Assertions.assertTrue(java.nio.file.Files.readAllBytes(java.nio.file.Path.of(\"level.txt\")).length < 3 + Two.get(), \"too long\");\n    }\n}\n",
	})
	for _, name := range []string{setter, reader} { // they need one another in a JVM
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	replace(t, filepath.Join(dir, "pom.xml"), "<configuration>", "<configuration><reuseForks>false</reuseForks>")
	invoke(t, safety.Rules{}, dir, "test", "--", "-q").want(t, ExitOK, "4 passed")
	after := func(in safety.Rules, dir string, code Exit, texts ...string) {
		t.Helper()
		replace(t, filepath.Join(dir, two), "return 2;", "return Math.abs(2);")
		invoke(t, in, dir, "test", "--", "-q").want(t, ExitOK, "Ran 2 tests")
		replace(t, filepath.Join(dir, one), "return 1;", "return 7;")
		invoke(t, in, dir, "test", "--", "-q").want(t, code, texts...)
	}
	after(safety.Without(safety.AbsentCounts), another(t, dir), ExitOK, "2 passed")
	after(safety.Rules{}, dir, ExitTests, "too high", "too long")
}

// TestFilesOfExecutions: what the tests of one execution write is looked at before those of the next are selected.
func TestFilesOfExecutions(t *testing.T) {
	const one = "src/main/java/p/One.java"
	dir := written(t, map[string]string{
		one:                              "package p;\n\nclass One {\n    static int get() {\n        return 1;\n    }\n}\n",
		"src/test/java/p/FillsTest.java": "package p;\n\nclass FillsTest {\n    @org.junit.jupiter.api.Test\n    void fills() throws Exception {\n        java.nio.file.Files.write(java.nio.file.Path.of(\"level.txt\"), new byte[One.get()]);\n    }\n}\n",
		"src/test/java/p/FindsIT.java":   "package p;\n\nclass FindsIT {\n    @org.junit.jupiter.api.Test\n    void finds() throws Exception {\n        org.junit.jupiter.api.Assertions.assertEquals(1, java.nio.file.Files.readAllBytes(java.nio.file.Path.of(\"level.txt\")).length, \"too long\");\n    }\n}\n",
	})
	replace(t, filepath.Join(dir, "pom.xml"), "</configuration>", "</configuration><executions><execution><id>more</id><phase>test</phase><goals><goal>test</goal></goals><configuration><includes><include>**/*IT.java</include></includes></configuration></execution></executions>")
	invoke(t, safety.Rules{}, dir, "test", "--", "-q").want(t, ExitOK, "8 passed")
	replace(t, filepath.Join(dir, one), "return 1;", "return 7;")
	invoke(t, safety.Rules{}, dir, "test", "--", "-q").want(t, ExitTests, "too long", "Ran 2 tests")
}

// TestBegun: a test begins to change what others read (S8.12).
func TestBegun(t *testing.T) {
	dir := recorded(t, "Level.set(1);", "")
	begin := func(in safety.Rules, dir string, code Exit, texts ...string) {
		t.Helper()
		replace(t, filepath.Join(dir, setter), "int level = 1;", "Level.set(6);")
		invoke(t, in, dir, "test", "--", "-q").want(t, code, texts...)
	}
	begin(safety.Without(safety.BegunCounts), another(t, dir), ExitOK, "Ran 1 test")
	begin(safety.Rules{}, dir, ExitTests, "p.ATest#begins() begins to change p.Level.level; once more with 1 test that reads it", "too high", "a test that ran begins to change state that the test reads")
	// What was recorded before is no proof any more.
	replace(t, filepath.Join(dir, setter), "Level.set(6);", "Level.set(4);")
	invoke(t, safety.Rules{}, dir, "test", "--", "-q").want(t, ExitOK, "2 passed")
	replace(t, filepath.Join(dir, setter), "Level.set(4);", "Level.set(8);")
	invoke(t, safety.Rules{}, dir, "test", "--", "-q").want(t, ExitTests, "too high")
}

// TestBegunByReflection: the same, for a field that no code of the test names.
func TestBegunByReflection(t *testing.T) {
	dir := recorded(t, "Level.set(1);", "")
	replace(t, filepath.Join(dir, setter), "int level = 1;", `try { var f = Class.forName("p.Level").getDeclaredField("level"); f.setAccessible(true); f.setInt(null, 6); } catch (Exception e) { throw new AssertionError(e); }`)
	invoke(t, safety.Without(safety.BegunCounts), another(t, dir), "test", "--", "-q").want(t, ExitOK, "Ran 1 test")
	invoke(t, safety.Rules{}, dir, "test", "--", "-q").want(t, ExitTests, "p.ATest#begins() begins to change p.Level.level", "too high")
}

// TestBacked: a test that was edited itself runs with those that change what it read (S8.13).
func TestBacked(t *testing.T) {
	dir := recorded(t, "int level = 1;", "")
	replace(t, filepath.Join(dir, reader), "Level.get() < 5", "Level.get() < 1")
	invoke(t, safety.Without(safety.PassNeedsBacking), another(t, dir), "test", "--", "-q").want(t, ExitOK, "1 passed")
	invoke(t, safety.Rules{}, dir, "test", "--", "-q").want(t, ExitTests, "too high")
	replace(t, filepath.Join(dir, reader), "too high", "it is too high")
	invoke(t, safety.Rules{}, dir, "test", "--", "-q").want(t, ExitTests, "it is too high")
}

// TestUnbacked: a new test passes only without those that change what it reads (S8.13).
func TestUnbacked(t *testing.T) {
	dir := recorded(t, "int level = 1;", "")
	text := "package p;\n\nclass YTest {\n    @org.junit.jupiter.api.Test\n    void fresh() {\n        org.junit.jupiter.api.Assertions.assertEquals(0, Level.get(), \"not fresh\");\n    }\n}\n"
	if err := os.WriteFile(filepath.Join(dir, filepath.Dir(reader), "YTest.java"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	alone := another(t, dir)
	invoke(t, safety.Without(safety.PassNeedsBacking), another(t, dir), "test", "--", "-q").want(t, ExitOK, "1 passed")
	invoke(t, safety.Rules{}, dir, "test", "--", "-q").want(t, ExitTests, "passed without tests that change p.Level.level, and may fail with them; once more with 1 test that changes it", "not fresh")
	for range 2 { // its pass proves nothing
		invoke(t, safety.Rules{}, alone, "test", "--no-repeat", "--", "-q").want(t, ExitOK, "it proves nothing", "Ran 1 test")
	}
}

// TestReadByOthers: what another test read to fill state that a test found counts as read by that test (S8.13): when it fills the state itself, an earlier pass speaks for it.
func TestReadByOthers(t *testing.T) {
	const kept = "package p;\n\nclass Kept {\n    static String text;\n\n    static String get() {\n        if (text == null) text = \"level \" + Level.get();\n        return text;\n    }\n}\n"
	test := func(name, method, says string) string {
		return "package p;\n\nclass " + name + " {\n    @org.junit.jupiter.api.Test\n    void " + method + "() {\n        org.junit.jupiter.api.Assertions.assertTrue(" + says + ");\n    }\n}\n"
	}
	dir := written(t, map[string]string{
		"src/main/java/p/Kept.java":  kept,
		"src/main/java/p/Other.java": "package p;\n\nclass Other {\n    static int one() {\n        return 1;\n    }\n}\n",
		"src/test/java/p/BTest.java": test("BTest", "fills", "Kept.get() != null"),
		"src/test/java/p/CTest.java": test("CTest", "finds", "Kept.get().length() > Other.one()"),
	})
	invoke(t, safety.Rules{}, dir, "test", "--", "-q").want(t, ExitOK, "8 passed")
	replace(t, filepath.Join(dir, "src/main/java/p/Other.java"), "return 1;", "return Math.abs(1);")
	invoke(t, safety.Rules{}, dir, "test", "--", "-q").want(t, ExitOK, "Ran 1 test")
}

// TestTearDownFails: what fails after the tests of a class fails every time (S3.5).
func TestTearDownFails(t *testing.T) {
	dir := recorded(t, "class ATest {", "class ATest {\n    @org.junit.jupiter.api.AfterAll\n    static void last() {\n        org.junit.jupiter.api.Assertions.assertTrue(Level.get() < 5, \"too high at last\");\n    }\n")
	replace(t, filepath.Join(dir, setter), "Level.set(1)", "Level.set(7)")
	replace(t, filepath.Join(dir, reader), "Level.get() < 5", "Level.get() < 9")
	for range 2 {
		invoke(t, safety.Rules{}, dir, "test", "--", "-q").want(t, ExitTests, "too high at last", "something around the tests of p.ATest failed")
	}
}
