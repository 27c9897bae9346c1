package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"embed"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

//go:embed judge/*.java
var judgeSources embed.FS

// The jars that the judge is made of, from the repository that Maven uses.
var judgeJars = []string{
	"org.ow2.asm:asm:9.9", "org.ow2.asm:asm-tree:9.9", "org.ow2.asm:asm-analysis:9.9", "org.ow2.asm:asm-commons:9.9", "org.ow2.asm:asm-util:9.9",
	"org.jacoco:org.jacoco.core:0.8.14", jacocoAgent,
}

const (
	jacocoAgent = "org.jacoco:org.jacoco.agent:0.8.14:jar:runtime"
	copyGoal    = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy"
)

// A judge is the compiled Java part.
type judge struct {
	dir   string // of the jars
	java  string // the program
	class string // class path
}

// newJudge fetches the jars and compiles the programs, once for all evaluations of a user.
func newJudge(ctx context.Context) (judge, error) {
	dir, err := judgeDir()
	if err != nil {
		return judge{}, err
	}
	javac, err := exec.LookPath("javac")
	if home := os.Getenv("JAVA_HOME"); home != "" {
		javac, err = filepath.Join(home, "bin", "javac"), nil
	}
	if err != nil {
		return judge{}, fmt.Errorf("no JDK: %w", err)
	}
	j := judge{dir: dir, java: filepath.Join(filepath.Dir(javac), "java"), class: filepath.Join(dir, "classes") + ":" + filepath.Join(dir, "*")}
	if _, err := os.Stat(j.agent()); err == nil {
		return j, nil
	}
	for i, artifact := range judgeJars {
		if _, err := os.Stat(filepath.Join(dir, jarFile(artifact))); err == nil {
			continue
		}
		log := filepath.Join(dir, fmt.Sprintf("copy-%d.log", i))
		args := []string{"mvn", "-B", "-q", copyGoal, "-Dartifact=" + artifact, "-DoutputDirectory=" + dir}
		if err := (command{dir: os.TempDir(), log: log, args: args}).must(ctx); err != nil {
			return judge{}, err
		}
	}
	return j, j.compile(ctx, javac)
}

// judgeDir is named after what the judge is made of.
func judgeDir() (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, judgeJars)
	entries, err := judgeSources.ReadDir("judge")
	if err != nil {
		return "", err
	}
	for _, entry := range entries {
		data, err := judgeSources.ReadFile("judge/" + entry.Name())
		if err != nil {
			return "", err
		}
		h.Write(data)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "winnow", fmt.Sprintf("judge-%x", h.Sum(nil)[:8]))
	return dir, os.MkdirAll(dir, 0o777)
}

func (j judge) agent() string { return filepath.Join(j.dir, "session.jar") }

func (j judge) jacoco() string { return filepath.Join(j.dir, jarFile(jacocoAgent)) }

// jarFile is the file name of an artifact "group:id:version" or "group:id:version:jar:classifier".
func jarFile(artifact string) string {
	part := strings.Split(artifact, ":")
	if len(part) > 4 {
		return part[1] + "-" + part[2] + "-" + part[4] + ".jar"
	}
	return part[1] + "-" + part[2] + ".jar"
}

func (j judge) compile(ctx context.Context, javac string) error {
	src, classes := filepath.Join(j.dir, "src"), filepath.Join(j.dir, "classes")
	if err := os.MkdirAll(src, 0o777); err != nil {
		return err
	}
	entries, err := judgeSources.ReadDir("judge")
	if err != nil {
		return err
	}
	args := []string{javac, "--release", "11", "-cp", j.class, "-d", classes}
	for _, entry := range entries {
		data, err := judgeSources.ReadFile("judge/" + entry.Name())
		if err != nil {
			return err
		}
		file := filepath.Join(src, entry.Name())
		if err := os.WriteFile(file, data, 0o666); err != nil {
			return err
		}
		args = append(args, file)
	}
	if err := (command{dir: j.dir, log: filepath.Join(j.dir, "javac.log"), args: args}).must(ctx); err != nil {
		return err
	}
	manifest := filepath.Join(src, "manifest")
	if err := os.WriteFile(manifest, []byte("Premain-Class: Session\n"), 0o666); err != nil {
		return err
	}
	jar := []string{filepath.Join(filepath.Dir(javac), "jar"), "cfm", j.agent(), manifest, "-C", classes, "Session.class"}
	return command{dir: j.dir, log: filepath.Join(j.dir, "jar.log"), args: jar}.must(ctx)
}

