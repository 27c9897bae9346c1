package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"winnow/internal/digest"
	"winnow/internal/engine"
	"winnow/internal/jvm/maven"
	"winnow/internal/jvm/project"
	"winnow/internal/rts"
	"winnow/internal/store"
	"winnow/internal/vcs"
	"winnow/internal/vfs"
)

// A shortcut is kept when a run was complete and no test is due: as long as nothing that the build or a test could read has changed, the answer is known without
// the build. It assumes that the build reads only the project's tree, its resolved artifacts, settings and toolchain.
type shortcut struct {
	Schema    int                      `json:"schema"`
	Command   []string                 `json:"command"`
	Meta      rts.Meta                 `json:"meta"`
	Tree      digest.Digest            `json:"tree"`
	Files     map[string]digest.Digest `json:"files"` // stamps of files outside the tree
	Env       map[string]digest.Digest `json:"env"`
	Outside   map[string]digest.Digest `json:"outside"` // directories and paths outside the tree, by the printed entity
	Known     digest.Digest            `json:"known"`   // the tests that have records
	Selection *rts.Selection           `json:"selection"`
	Saved     time.Duration            `json:"saved"`
}

const (
	shortcutSchema = 2
	shortcutName   = "shortcut.json"
)

func (h *mavenRun) shortcutFile() string {
	return filepath.Join(filepath.Dir(h.w.location), shortcutName)
}

// plain tells whether a run is one whose answer can be known beforehand: the usual technique, nothing asked for besides.
func (h *mavenRun) plain() bool {
	f := &h.flags
	return h.runs && !f.all && !f.shadow && !f.isolate && f.base == "" && f.technique == ""
}

// command is what the answer depends on besides files: the arguments and this program.
func (h *mavenRun) command(args []string) []string {
	self := ""
	if exe, err := os.Executable(); err == nil {
		self = vfs.Stamp(exe).String()
	}
	return append([]string{version, self, h.w.root}, args...)
}

// output tells whether a path is one that builds write to, or that no build reads.
func (h *mavenRun) output(path string, e fs.DirEntry) bool {
	if h.aside(path, e) {
		return true
	}
	if !e.IsDir() || e.Name() != "target" {
		return false
	}
	_, err := os.Stat(filepath.Join(filepath.Dir(path), "pom.xml"))
	return err == nil
}

// aside are the data of Winnow and of version control; see stamps for the latter.
func (h *mavenRun) aside(path string, e fs.DirEntry) bool {
	return e.IsDir() && (e.Name() == ".git" || path == filepath.Dir(h.w.location)) || path == filepath.Join(h.w.root, ".git")
}

// stamps looks at the project's tree but for what skip says, and at what a build can learn from git: what is checked out, branches, tags, the index.
func (h *mavenRun) stamps(skip func(path string, e fs.DirEntry) bool) (vfs.Tree, error) {
	tree, err := vfs.Stamps(h.w.root, skip)
	for _, dir := range vcs.Dirs(h.w.root) {
		git, problem := vfs.Stamps(dir, unread(dir))
		tree, err = tree.And(git), errors.Join(err, problem)
	}
	return tree, err
}

// unread are parts of a directory of git that tell nothing which the others do not name, or that git writes anew when nothing has changed, or that belong to other work trees. Branches can have any name.
func unread(dir string) func(path string, e fs.DirEntry) bool {
	return func(path string, e fs.DirEntry) bool {
		inside := strings.Split(filepath.ToSlash(strings.TrimPrefix(path, dir)), "/")
		return slices.Contains([]string{"objects", "logs", "worktrees", "FETCH_HEAD"}, e.Name()) && !slices.Contains(inside, "refs")
	}
}

// inGit tells whether a path is one of git's own.
func inGit(path string) bool {
	return slices.Contains(strings.Split(filepath.ToSlash(path), "/"), ".git")
}

