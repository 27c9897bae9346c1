package verify

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/internal/digest"
	"winnow/internal/jvm/classpath"
	"winnow/internal/jvm/jvmtest"
	"winnow/internal/rts"
	"winnow/internal/store"
	"winnow/internal/store/memory"
)

const shop = `package p;
public class T { public static int test() { return new A().m(); } }
class A { int m() { return 1; } int other() { return 2; } }
`

// versions compiles sources of package p, one version each.
func versions(t testing.TB, compiler *jvmtest.Compiler, sources ...string) []map[string][]byte {
	t.Helper()
	var out []map[string][]byte
	for _, source := range sources {
		classes, err := compiler.Compile(map[string]string{"p/T.java": source})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, classes)
	}
	return out
}

// TestPrograms holds the tests on compiled programs, because starting a compiler takes longer than they do.
func TestPrograms(t *testing.T) {
	compiler := jvmtest.NewCompiler(t, jvmtest.JDK(t, 17))
	for name, check := range map[string]func(*testing.T, *jvmtest.Compiler){
		"classes": checkClasses, "foreign table": checkForeignTable, "renumbered": checkRenumbered, "jars": checkJars, "pairs": checkPairs,
	} {
		t.Run(name, func(t *testing.T) { check(t, compiler) })
	}
}

