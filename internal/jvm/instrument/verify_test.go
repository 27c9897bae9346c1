package instrument

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"winnow/internal/jvm/jvmtest"
)

// sampleModules are judged without -full.
var sampleModules = only("java.rmi", "java.logging", "java.sql")

// TestVerifyModules lets HotSpot verify the rewritten classes of the JDK's own modules, patched into them. The classes of java.base that a JVM needs to
// start are left as they are.
func TestVerifyModules(t *testing.T) {
	for _, feature := range judges() {
		j := newJVM(t, feature)
		wanted := sampleModules
		if *full {
			wanted = all
		}
		classes := jdkClasses(t, feature, wanted)
		if *full {
			classes = without(classes, j.startClasses())
		}
		list := []string{}
		for _, c := range classes {
			list = append(list, c.module+" "+dotted(c.name))
		}
		names := j.lines("classes", list)
		before := j.ask([]string{verifyAll, "--add-modules", "ALL-SYSTEM"}, "modules", names)
		for _, s := range schemes {
			after := j.ask(append(j.patch(swap(classes, rewriteAll(t, newRewriter(t, s.Scheme), classes))), verifyAll), "modules", names)
			n := compare(t, before, after)
			t.Logf("JDK %d, %s: %d of %d rewritten module classes linked under -Xverify:all, all that did before", feature, s.name, n, len(classes))
			if n < len(classes)*9/10 {
				t.Errorf("JDK %d, %s: only %d of %d classes were judged", feature, s.name, n, len(classes))
			}
		}
	}
}

// patch gives the options that put classes into their modules.
func (j *jvm) patch(classes []classFile) []string {
	j.t.Helper()
	groups := map[string][]classFile{}
	var order []string
	for _, c := range classes {
		if groups[c.module] == nil {
			order = append(order, c.module)
		}
		groups[c.module] = append(groups[c.module], c)
	}
	slices.Sort(order)
	var base []string
	options := []string{"--add-modules", "ALL-SYSTEM"}
	for _, module := range order {
		jar := j.jar(moduleJar(module), groups[module])
		if module == "java.base" {
			base = append(base, jar)
			continue
		}
		options = append(options, "--patch-module", module+"="+jar)
	}
	return append(options, j.withProbe(base...)...)
}

var loadLine = regexp.MustCompile(`(?m)\[class,load\] (\S+) source:`)

// startClasses are the classes that this JVM loads before and for the judge.
func (j *jvm) startClasses() map[string]bool {
	j.t.Helper()
	args := append(slices.Clone(quiet), "-Xshare:off", "-Xlog:class+load:stdout:tags", "-cp", j.judge, "Judge", "modules", j.dir+"/start", j.lines("nothing", []string{"java.base java.lang.Object"}))
	said, err := jvmtest.Command(j.home, "java", args...).Output()
	if err != nil {
		j.t.Fatal(err)
	}
	names := map[string]bool{}
	for _, m := range loadLine.FindAllStringSubmatch(string(said), -1) {
		names[strings.ReplaceAll(m[1], ".", "/")] = true
	}
	if len(names) < 100 {
		j.t.Fatalf("only %d classes are loaded at the start?\n%.500s", len(names), said)
	}
	return names
}

func without(classes []classFile, names map[string]bool) []classFile {
	return slices.DeleteFunc(slices.Clone(classes), func(c classFile) bool { return names[c.name] })
}

// TestVerifyJars does the same with the jars of the artifact list, each in a class loader of its own with all jars behind it. A class that cannot be
// linked without rewriting, because something it needs is in no jar, does not count.
func TestVerifyJars(t *testing.T) {
	names := []string{"junit", "junit-3.8", "commons-codec"}
	if *full {
		names = nil
		for _, a := range jvmtest.All() {
			names = append(names, a.Name)
		}
	}
	for _, feature := range judges() {
		judgeJars(t, newJVM(t, feature), names)
	}
}

func judgeJars(t *testing.T, j *jvm, artifacts []string) {
	var path, before []string
	after := make([][]string, len(schemes))
	total := 0
	for _, a := range artifacts {
		jar := jvmtest.Jar(t, a)
		classes := jarClasses(t, a)
		total += len(classes)
		path = append(path, jar)
		var list []string
		for _, c := range classes {
			list = append(list, dotted(c.name))
		}
		names := j.lines(a+".classes", list)
		before = append(before, j.jar(a+".before.jar", classes)+"\t"+names)
		for i, s := range schemes {
			rewritten := swap(classes, rewriteAll(t, newRewriter(t, s.Scheme), classes))
			after[i] = append(after[i], j.jar(a+"."+s.name+".jar", rewritten)+"\t"+names)
		}
	}
	rest := j.lines("path", path)
	options := append(j.withProbe(), verifyAll)
	was := j.ask(options, "jars", j.lines("before", before), rest)
	for i, s := range schemes {
		n := compare(t, was, j.ask(options, "jars", j.lines("after", after[i]), rest))
		t.Logf("JDK %d, %s: %d of %d rewritten classes of %d jars linked under -Xverify:all, all that did before", j.feature, s.name, n, total, len(artifacts))
		if n < total/2 {
			t.Errorf("JDK %d, %s: only %d of %d classes were judged", j.feature, s.name, n, total)
		}
	}
}