// taken shows the answer of the last run if nothing has changed since.
func (h *mavenRun) taken(ctx context.Context, args []string) (bool, error) {
	if !h.plain() || h.flags.noShortcut {
		return false, nil
	}
	data, err := os.ReadFile(h.shortcutFile())
	if err != nil {
		return false, nil
	}
	var sc shortcut
	if json.Unmarshal(data, &sc) != nil || sc.Schema != shortcutSchema || !slices.Equal(sc.Command, h.command(args)) || !h.same(&sc) {
		return false, nil
	}
	if known, err := h.knownDigest(ctx); err != nil || !known.Same(sc.Known) {
		return false, nil // the records are not those of that run
	}
	s := h.session
	s.run.Selection, s.run.Technique = sc.Selection, sc.Meta.Technique
	s.run.Report = &engine.Report{Selection: sc.Selection, NotRun: map[rts.TestID]string{}, Saved: sc.Saved}
	s.engine = &engine.Engine{Store: s.w.store}
	s.run.Notices = append(s.w.notices, "Maven was not started: no file, variable, option or tool has changed since "+sc.Meta.When.Local().Format("2006-01-02 15:04:05"))
	if s.run.Records, err = s.records(ctx); err != nil {
		return true, err
	}
	if !s.flags.json {
		if err := s.run.Heading(s.Out, s.style); err != nil {
			return true, err
		}
	}
	if err := s.w.store.AddRun(ctx, s.run.Report.Summary(h.meta)); err != nil {
		s.run.Report.Troubles = append(s.run.Report.Troubles, fmt.Errorf("the history could not be written: %w", err))
	}
	return true, s.finish(ExitOK)
}

// same tells whether everything is as it was.
func (h *mavenRun) same(sc *shortcut) bool {
	for path, stamp := range sc.Files {
		if !vfs.Stamp(path).Same(stamp) {
			return false
		}
	}
	for name, d := range sc.Env {
		if !h.files.Digest(rts.Entity{Kind: rts.KindEnv, Name: name}).Same(d) {
			return false
		}
	}
	for text, d := range sc.Outside {
		e, err := rts.ParseEntity(text)
		if err != nil || !h.files.Digest(e).Same(d) {
			return false
		}
	}
	tree, err := h.stamps(h.aside)
	return err == nil && tree.Digest.Same(sc.Tree)
}

// keepShortcut makes the shortcut for the next run, if this one leaves nothing to do; otherwise there is none.
func (h *mavenRun) keepShortcut(ctx context.Context, args []string, before vfs.Tree) error {
	if err := os.Remove(h.shortcutFile()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if !h.plain() || len(h.modules) == 0 || h.left {
		return nil
	}
	if slices.ContainsFunc(h.modules, func(m *mavenModule) bool { return !m.request.StaysInside() }) {
		return nil // what was asked for besides tests has to be done
	}
	if h.beside() || h.leaves() || h.optionsLeave(args) || h.activatedBeside(args) {
		return nil // directories outside the tree are not looked at file by file
	}
	if h.updates(args) {
		return nil // what a repository has now is only known to who asks it
	}
	// What must stay the same is taken down before it is looked at: an edit in between makes the shortcut useless, not wrong.
	sc := &shortcut{Schema: shortcutSchema, Command: h.command(args), Meta: h.meta}
	if err := h.describe(ctx, sc, args); err != nil {
		return err
	}
	// What was edited while the build ran may have been compiled or not.
	during, err := h.stamps(h.output)
	if err != nil || !during.Digest.Same(before.Digest) {
		return err
	}
	if sc.Selection, err = h.again(ctx); err != nil || sc.Selection == nil {
		return err
	}
	if sc.Saved, err = (&engine.Engine{Store: h.w.store}).Saved(ctx, sc.Selection); err != nil {
		return err
	}
	data, err := json.Marshal(sc)
	if err != nil {
		return err
	}
	return vfs.WriteWhole(h.shortcutFile(), data)
}

// beside tells whether a class path has a directory outside the project's tree.
func (h *mavenRun) beside() bool {
	return slices.ContainsFunc(h.modules, func(m *mavenModule) bool {
		return slices.ContainsFunc(m.Setting().ClassPath, func(place string) bool {
			info, err := os.Stat(place)
			return err == nil && info.IsDir() && !within(h.w.root, place)
		})
	})
}

// updates tells whether Maven may ask a repository for newer artifacts: because it is told to, or because a snapshot came from one.
func (h *mavenRun) updates(args []string) bool {
	given := h.options(args)
	has := func(options ...string) bool {
		return slices.ContainsFunc(given, func(word string) bool { return slices.Contains(options, word) })
	}
	return has("-U", "--update-snapshots") || !has("-o", "--offline") && slices.ContainsFunc(h.modules, func(m *mavenModule) bool {
		return slices.ContainsFunc(slices.Concat(m.request.ClassPath, m.request.Read), func(file string) bool {
			dir := filepath.Dir(file)
			return strings.HasSuffix(dir, "-SNAPSHOT") && !within(h.w.root, file) && !installed(dir)
		})
	})
}

// installed tells whether all that a directory of the local repository has was installed there, and comes from nowhere else.
func installed(dir string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && !slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return strings.HasPrefix(e.Name(), "maven-metadata-") && !strings.HasPrefix(e.Name(), "maven-metadata-local.") || e.Name() == "resolver-status.properties"
	})
}

