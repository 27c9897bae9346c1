package cli

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/internal/jvm/maven"
	"winnow/internal/jvm/project"
	"winnow/internal/vfs"
)

// TestPomLeaves: a build that may read something beside the tree starts every time.
func TestPomLeaves(t *testing.T) {
	base := t.TempDir()
	root, beside := filepath.Join(base, "root"), filepath.Join(base, "beside")
	for _, dir := range []string{filepath.Join(root, "module"), beside} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	h := &mavenRun{session: &session{w: &workspace{root: root}}}
	for _, c := range []struct {
		dir, text string
		want      bool
	}{
		{"", "<directory>src/main/resources</directory>", false},
		{"", "<directory>../beside</directory>", true},
		{"", "<directory>${project.basedir}/..</directory>", true},
		{"", "<argument>--from=${basedir}/../beside/x</argument>", true},
		{"module", "<relativePath>../pom.xml</relativePath>", false},
		{"module", "<directory>..</directory>", false},
		{"module", "<directory>../../beside</directory>", true},
		{"module", "<exists>${maven.multiModuleProjectDirectory}/../beside/x</exists>", true},
		{"module", "<filter>${project.parent.basedir}/../beside/x</filter>", true},
		{"module", "<filter>${project.basedir}/../beside/x</filter>", false},
		{"", "<!-- and so on... or ..., [1.0,2) --><version>1..2</version>", false},
		{"", "<directory>" + beside + "</directory>", true},
		{"", "<directory>" + filepath.Join(root, "module") + "</directory>", false},
		{"", "<pattern>/no/such/path</pattern><url>https://example.org/a</url><x a='b' />", false},
		{"", "<file>${user.home}/.own/settings.properties</file>", true},
		{"", "<file>${env.CONF}/x</file><home>${user.home}</home>", true},
		{"", "<value>${env.CI}</value>", false},
		{"", "<parent>\n<version>1-SNAPSHOT</version></parent>", true},
		{"", "<parent><version>1</version></parent><version>1-SNAPSHOT</version>", false},
		{"module", "<parent><version>1-SNAPSHOT</version></parent>", false},
		{"module", "<plugin><version>1</version></plugin><plugin><version>2-SNAPSHOT</version></plugin>", true},
		{"", "<dependency><version>2-SNAPSHOT</version><type>pom</type><scope>import</scope></dependency>", true},
		{"", "<dependency><version>2-SNAPSHOT</version></dependency><dependency><version>2</version><scope>import</scope></dependency>", false},
		{"module", "<properties><bom>2-SNAPSHOT</bom></properties><dependency><version>${bom}</version><scope>import</scope></dependency>", true},
		{"", "<properties><bom>2</bom><x>1-SNAPSHOT</x></properties><dependency><version>${bom}</version><scope>import</scope></dependency>", false},
		{"", "<version>1-SNAPSHOT</version><dependency><version>${project.version}</version><scope>import</scope></dependency>", false},
		{"", "<plugin><version>1</version></plugin><dependency><version>2-SNAPSHOT</version></dependency><plugin></plugin>", false},
		{"module", "<dependency><version>[1,)</version></dependency>", true},
		{"", "<properties><range>(1,2]</range></properties><dependency><version>${range}</version></dependency>", true},
		{"", "<plugin><version>LATEST</version></plugin>", true},
		{"", "<plugin><version>1</version><configuration><rules><requireJavaVersion><version>[9,)</version></requireJavaVersion></rules></configuration></plugin>", false},
		{"", "<plugin><version>1</version><configuration><toolchains><jdk><version>[17,)</version><vendor>a</vendor></jdk></toolchains></configuration></plugin>", false},
		{"", "<plugin><version>1</version><configuration><annotationProcessorPaths><path><artifactId>a</artifactId><version>[1,)</version></path></annotationProcessorPaths></configuration></plugin>", true},
		{"", "<properties><range>(1,2]</range></properties><dependency><version>${other}</version></dependency><requires><version>[3.6,)</version></requires>", false},
	} {
		pom := filepath.Join(root, c.dir, "pom.xml")
		if err := os.WriteFile(pom, []byte("<project>"+c.text+"</project>"), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := h.pomLeaves(pom); got != c.want {
			t.Errorf("in %q, %s: %v", c.dir, c.text, got)
		}
	}
	if !slices.Contains(h.vain, "/no/such/path") {
		t.Errorf("it is not looked whether /no/such/path appears: %q", h.vain)
	}
	if !h.pomLeaves(filepath.Join(root, "none", "pom.xml")) {
		t.Error("a POM that cannot be read leads nowhere else")
	}
}

// TestOptionPaths: files beside the tree that options name are looked at, wherever Maven takes options from; with a directory there nobody can say that nothing changed.
func TestOptionPaths(t *testing.T) {
	base := t.TempDir()
	root, beside := filepath.Join(base, "root"), filepath.Join(base, "beside")
	h := &mavenRun{session: &session{w: &workspace{root: root}}}
	for _, c := range []struct {
		place  string // of the options: "" for the command line
		words  []string
		paths  []string
		leaves bool
	}{
		{"", []string{"test", "-q", "-pl", "core", "-Dx=1", "-s", "ci/settings.xml"}, nil, false},
		{"", []string{"-s", beside + "/settings.xml"}, []string{beside + "/settings.xml"}, false},
		{"", []string{"--settings=../beside/settings.xml"}, []string{beside + "/settings.xml"}, false},
		{"", []string{"-s../beside/settings.xml", "-gs" + beside + "/global.xml", "-fae"}, []string{beside + "/settings.xml", beside + "/global.xml"}, false},
		{"", []string{"-Dconf=a,../beside/one:../beside/two"}, []string{beside + "/one", beside + "/two"}, false},
		{"", []string{"-Dconf=" + beside}, []string{beside}, true},
		{"", []string{"-Dmaven.repo.local=" + beside}, nil, false},
		{"", []string{"-f", beside + "/pom.xml"}, []string{beside + "/pom.xml"}, true},
		{"MAVEN_ARGS", []string{"-gs ../beside/settings.xml"}, []string{beside + "/settings.xml"}, false},
		{"MAVEN_OPTS", []string{"-javaagent:../beside/a.jar=x -Xmx1g"}, []string{beside + "/a.jar"}, false},
		{".mvn/maven.config", []string{"-t", "../beside/toolchains.xml"}, []string{beside + "/toolchains.xml"}, false},
		{".mvn/jvm.config", []string{"@../beside/options"}, []string{beside + "/options"}, false},
	} {
		if err := errors.Join(os.RemoveAll(root), os.MkdirAll(filepath.Join(root, ".mvn"), 0o755), os.MkdirAll(beside, 0o755)); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"MAVEN_ARGS", "MAVEN_OPTS", "MAVEN_CONFIG"} {
			t.Setenv(name, "")
		}
		args := c.words
		switch {
		case strings.HasPrefix(c.place, "MAVEN_"):
			args = nil
			t.Setenv(c.place, strings.Join(c.words, " "))
		case c.place != "":
			args = nil
			if err := os.WriteFile(filepath.Join(root, c.place), []byte(strings.Join(c.words, "\n")), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got := h.optionPaths(args); !slices.Equal(got, c.paths) {
			t.Errorf("%s %q: %q, want %q", c.place, c.words, got, c.paths)
		}
		if got := h.optionsLeave(args); got != c.leaves {
			t.Errorf("%s %q leave: %v", c.place, c.words, got)
		}
	}
}

// TestActivated: a profile of a POM or of settings beside the tree can be activated by any file.
func TestActivated(t *testing.T) {
	file := filepath.Join(t.TempDir(), "settings.xml")
	for _, c := range []struct {
		path string
		want bool
	}{
		{"/no/such/flag", false}, {"${basedir}/src/main/x", false}, {"src/main/x", false},
		{"${project.basedir}/../x", true}, {"${user.home}/.flag", true}, {"${basedir}${x}", true}, {"~/x", true}, {"../x", true},
	} {
		if err := os.WriteFile(file, []byte("<settings><activation><file><missing>\n "+c.path+"\n</missing></file></activation></settings>"), 0o644); err != nil {
			t.Fatal(err)
		}
		h := &mavenRun{session: &session{w: &workspace{root: t.TempDir()}}}
		if got := h.activatedBeside([]string{"-s", file}); got != c.want {
			t.Errorf("%s: %v", c.path, got)
		}
		if got := slices.Contains(h.vain, c.path); got != filepath.IsAbs(c.path) {
			t.Errorf("it is looked at %s: %v", c.path, got)
		}
	}
}

// TestUpdates: what a repository has now is asked by Maven alone, every time that it would.
func TestUpdates(t *testing.T) {
	base := t.TempDir()
	root, local := filepath.Join(base, "root"), filepath.Join(base, "local")
	for _, file := range []string{"root/x", "local/here/1-SNAPSHOT/maven-metadata-local.xml", "local/there/1-SNAPSHOT/maven-metadata-central.xml", "local/asked/1-SNAPSHOT/resolver-status.properties"} {
		file = filepath.Join(base, file)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, nil, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args []string
		read string
		want bool
	}{
		{nil, "one/1/one-1.jar", false},
		{[]string{"-q", "-U"}, "one/1/one-1.jar", true},
		{[]string{"--update-snapshots"}, "one/1/one-1.jar", true},
		{nil, "here/1-SNAPSHOT/here-1-SNAPSHOT.jar", false},
		{nil, "there/1-SNAPSHOT/there-1-20260101.010101-1.jar", true},
		{nil, "asked/1-SNAPSHOT/asked-1-SNAPSHOT.pom", true},
		{[]string{"-o"}, "there/1-SNAPSHOT/there-1-SNAPSHOT.jar", false},
		{nil, "gone/1-SNAPSHOT/gone-1-SNAPSHOT.jar", true},
	} {
		h := &mavenRun{session: &session{w: &workspace{root: root}}}
		h.modules = []*mavenModule{{Module: &project.Module{}, request: &maven.Request{Read: []string{filepath.Join(local, c.read)}}}}
		if got := h.updates(c.args); got != c.want {
			t.Errorf("%q with %s: %v", c.args, c.read, got)
		}
	}
}

// TestJavaPrograms: another JDK behind a link is another JDK, whether JAVA_HOME or the path leads to it.
func TestJavaPrograms(t *testing.T) {
	base := t.TempDir()
	root, link := filepath.Join(base, "root"), filepath.Join(base, "current")
	h := &mavenRun{session: &session{w: &workspace{root: root}}}
	for _, jdk := range []string{"one", "two"} {
		bin := filepath.Join(base, jdk, "bin")
		if err := errors.Join(os.MkdirAll(bin, 0o755), os.WriteFile(filepath.Join(bin, "java"), []byte("#!/bin/sh\n# "+jdk), 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	stamps := func(to string) string {
		t.Helper()
		_ = os.Remove(link)
		if err := os.Symlink(filepath.Join(base, to), link); err != nil {
			t.Fatal(err)
		}
		var all strings.Builder
		for _, file := range h.buildFiles() {
			all.WriteString(file + " " + vfs.Stamp(file).String() + "\n")
		}
		return all.String()
	}
	for home, path := range map[string]string{link: "/usr/bin", "": filepath.Join(link, "bin") + ":/usr/bin"} {
		t.Setenv("JAVA_HOME", home)
		t.Setenv("PATH", path)
		if one := stamps("one"); one == stamps("two") || one != stamps("one") {
			t.Errorf("JAVA_HOME %q, PATH %q: what is looked at is the same, or not the same again:\n%s", home, path, one)
		}
	}
}

// TestStampsOfGit: what a build can learn from git counts, whatever branches are called; what git writes for itself does not.
func TestStampsOfGit(t *testing.T) {
	root := t.TempDir()
	h := &mavenRun{session: &session{w: &workspace{root: root, location: filepath.Join(root, ".winnow", "store.db")}}}
	stamps := func() string {
		t.Helper()
		tree, err := h.stamps(h.aside)
		if err != nil {
			t.Fatal(err)
		}
		return tree.Digest.String()
	}
	for _, c := range []struct {
		file   string
		counts bool
	}{
		{"HEAD", true}, {"index", true}, {"packed-refs", true}, {"refs/heads/main", true}, {"refs/heads/logs", true}, {"refs/heads/objects/1", true}, {"refs/tags/worktrees", true}, {"modules/sub/HEAD", true},
		{"FETCH_HEAD", false}, {"objects/12/34", false}, {"logs/refs/heads/main", false}, {"modules/sub/logs/HEAD", false}, {"worktrees/other/index", false},
	} {
		file := filepath.Join(root, ".git", filepath.FromSlash(c.file))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		before := stamps()
		if err := os.WriteFile(file, []byte("1"), 0o644); err != nil {
			t.Fatal(err)
		}
		if counts := stamps() != before; counts != c.counts {
			t.Errorf("%s counts: %v", c.file, counts)
		}
	}
}

// TestPathsIntoJDK: many POMs ask for a file of older JDKs. It is looked whether that appears, and Maven need not start for it.
func TestPathsIntoJDK(t *testing.T) {
	base := t.TempDir()
	root, jdk := filepath.Join(base, "root"), filepath.Join(base, "jdk", "jre")
	tools := filepath.Join(base, "jdk", "lib", "tools.jar")
	for _, dir := range []string{root, jdk, filepath.Dir(tools)} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	h := &mavenRun{session: &session{w: &workspace{root: root}}, modules: []*mavenModule{{request: &maven.Request{Build: maven.Build{JavaHome: jdk}}}}}
	pom := filepath.Join(root, "pom.xml")
	if err := os.WriteFile(pom, []byte("<project><exists>${java.home}/../lib/tools.jar</exists></project>"), 0o644); err != nil {
		t.Fatal(err)
	}
	if h.pomLeaves(pom) || h.activated(pom) {
		t.Error("a file that the JDK lacks keeps the answer away")
	}
	if !slices.Contains(h.vain, tools) {
		t.Errorf("it is not looked whether %s appears: %q", tools, h.vain)
	}
	if err := os.WriteFile(tools, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if !h.pomLeaves(pom) {
		t.Error("a file that is there is taken for one of the tree")
	}
}