// options makes Maven give each test class a JVM of its own, under JaCoCo. The option for a debugger is the one that no POM hides. The build's
// own JaCoCo would change the classes that the judge knows. Short-lived JVMs are faster with the simple compiler only, and if only the project's packages are
// looked at.
func (j judge) options(execs, classes string) []string {
	return []string{"-DforkCount=1", "-DreuseForks=false", "-Dmaven.test.failure.ignore=true", "-Djacoco.skip=true",
		"-Dmaven.surefire.debug=-XX:TieredStopAtLevel=1 -javaagent:" + j.agent() + "=" + j.jacoco() + ";" + execs + ";" + classes}
}

// patterns returns JaCoCo's patterns of the packages of classes, without those that another one includes.
func (b bodies) patterns() string {
	packages := map[string]bool{}
	for key := range b {
		class, _, _ := strings.Cut(key, "\t")
		if class != "module-info" {
			packages[path.Dir(class)] = true
		}
	}
	var all []string
	for name := range packages {
		if name == "." {
			return "*"
		}
		if !inside(packages, name) {
			all = append(all, strings.ReplaceAll(name, "/", ".")+".*")
		}
	}
	slices.Sort(all)
	return strings.Join(all, ":")
}

// inside tells whether a package is below another one of a set.
func inside(packages map[string]bool, name string) bool {
	for up := path.Dir(name); up != "."; up = path.Dir(up) {
		if packages[up] {
			return true
		}
	}
	return false
}

// methods writes the digests of all methods below a root to a compressed file.
func (j judge) methods(ctx context.Context, root, log, to string) error {
	dirs, err := classDirs(root)
	if err != nil {
		return err
	}
	return j.print(ctx, log, to, append([]string{"Methods"}, dirs...))
}

// executed writes which session executed which methods to a compressed file.
func (j judge) executed(ctx context.Context, root, execs, log, to string) error {
	dirs, err := classDirs(root)
	if err != nil {
		return err
	}
	return j.print(ctx, log, to, append([]string{"Executed", execs}, dirs...))
}

func (j judge) print(ctx context.Context, log, to string, args []string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	text := to + ".text"
	defer os.Remove(text)
	if err := (command{dir: j.dir, log: log, out: text, args: append([]string{j.java, "-cp", j.class}, args...)}).must(ctx); err != nil {
		return err
	}
	return compress(text, to)
}

func compress(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	z := gzip.NewWriter(out)
	_, err = io.Copy(z, in)
	for _, close := range []func() error{z.Close, out.Close} {
		if e := close(); err == nil {
			err = e
		}
	}
	return err
}

// eachLine calls a function for the lines of a compressed file.
func eachLine(file string, do func(line string) error) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	lines := bufio.NewReader(z)
	for {
		line, err := lines.ReadString('\n')
		if err == io.EOF && line == "" {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if err := do(strings.TrimSuffix(line, "\n")); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
}

// A body is a method of a class, "class TAB name and descriptor", with the digest of its code, or a class, "class TAB (class)" or
// "class TAB (interface)", with the digest of its file. Two modules may have a class of the same name: then there are several digests.
type bodies map[string][]string

func readBodies(file string) (bodies, error) {
	all := bodies{}
	err := eachLine(file, func(line string) error {
		i := strings.LastIndexByte(line, '\t')
		if i < 0 {
			return fmt.Errorf("no digest in %q", line)
		}
		all[line[:i]] = append(all[line[:i]], line[i+1:])
		return nil
	})
	for _, digests := range all {
		slices.Sort(digests)
	}
	return all, err
}

var lambda = regexp.MustCompile(`(\tlambda\$.*\$)\d+\(`)

// differing returns the methods of one version that the other one does not have in the same form. The number that javac gives a lambda does not count: a
// lambda is the same if a lambda of the same method has the same code.
func differing(of, from bodies) map[string]bool {
	lambdas := map[string]bool{}
	for name, digests := range from {
		if lambda.MatchString(name) {
			lambdas[lambda.ReplaceAllString(name, "$1(")+strings.Join(digests, " ")] = true
		}
	}
	differ := map[string]bool{}
	for name, digests := range of {
		if lambda.MatchString(name) {
			if !lambdas[lambda.ReplaceAllString(name, "$1(")+strings.Join(digests, " ")] {
				differ[name] = true
			}
		} else if !slices.Equal(digests, from[name]) {
			differ[name] = true
		}
	}
	return differ
}

// hits returns, for each session that executed one of the wanted methods, one of those, the first by name.
func hits(file string, wanted map[string]bool) (map[string]string, error) {
	covered, err := readCoverage(file)
	if err != nil {
		return nil, err
	}
	found := map[string]string{}
	for session, methods := range covered {
		for _, method := range methods {
			if was, ok := found[session]; wanted[method] && (!ok || method < was) {
				found[session] = method
			}
		}
	}
	return found, nil
}

// sorted returns the keys of a set in order.
func sorted[V any](set map[string]V) []string { return slices.Sorted(maps.Keys(set)) }