// again selects anew. It returns nothing if a test is due or may exist that nobody knows.
func (h *mavenRun) again(ctx context.Context) (*rts.Selection, error) {
	all := &rts.Selection{}
	for _, m := range h.modules {
		now, err := h.inspect(ctx, m.request)
		if err != nil {
			return nil, err
		}
		if now.Unlisted() != "" || len(now.sel.Selected()) > 0 {
			return nil, nil
		}
		mergeSelections(all, now.sel)
	}
	return all, nil
}

// buildVariables are the variables that Maven and its start script read.
var buildVariables = []string{"JAVA_HOME", "M2_HOME", "MAVEN_HOME", "MAVEN_OPTS", "MAVEN_ARGS", "MAVEN_CONFIG", "MAVEN_SKIP_RC", "PATH", "HOME"}

// describe fills in what must stay the same.
func (h *mavenRun) describe(ctx context.Context, sc *shortcut, args []string) error {
	var err error
	if sc.Known, err = h.knownDigest(ctx); err != nil {
		return err
	}
	sc.Files, sc.Env, sc.Outside = map[string]digest.Digest{}, map[string]digest.Digest{}, map[string]digest.Digest{}
	for _, path := range slices.Concat(h.buildFiles(), h.optionPaths(args), h.vain) {
		sc.Files[path] = vfs.Stamp(path)
	}
	files := h.files.Fresh()
	// A build can read any variable, for example to activate a profile.
	for _, name := range append(buildVariables, vfs.EveryVariable) {
		sc.Env[name] = files.Digest(rts.Entity{Kind: rts.KindEnv, Name: name})
	}
	roots := files.Roots()
	err = withView(ctx, h.w.store, func(v *store.View) error {
		v.Entities(func(e rts.Entity) {
			switch path, ok := roots.Local(e.Name); {
			case e.Kind == rts.KindEnv:
				sc.Env[e.Name] = files.Digest(e)
			case !files.Knows(e.Kind) || ok && within(h.w.root, path) && !inGit(path):
			case e.Kind == rts.KindFile && ok:
				sc.Files[path] = vfs.Stamp(path)
			default:
				sc.Outside[e.String()] = files.Digest(e)
			}
		})
		return nil
	})
	if err != nil {
		return err
	}
	tree, err := h.stamps(h.aside)
	if age := time.Since(tree.Newest); err == nil && age < clockTick {
		time.Sleep(clockTick - max(age, 0))
		tree, err = h.stamps(h.aside)
	}
	sc.Tree = tree.Digest
	return err
}