// Each kind of use is noticed when what it stands for changes, appears or goes away.
func TestInputs(t *testing.T) {
	entity := func(kind rts.Kind, name string) rts.Entity { return rts.Entity{Kind: kind, Name: name} }
	set := func(name, value string) func(*scene) { return func(s *scene) { t.Setenv(name, value) } }
	write := func(name, text string) func(*scene) { return func(s *scene) { s.file(name, text) } }
	remove := func(name string) func(*scene) {
		return func(s *scene) {
			if err := os.Remove(s.path(name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	none := func(*scene) {}
	one, two := digest.OfString("1").String(), digest.OfString("2").String()
	property := func(name, d string) func(*scene) { return func(s *scene) { s.setting.Properties[name] = d } }
	tool := func(name, d string) func(*scene) { return func(s *scene) { s.setting.Tools[name] = d } }
	const another, appeared, gone = "it is another one now", "it was looked for in vain and is there now", "it is gone"
	for _, test := range []struct {
		entity         rts.Entity
		before, change func(*scene)
		want           string
	}{
		{entity(rts.KindFile, "$project/f"), write("f", "1"), write("f", "2"), another},
		{entity(rts.KindFile, "$project/f"), write("f", "1"), remove("f"), gone},
		{entity(rts.KindFile, "$project/f"), none, write("f", ""), appeared},
		{entity(rts.KindFile, "$nowhere/f"), none, none, "what it is now cannot be determined"},
		{entity(rts.KindDir, "$project/d"), write("d/a", "1"), write("d/b", "1"), another},
		{entity(rts.KindPath, "$project/f"), write("f", "1"), write("f", "12"), another},
		{entity(rts.KindEnv, "WINNOW_TEST_X"), set("WINNOW_TEST_X", "1"), set("WINNOW_TEST_X", "2"), another},
		{entity(rts.KindProperty, "x"), property("x", one), property("x", two), another},
		{entity(rts.KindProperty, "x"), none, property("x", two), appeared},
		{entity(rts.KindProperty, "*"), property("*", one), property("*", two), another},
		{entity(rts.KindTool, "jdk"), tool("jdk", one), tool("jdk", two), another},
		{entity(rts.KindTool, "jdk"), tool("jdk", one), func(s *scene) { delete(s.setting.Tools, "jdk") }, gone},
		{entity(kindResource, "r.txt"), write("more/r.txt", "1"), write("more/r.txt", "2"), another},
		{entity(kindResource, "r.txt"), write("more/r.txt", "1"), write("classes/r.txt", "1"), another},
		{entity(kindResource, "r.txt"), none, write("more/r.txt", "1"), appeared},
		{entity(kindManifest, classpath.Manifest), write("more/META-INF/MANIFEST.MF", "Implementation-Version: 1\n"), write("more/META-INF/MANIFEST.MF", "Implementation-Version: 2\n"), another},
		{entity(kindManifest, classpath.Manifest), write("more/META-INF/MANIFEST.MF", "Implementation-Version: 1\n"), write("more/META-INF/MANIFEST.MF", "Bundle-Version: 1\n"), gone},
		{entity(kindResource, "d"), write("more/d/a", "1"), write("more/d/b", "1"), another},
		{entity(kindResource, "d/"), write("more/d/a", "1"), remove("more/d/a"), gone},
		{entity(kindClass, "p/Late"), none, func(s *scene) {
			jvmtest.WriteClasses(t, s.path("more"), map[string][]byte{"p/Late": []byte("rubbish")})
		}, "it cannot be read: class file: "},
	} {
		t.Run(test.entity.String()+" "+test.want, func(t *testing.T) {
			s := newScene(t, nil)
			test.before(s)
			s.passed(rts.Use{Entity: test.entity, Digest: s.digest(test.entity)})
			if test.want != "what it is now cannot be determined" {
				s.want()
			}
			s.options.Files = nil
			test.change(s)
			got := said(s.check())
			if len(got) != 1 || !strings.HasPrefix(got[0], "broken "+test.entity.String()+": "+test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// digest is what recording says of an entity.
func (s *scene) digest(e rts.Entity) digest.Digest {
	switch e.Kind {
	case kindResource:
		return s.program().Resource(e.Name)
	case kindManifest:
		return s.program().Manifests()
	case kindClass:
		return s.program().Digest(e.Name)
	case rts.KindProperty:
		return item(s.setting.Properties, e.Name)
	case rts.KindTool:
		return item(s.setting.Tools, e.Name)
	}
	return s.files().Digest(e)
}

// What nobody can know is never fine.
func TestUnknowable(t *testing.T) {
	use := func(kind rts.Kind, d digest.Digest) rts.Use {
		return rts.Use{Entity: rts.Entity{Kind: kind, Name: "x"}, Digest: d}
	}
	some := digest.OfString("x")
	const never = ": nothing is known about it at any time, and no inputs are declared in its place"
	newScene(t, nil).passed(use(rts.KindExternal, some)).want("broken external x" + never)
	newScene(t, nil).passed(use(rts.KindOpaque, some)).want("broken opaque x" + never)
	newScene(t, nil).passed(use("cell", some)).want(`open cell x: the checker does not know the kind "cell"`)
	newScene(t, nil).passed(use(rts.KindProperty, digest.Unknown)).want("broken property x: what it was is not known")
	newScene(t, nil).passed(use(kindClass, some)).want("broken class x: its recorded table is not in the store")
	s := newScene(t, nil).passed(rts.Use{Entity: rts.Entity{Kind: kindClass, Name: "core!x"}, Digest: some})
	s.want("open class core!x: the last run left no settings of core")
	s = newScene(t, nil).passed(use(rts.KindProperty, some))
	s.setting.JDK = s.path("no jdk")
	if got := said(s.check()); len(got) != 1 || !strings.HasPrefix(got[0], "broken property x: the class path of the root module cannot be read: ") {
		t.Errorf("a JDK that is gone: %q", got)
	}
}

// Declared inputs stand for what cannot be tracked, if the record has them.
func TestDeclared(t *testing.T) {
	outside := rts.Use{Entity: rts.Entity{Kind: rts.KindExternal, Name: "network"}, Digest: digest.OfString("x")}
	input := rts.Entity{Kind: rts.KindFile, Name: "$project/f"}
	make := func(uses ...rts.Use) *scene {
		s := newScene(t, nil).passed(append(uses, outside)...)
		s.options.Declared = func(id rts.TestID) []rts.Entity { return []rts.Entity{input} }
		return s
	}
	make(rts.Use{Entity: input, Digest: digest.Absent}).want()
	make().want("broken record: the record lacks file $project/f, which is declared for the test")
	s := make(rts.Use{Entity: input, Digest: digest.Absent})
	s.file("f", "1")
	s.want("broken file $project/f: it was looked for in vain and is there now")
}

// A proof that does not rest on a proper record is refused.
func TestTampered(t *testing.T) {
	start := func() *scene { return newScene(t, nil).passed() }
	const at = "of 2024-05-06 07:08:09.123 at 012345678"
	s := start()
	s.want()
	for o := rts.OutcomeNone; o < rts.Outcomes; o++ {
		s := start()
		s.rec.Records[0].Outcome = o
		if o.Proves() {
			s.want()
		} else {
			s.want(fmt.Sprintf("broken record: the record %s ended as %s", at, o))
		}
	}
	s = start()
	s.rec.Records[0].Incomplete = true
	s.want("broken record: the record " + at + " is incomplete")
	s = start()
	s.rec.Records[0].Test = "p.T#n"
	s.want("broken record: the store has no record of the test " + at)
	s = start()
	s.sel.Decisions[0].Proof.Meta.When = epoch.Add(time.Millisecond)
	s.want("broken record: the store has no record of the test of 2024-05-06 07:08:09.124 at 012345678")
	s = start()
	s.sel.Decisions[0].Proof.Meta.When = epoch.Add(-time.Minute)
	s.want("open record: the store has no record of the test of 2024-05-06 07:07:09.123 at 012345678")
	s = start()
	s.sel.Decisions[0].Proof.Meta.Revision = "f"
	s.want("broken record: the store has no record of the test of 2024-05-06 07:08:09.123 at f")
	s = start()
	s.sel.Decisions[0].Test.Always = rts.Pinned
	s.want("broken record: the test is pinned, and must run always")
}

// Decisions that leave nothing out are not checked.
func TestSelectedIsNoProof(t *testing.T) {
	s := newScene(t, nil).passed()
	s.sel.Decisions[0].Reasons = []rts.Reason{{Code: rts.NoRecord}}
	s.sel.Decisions = append(s.sel.Decisions, rts.Decision{Test: rts.Test{ID: "gone"}, Obsolete: "it is gone"})
	ctx := context.Background()
	v, err := store.New(&memory.Backend{}).View(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	rep, err := Check(ctx, v, s.sel, Options{Files: s.files()})
	if err != nil || rep.Proofs != 0 || len(rep.Findings) != 0 {
		t.Errorf("%+v, %v", rep, err)
	}
}

// A failure whose inputs hold as well speaks against a pass; one with other inputs, one that was interrupted, or an incomplete earlier one does not.
func TestContradiction(t *testing.T) {
	input := func(on string) rts.Use {
		return rts.Use{Entity: rts.Entity{Kind: rts.KindFile, Name: "$project/f"}, Digest: contentOf(on)}
	}
	failed := func(s *scene, o rts.Outcome, incomplete bool, minutes int, use rts.Use) *scene {
		s.more = append(s.more, &rts.Recording{
			Meta: rts.Meta{When: epoch.Add(time.Duration(minutes) * time.Minute)}, Footprints: []rts.Footprint{{Uses: []rts.Use{use}}},
			Records: []rts.Record{{Test: test, Outcome: o, Incomplete: incomplete}},
		})
		return s
	}
	start := func() *scene {
		s := newScene(t, nil)
		s.file("f", "1")
		return s.passed(input("1"))
	}
	failed(start(), rts.Failed, false, -1, input("1")).want("broken record: the record of 2024-05-06 07:07:09.123 ended as failed, and its inputs are what they were, too")
	failed(start(), rts.Killed, true, 1, input("1")).want("broken record: the record of 2024-05-06 07:09:09.123 ended as killed, and its inputs are what they were, too")
	failed(start(), rts.Killed, true, -1, input("1")).want()
	failed(start(), rts.Failed, false, 1, input("2")).want()
	failed(start(), rts.OutcomeNone, false, 1, input("1")).want()
	failed(start(), rts.Failed, false, 1, rts.Use{Entity: rts.Entity{Kind: "cell", Name: "x"}}).want(
		"open record: the record of 2024-05-06 07:09:09.123 ended as failed, and it cannot be excluded that its inputs are what they were")
}

// contentOf is the digest that package vfs gives to a file with a text.
func contentOf(text string) digest.Digest { return fileDigest([]byte(text)) }

// What is shared counts for everyone who shares it.
func TestShared(t *testing.T) {
	s := newScene(t, nil)
	s.file("f", "1")
	use := rts.Use{Entity: rts.Entity{Kind: rts.KindFile, Name: "$project/f"}, Digest: contentOf("1")}
	s.rec.Footprints = []rts.Footprint{{Label: "set-up of T", Uses: []rts.Use{use}}, {Label: "group", Includes: []int{0}}}
	s.passed().passed()
	for i := range s.rec.Records {
		s.rec.Footprints[s.rec.Records[i].Footprint].Includes = []int{1}
	}
	s.rec.Records[1].Test = "p.T#n"
	s.sel.Decisions[1].Test.ID = "p.T#n"
	if rep := s.check(); rep.Held != 2 || rep.Uses != 2 || rep.Compared != 1 {
		t.Errorf("%+v", rep)
	}
	s.options.Files = nil
	s.file("f", "2")
	rep := s.check()
	if rep.Broken != 2 || len(rep.Findings) != 2 || rep.Findings[0].Through != "set-up of T" || rep.Findings[0].Test != test {
		t.Errorf("%+v", rep)
	}
}

// A difference that the proof does not list is refused, even if it does not matter; so is a store that gives other bytes than were recorded.
func checkClasses(t *testing.T, compiler *jvmtest.Compiler) {
	v := versions(t, compiler, shop, strings.Replace(shop, "return 2", "return 3", 1), strings.Replace(shop, "return 1", "return 3", 1))
	record := func() *scene {
		s := newScene(t, v[0])
		return s.passed(s.recorder().enter("p/T.test()I", "p/A.<init>()V", "p/A.m()I").list()...)
	}
	s := record()
	s.want()
	if rep := s.check(); rep.Classes != 2 || rep.Uses != 2 {
		t.Errorf("%+v", rep)
	}
	s.write(v[1])
	s.want("broken class p/A: it differs, and the proof does not say so")
	s.differs("p/A").want()
	s.write(v[2])
	s.want("broken class p/A: method m()I, which the test entered, has another body")

	s = record()
	for d, body := range s.rec.Bodies {
		if strings.Contains(string(body), "p/A") && strings.Contains(string(body), "other") {
			s.rec.Bodies[d] = append(slices.Clone(body), 0)
		}
	}
	s.want("broken class p/A: its recorded table is not the one that the record names")

	s = record()
	for i, u := range s.rec.Footprints[0].Uses {
		s.rec.Footprints[0].Uses[i].Entries = append(u.Entries, 99)
	}
	s.write(v[1])
	s.differs("p/A").want("broken class p/A: the record covers entry 99, which its table does not have")
}

// Of one table under the name of another class nothing is believed.
func checkForeignTable(t *testing.T, compiler *jvmtest.Compiler) {
	v := versions(t, compiler, shop)
	s := newScene(t, v[0])
	uses := s.recorder().enter("p/A.m()I").list()
	for i := range uses {
		if uses[i].Entity.Name == "p/A" {
			uses[i].Entity.Name = "p/T"
		}
	}
	s.passed(uses...).want("broken class p/T: the recorded table is about p/A")
}

// Renumbering is seen through within one place. Where another place may name the old number the checker says so.
func checkRenumbered(t *testing.T, compiler *jvmtest.Compiler) {
	const source = `package p;
public class T {
  static Object other() { return null; }
  public static Object test() { return new Object() { public String toString() { return "x"; } }; }
}
`
	v := versions(t, compiler, source, strings.Replace(source, "return null", "return new Object() { public int hashCode() { return 7; } }", 1))
	record := func() *scene {
		s := newScene(t, v[0])
		return s.passed(s.recorder().enter("p/T.test()Ljava/lang/Object;", "p/T$1.<init>()V", "p/T$1.toString()Ljava/lang/String;").list()...)
	}
	s := record()
	s.write(v[1])
	s.differs("p/T", "p/T$1").want()

	// The other place has a class with the name of the anonymous class in it.
	s = record()
	user, err := compiler.Compile(map[string]string{"q/U.java": "package q; public class U { public static String u() { return \"p/T$1\"; } }"})
	if err != nil {
		t.Fatal(err)
	}
	jvmtest.WriteClasses(t, s.path("more"), user)
	r := s.recorder().enter("q/U.u()Ljava/lang/String;")
	s.rec.Footprints[0].Uses = rts.SortUses(append(s.rec.Footprints[0].Uses, r.list()...))
	s.write(v[1])
	s.differs("p/T", "p/T$1").want("open class p/T$1: its number is another one, and q/U may name it by the old one")
}

// Classes and resources of jars are those that a JVM of the setting's version sees, and modules have names of their own.
func checkJars(t *testing.T, compiler *jvmtest.Compiler) {
	v := versions(t, compiler, shop, strings.Replace(shop, "return 1", "return 3", 1))
	s := newScene(t, nil)
	s.setting.Scope = "core"
	s.setting.ClassPath = []string{s.path("lib.jar")}
	files := map[string][]byte{"META-INF/MANIFEST.MF": []byte("Multi-Release: true\n"), "r.txt": []byte("old"), "d/x": nil}
	for name, data := range v[0] {
		files[name+".class"] = []byte("not this one")
		files["META-INF/versions/9/"+name+".class"] = data
	}
	files["META-INF/versions/11/r.txt"] = []byte("1")
	writeJar(t, s.path("lib.jar"), files)
	p := s.program()
	r := &recorder{t: t, p: p, scope: "core!", uses: map[string]rts.Use{}, bodies: s.rec.Bodies}
	uses := r.enter("p/T.test()I", "p/A.m()I").list()
	for _, name := range []string{"r.txt", "d", "p/A.class", "META-INF/versions/11/r.txt", "none"} {
		uses = append(uses, rts.Use{Entity: rts.Entity{Kind: kindResource, Name: "core!" + name}, Digest: p.Resource(name)})
	}
	s.passed(uses...).want()

	files["META-INF/versions/11/r.txt"] = []byte("2")
	writeJar(t, s.path("lib.jar"), files)
	s.want("broken resource core!d: it is another one now", "broken resource core!r.txt: it is another one now")
	files["META-INF/versions/9/p/A.class"] = v[1]["p/A"]
	writeJar(t, s.path("lib.jar"), files)
	s.want("broken class core!p/A: method m()I, which the test entered, has another body", "broken resource core!d: it is another one now",
		"broken resource core!p/A.class: it is another one now", "broken resource core!r.txt: it is another one now")
	if err := os.WriteFile(s.path("lib.jar"), []byte("no jar"), 0o644); err != nil {
		t.Fatal(err)
	}
	if rep := s.check(); rep.Broken != 1 || len(rep.Findings) != 5 {
		t.Errorf("no jar: %q", said(rep))
	}
}

func writeJar(t testing.TB, path string, files map[string][]byte) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(f)
	for _, name := range sortedKeys(files) {
		part, err := w.Create(name)
		if err == nil {
			_, err = part.Write(files[name])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestInterrupted(t *testing.T) {
	s := newScene(t, nil).passed()
	ctx, cancel := context.WithCancel(context.Background())
	st := store.New(&memory.Backend{})
	if err := st.Append(ctx, s.rec); err != nil {
		t.Fatal(err)
	}
	v, err := st.View(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	cancel()
	if rep, err := Check(ctx, v, s.sel, Options{Files: s.files()}); rep != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", rep, err)
	}
}

func TestSettings(t *testing.T) {
	dir := t.TempDir()
	if list, err := ReadSettings(filepath.Join(dir, "none")); len(list) != 0 || err != nil {
		t.Errorf("no directory: %v, %v", list, err)
	}
	put := func(name string, data []byte) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name, SettingFile), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, scope := range []string{"", "core@it"} {
		data, err := Setting{Scope: scope, JDK: "/jdk", ClassPath: []string{"/a"}, Tools: map[string]string{"jdk": "absent"}}.Encode()
		if err != nil {
			t.Fatal(err)
		}
		put("of "+scope, data)
	}
	list, err := ReadSettings(dir)
	if err != nil || len(list) != 2 || list[1].Scope != "core@it" || list[1].ClassPath[0] != "/a" || item(list[1].Tools, "jdk") != digest.Absent {
		t.Errorf("%+v, %v", list, err)
	}
	for text, want := range map[string]string{
		"{":                              "unexpected end",
		`{"schema":2}`:                   "schema 2, want 1",
		`{"schema":1}`:                   "are both about the root module",
		`{"schema":1,"scope":"core@it"}`: "are both about core@it",
		`{"schema":1,"scope":"x","tools":{"jdk":"1234"}}`: `jdk: digest "1234"`,
	} {
		put("zzz", []byte(text))
		if list, err := ReadSettings(dir); list != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v", text, list, err)
		}
	}
}

func FuzzSetting(f *testing.F) {
	data, err := Setting{Scope: "core", JDK: "/jdk", ClassPath: []string{"/a"}, Properties: map[string]string{"x": "unknown"}, Tools: map[string]string{"jdk": digest.OfString("1").String()}}.Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`{"schema":1,"tools":{"a":"b"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := DecodeSetting(data)
		if err != nil {
			if s != nil {
				t.Fatal("a setting beside an error")
			}
			return
		}
		once, err := s.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := DecodeSetting(once)
		if err != nil {
			t.Fatal(err)
		}
		twice, err := again.Encode()
		if err != nil || string(twice) != string(once) {
			t.Fatalf("%s, then %s, %v", once, twice, err)
		}
	})
}