// TestVerifyNotices breaks each probe and expects the judges to see every one: a judge that accepts anything proves nothing.
func TestVerifyNotices(t *testing.T) {
	j := newJVM(t, 25)
	var broken []classFile
	var list []string
	for i, r := range rewriteAll(t, newRewriter(t, Scheme{}), jdkClasses(t, 25, only("java.logging"))) {
		if len(r.Probes) == 0 {
			continue
		}
		data := slices.Clone(r.Bytes)
		at := strings.Index(string(data[r.IDOffset:]), "\x04\x54") // iconst_1, bastore
		if at < 0 {
			t.Fatalf("%s (%d) has no probe", r.Name, i)
		}
		data[r.IDOffset+at+1] = 0x53 // aastore
		broken = append(broken, classFile{"java.logging", r.Name, data})
		list = append(list, "java.logging "+dotted(r.Name))
	}
	if len(broken) < 20 {
		t.Fatalf("only %d classes", len(broken))
	}
	for _, line := range j.ask(append(j.patch(broken), verifyAll), "modules", j.lines("classes", list)) {
		if !strings.Contains(line[1], "VerifyError") {
			t.Errorf("%s was broken, and the JVM says: %s", line[0], line[1])
		}
	}
}

// TestReflection compares what reflection sees of original and rewritten classes, with the serialVersionUID that a JVM computes.
func TestReflection(t *testing.T) {
	classes := append(jarClasses(t, "junit"), jarClasses(t, "commons-codec")...)
	classes = append(classes, jarClasses(t, "hamcrest-core")...)
	if *full {
		classes = append(classes, jarClasses(t, "guava")...)
	}
	var list []string
	for _, c := range classes {
		list = append(list, dotted(c.name))
	}
	rewritten := swap(classes, rewriteAll(t, newRewriter(t, Scheme{}), classes))
	for _, feature := range judges() {
		j := newJVM(t, feature)
		same, lines := 0, 0
		for _, line := range j.ask(append(j.withProbe(), verifyAll), "reflect", j.jar("before.jar", classes), j.jar("after.jar", rewritten), j.lines("classes", list)) {
			var n int
			if _, err := fmt.Sscanf(line[1], "same %d", &n); err != nil {
				t.Errorf("JDK %d: %s %.500s", feature, line[0], line[1])
			}
			same++
			lines += n
		}
		t.Logf("JDK %d: reflection sees the same of %d classes, %d lines", feature, same, lines)
		if same < 300 || lines < 10*same {
			t.Errorf("JDK %d: that is too little", feature)
		}
	}
}

// TestVerifyByLibrary asks the verifier of java.lang.classfile about the classes of java.base that HotSpot cannot be asked about; with -full about all.
func TestVerifyByLibrary(t *testing.T) {
	feature := features[1]
	j := newJVM(t, feature)
	start := j.startClasses()
	classes := slices.DeleteFunc(jdkClasses(t, feature, only("java.base")), func(c classFile) bool { return !*full && !start[c.name] })
	if !*full {
		classes = classes[:100]
	}
	for _, s := range someSchemes() {
		rewritten := swap(classes, rewriteAll(t, newRewriter(t, s.Scheme), classes))
		before, after := j.verify(j.jar("before.jar", classes), j.jar("after.jar", rewritten))
		n := compare(t, before, after)
		t.Logf("JDK %d, %s: %d of %d rewritten classes of java.base accepted by java.lang.classfile, all that were before", feature, s.name, n, len(classes))
		if n < len(classes)*9/10 {
			t.Errorf("only %d of %d classes were judged", n, len(classes))
		}
	}
}

// verify returns what the library's verifier says about the classes of two jars.
func (j *jvm) verify(before, after string) (said, again [][2]string) {
	j.t.Helper()
	one, two := j.dir+"/one", j.dir+"/two"
	args := append(slices.Clone(quiet), "testdata/Verify.java", before, one, after, two)
	if said, err := jvmtest.Command(j.home, "java", args...).CombinedOutput(); err != nil {
		j.t.Fatalf("%v\n%s", err, said)
	}
	return j.answer(one), j.answer(two)
}