// clockTick is longer than the time between two moments that a file system can tell apart.
const clockTick = 20 * time.Millisecond

// knownDigest names the tests that have records.
func (h *mavenRun) knownDigest(ctx context.Context) (digest.Digest, error) {
	ids, err := h.known(ctx)
	slices.Sort(ids)
	var b digest.Builder
	for _, id := range ids {
		b.AddString(string(id))
	}
	return b.Sum(), err
}

// What in a POM may be a path that leads out of its directory: upwards, absolute, or from where a variable says.
var (
	upwards      = regexp.MustCompile(`(?:^|[^.\w])(\.\.(?:/[^<\s"']*)?)(?:$|[^.\w])`)
	fromVariable = regexp.MustCompile(`\$\{([^}]*)\}/(\.\.(?:/[^<\s"']*)?)`)
	absolute     = regexp.MustCompile(`[>\s"'=](/[\w.-][^<\s"']*)`)
	elsewhere    = regexp.MustCompile(`\$\{(?:user\.home|env\.[^}]*)\}/`)
	parent       = regexp.MustCompile(`(?s)<parent>.*?</parent>`)
	dependency   = regexp.MustCompile(`(?s)<dependency>.*?</dependency>`)
	byProperty   = regexp.MustCompile(`<version>\$\{([^}]+)\}</version>`)
	plugin       = regexp.MustCompile(`(?s)<(?:plugin|extension)>.*?</(?:plugin|extension)>`)
	activation   = regexp.MustCompile(`<(?:exists|missing)>\s*([^<]*?)\s*</`)
	ofProject    = regexp.MustCompile(`\$\{(?:project\.)?basedir\}`)
	ofJDK        = regexp.MustCompile(`\$\{java\.home\}[^<\s"']*`)
	ofTool       = regexp.MustCompile(`(?s)<(?:requireJavaVersion|requireMavenVersion|jdk)>.*?</(?:requireJavaVersion|requireMavenVersion|jdk)>`) // has the version of no artifact
)

// leaves tells whether the build may read something that lies beside the tree: through a link, or by a path in a POM. Then nobody can say that nothing changed.
func (h *mavenRun) leaves() bool {
	found := false
	err := filepath.WalkDir(h.w.root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path != h.w.root && h.output(path, e) && e.IsDir():
			return fs.SkipDir
		case e.Type()&fs.ModeSymlink != 0:
			found = true
		case e.Name() == "pom.xml":
			found = found || h.pomLeaves(path)
		}
		if found {
			return fs.SkipAll
		}
		return nil
	})
	return found || err != nil
}

func (h *mavenRun) pomLeaves(pom string) bool {
	text, err := os.ReadFile(pom)
	if err != nil {
		return true
	}
	text = h.withJDK(ofTool.ReplaceAll(text, nil))
	dir := filepath.Dir(pom)
	for _, up := range upwards.FindAllStringSubmatch(string(text), -1) {
		if !within(h.w.root, filepath.Join(dir, up[1])) {
			return true
		}
	}
	for _, up := range fromVariable.FindAllStringSubmatch(string(text), -1) {
		if from := up[1]; from != "basedir" && from != "project.basedir" && !within(h.w.root, filepath.Join(h.w.root, up[2])) {
			return true // it may say the root, or a directory on the way to it
		}
	}
	for _, path := range absolute.FindAllStringSubmatch(string(text), -1) {
		if within(h.w.root, path[1]) {
			continue
		}
		if _, err := os.Stat(path[1]); err == nil {
			return true
		}
		h.vain = append(h.vain, path[1])
	}
	properties := text
	if top, err := os.ReadFile(filepath.Join(h.w.root, "pom.xml")); err == nil {
		properties = slices.Concat(text, top)
	}
	dependencies := dependency.FindAll(text, -1)
	imports := slices.DeleteFunc(slices.Clone(dependencies), func(of []byte) bool { return !bytes.Contains(of, []byte("<scope>import</scope>")) })
	if slices.ContainsFunc(dependencies, func(of []byte) bool { return undecided(of, properties) }) || elsewhere.Match(text) || dir == h.w.root && changing(parent.FindAll(text, -1), properties) || changing(plugin.FindAll(text, -1), properties) || changing(imports, properties) {
		return true
	}
	_, err = os.Stat(filepath.Join(dir, "..", "pom.xml"))
	return dir == h.w.root && err == nil && strings.Contains(string(text), "<parent>")
}

// withJDK is a text in which paths into Maven's JDK are absolute: POMs name its tools.jar, which is hardly ever there.
func (h *mavenRun) withJDK(text []byte) []byte {
	if len(h.modules) == 0 || h.modules[0].request.Build.JavaHome == "" {
		return text
	}
	return ofJDK.ReplaceAllFunc(text, func(path []byte) []byte {
		return []byte(filepath.Join(h.modules[0].request.Build.JavaHome, strings.TrimPrefix(string(path), "${java.home}")))
	})
}

// activated tells whether a file beside the tree has a profile that may be activated by a path which nobody looks at. Other such paths are noted.
func (h *mavenRun) activated(file string) bool {
	text, err := os.ReadFile(file)
	if err != nil {
		return false // whether it appears is looked at
	}
	if !bytes.Contains(text, []byte("<exists>")) && !bytes.Contains(text, []byte("<missing>")) {
		return false
	}
	for _, found := range activation.FindAllSubmatch(h.withJDK(text), -1) {
		path := string(found[1])
		switch {
		case filepath.IsAbs(path) && !strings.Contains(path, "${"):
			h.vain = append(h.vain, path)
		case slices.Contains(strings.Split(path, "/"), ".."), strings.HasPrefix(path, "~"), strings.Contains(ofProject.ReplaceAllString(path, ""), "${"):
			return true
		}
	}
	return false
}

// activatedBeside tells it of all POMs and settings beside the tree that the build has read.
func (h *mavenRun) activatedBeside(args []string) bool {
	return slices.ContainsFunc(slices.Concat(h.buildFiles(), h.optionPaths(args)), func(file string) bool {
		return slices.Contains([]string{".pom", ".xml"}, filepath.Ext(file)) && h.activated(file)
	})
}

// options are the words that Maven and its JVM take as options, from wherever they take some.
func (h *mavenRun) options(args []string) []string {
	words := slices.Clone(args)
	for _, name := range []string{"MAVEN_ARGS", "MAVEN_OPTS", "MAVEN_CONFIG"} {
		words = append(words, strings.Fields(os.Getenv(name))...)
	}
	for _, name := range []string{"maven.config", "jvm.config"} {
		text, _ := os.ReadFile(filepath.Join(maven.RootDir(h.w.root, args), ".mvn", name)) // Maven has read it, or there is none
		words = append(words, strings.Fields(string(text))...)
	}
	return words
}

// glued is an option that takes a file and is written without a space before it.
var glued = regexp.MustCompile(`^-(?:gs|gt|is|s|t|f)`)

// optionPaths are the paths beside the tree that options may name: settings, tool chains, files that a plug-in takes from a property. Artifacts are looked at by their files.
func (h *mavenRun) optionPaths(args []string) []string {
	var out []string
	for _, word := range h.options(args) {
		if strings.HasPrefix(word, "-Dmaven.repo.local=") {
			continue
		}
		for _, path := range strings.FieldsFunc(word, func(c rune) bool { return strings.ContainsRune(`=,;:"'`, c) }) {
			path = strings.TrimPrefix(glued.ReplaceAllString(path, ""), "@")
			if home, err := os.UserHomeDir(); err == nil && strings.HasPrefix(path, "~/") {
				path = filepath.Join(home, path[2:])
			}
			if !filepath.IsAbs(path) {
				path = filepath.Join(h.w.root, path)
			}
			if !within(h.w.root, path) {
				out = append(out, path)
			}
		}
	}
	return out
}

// optionsLeave tells whether an option names a directory or a POM beside the tree, or Maven's own configuration lies there: what is around it is not looked at.
func (h *mavenRun) optionsLeave(args []string) bool {
	if dir := maven.RootDir(h.w.root, args); !within(h.w.root, dir) {
		return true
	}
	return slices.ContainsFunc(h.optionPaths(args), func(path string) bool {
		info, err := os.Stat(path)
		return err == nil && info.IsDir()
	})
}

// changing tells whether one of some parts of a POM names what may be another version tomorrow, itself or by a property. Snapshots on a class path are looked at by their files.
func changing(parts [][]byte, properties []byte) bool {
	return slices.ContainsFunc(parts, func(of []byte) bool {
		return undecided(of, properties) || bytes.Contains(of, []byte("-SNAPSHOT</version>")) || slices.ContainsFunc(versions(of), func(name string) bool {
			return bytes.Contains(properties, []byte("-SNAPSHOT</"+name+">"))
		})
	})
}

// undecided tells whether a part of a POM leaves open which version it is: a range, or the newest.
func undecided(part, properties []byte) bool {
	open := func(text []byte, element string) bool {
		return slices.ContainsFunc([]string{"[", "(", "LATEST<", "RELEASE<"}, func(start string) bool {
			return bytes.Contains(text, []byte("<"+element+">"+start))
		})
	}
	return open(part, "version") || slices.ContainsFunc(versions(part), func(name string) bool { return open(properties, name) })
}

// versions are the properties that give versions to a part of a POM.
func versions(part []byte) (out []string) {
	for _, version := range byProperty.FindAllSubmatch(part, -1) {
		out = append(out, string(version[1]))
	}
	return out
}

func within(root, path string) bool {
	return path == root || strings.HasPrefix(path, root+string(filepath.Separator))
}

// homes are the user's home as start scripts know it, by a variable, and as Java does, by the user.
func homes() []string {
	var out []string
	if home, err := os.UserHomeDir(); err == nil {
		out = append(out, home)
	}
	if u, err := user.Current(); err == nil && !slices.Contains(out, u.HomeDir) {
		out = append(out, u.HomeDir)
	}
	return out
}

// buildFiles are the files outside the tree that the build reads.
func (h *mavenRun) buildFiles() []string {
	var out []string
	for _, home := range homes() {
		for _, name := range []string{"settings.xml", "settings-security.xml", "settings-security4.xml", "toolchains.xml", "extensions.xml", "maven.properties", "maven-system.properties", "maven-user.properties"} {
			out = append(out, filepath.Join(home, ".m2", name))
		}
		out = append(out, filepath.Join(home, ".mavenrc"))
	}
	out = append(append(out, "/etc/mavenrc"), maven.JavaPrograms()...)
	if mvn, err := maven.Program(h.w.root); err == nil {
		out = append(out, mvn)
	}
	for _, m := range h.modules {
		build, of := m.request.Build, m.Setting()
		out = append(out, m.request.JVM, filepath.Join(of.JDK, "release"), filepath.Join(of.JDK, "lib", "modules"), filepath.Join(build.JavaHome, "release"))
		out = append(out, project.JDKFiles(of.JDK)...)
		for _, name := range []string{"conf/settings.xml", "conf/toolchains.xml", "conf/extensions.xml", "conf/maven.properties", "conf/maven-system.properties", "conf/maven-user.properties", "bin/mvn", "lib"} {
			out = append(out, filepath.Join(build.MavenHome, filepath.FromSlash(name)))
		}
		places := slices.Concat(of.ClassPath, m.request.Read)
		for _, name := range []string{"excludesFile", "includesFile", "systemPropertiesFile"} {
			if file := m.request.Text(name); file != "" {
				places = append(places, file)
			}
		}
		for _, place := range places {
			if !within(h.w.root, place) {
				out = append(out, place)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
