package project

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"winnow/internal/digest"
	"winnow/internal/jvm/agent"
	"winnow/internal/jvm/classpath"
	"winnow/internal/jvm/table"
	"winnow/internal/rts"
	"winnow/internal/safety"
	"winnow/internal/vfs"
)

// An events turns what a process asked the JDK for into uses.
type events struct {
	*surroundings
	dir        string                        // working directory of the process
	properties map[string][]*agent.Footprint // who wrote a property
	setters    []*agent.Footprint            // who set a default of the whole process
	// last are the paths written after all tests, as the JVM came to its end. No test read what was written there; the end itself may have.
	last map[string]bool
	// listens: the process offers a service on a port that the system chose, or on these.
	listens map[string]bool
	// connects are the addresses to which the process connected while no test ran.
	connects map[string]bool
}

// surroundings are what the processes of an execution have in common.
type surroundings struct {
	scope scope
	snap  *snapshot
	since time.Time // when the execution started
	// testClasses is the directory of the module's test classes.
	testClasses string
	own         []string            // paths below which everything belongs to the JVM, to Surefire or to Winnow
	jars        []string            // those of the class path
	build       string              // the directory in which the build puts what it makes
	classes     []string            // directories of the class path
	left        *vfs.Files          // what is there after the run
	writers     map[string][]writer // who wrote a path in this run
	within      map[string][]string // the paths among them by directory
	real        map[string]string   // where the paths lead that were written; many tests write to the same
	byNetwork   bool                // Surefire connects to Maven before it looks for tests
	appenders   map[string][]writer // who wrote to what is at a path, whoever opened it
	processes   int
}

// A writer is a footprint in its process.
type writer struct {
	in *recorder
	of *agent.Footprint
}

func (m *Module) surroundings(plan *agent.Plan) *surroundings {
	build := filepath.Dir(m.request.TestClasses)
	out := &surroundings{scope: m.scope, snap: m.snapshot, since: m.since, testClasses: m.request.TestClasses, build: build, byNetwork: m.request.TalksByNetwork(), left: m.snapshot.files.Fresh(), writers: map[string][]writer{}, within: map[string][]string{}, real: map[string]string{}, appenders: map[string][]writer{}}
	out.own = []string{
		m.jdk, m.options.Dir, m.options.Own, m.options.Cache.dir, filepath.Dir(plan.Logs), "/proc", "/sys", "/dev",
		filepath.Join(build, "surefire"), filepath.Join(build, "surefire-reports"), filepath.Join(os.TempDir(), "surefire"),
	}
	for _, p := range m.classPath() {
		if info, err := os.Stat(p); err == nil && info.IsDir() {
			out.classes = append(out.classes, p)
		} else {
			out.jars = append(out.jars, p) // a jar is known by its classes and resources, unless a program reads it itself
		}
	}
	return out
}

func newEvents(around *surroundings, dir string) *events {
	return &events{surroundings: around, dir: dir, properties: map[string][]*agent.Footprint{}, last: map[string]bool{}, listens: map[string]bool{}, connects: map[string]bool{}}
}

// outside is the digest of everything about which nothing is known (S8.8).
var outside = digest.OfString("nothing is known about it")

// note collects what a footprint wrote and where it listens.
func (r *recorder) note(f *agent.Footprint) {
	ev := r.events
	for _, e := range f.Events {
		switch e.Kind {
		case agent.FileWritten:
			r.wrote(e, f)
		case agent.FileAppended:
			if path, w := ev.path(e.Text), (writer{r, f}); !slices.Contains(ev.appenders[path], w) {
				ev.appenders[path] = append(ev.appenders[path], w)
			}
		case agent.PropertyWritten:
			ev.property(e.Text, f)
		case agent.DefaultSet:
			ev.setters = append(ev.setters, f)
		case agent.NetworkUsed:
			if addr, ok := strings.CutPrefix(e.Text, "bind "); ok {
				ev.listens[addr[strings.LastIndexByte(addr, ':')+1:]] = true
			} else if addr, ok := strings.CutPrefix(e.Text, "connect "); ok && f.Name == "process" {
				ev.connects[addr] = true
			}
		}
	}
}

// noteLast collects what was written after all tests. It matters to those of other processes.
func (r *recorder) noteLast(f *agent.Footprint) {
	for _, e := range f.Events {
		if e.Kind == agent.FileWritten {
			r.events.last[r.events.path(e.Text)] = true
			r.wrote(e, f)
		}
	}
}

// wrote notes that a footprint wrote a file.
func (r *recorder) wrote(e agent.NamedEvent, f *agent.Footprint) {
	path := r.events.path(e.Text)
	r.wroteTo(path, f)
	real, known := r.events.real[path]
	if !known {
		real = path
		if at, err := filepath.EvalSymlinks(path); err == nil {
			real = at
		}
		r.events.real[path] = real
	}
	if real != path {
		r.wroteTo(real, f)
	}
}

func (r *recorder) wroteTo(path string, f *agent.Footprint) {
	ev, w := r.events, writer{r, f}
	if len(ev.writers[path]) == 0 {
		ev.within[filepath.Dir(path)] = append(ev.within[filepath.Dir(path)], path)
	}
	if !slices.Contains(ev.writers[path], w) {
		ev.writers[path] = append(ev.writers[path], w)
	}
}

// property notes who writes a property.
func (ev *events) property(name string, f *agent.Footprint) {
	if !slices.Contains(ev.properties[name], f) {
		ev.properties[name] = append(ev.properties[name], f)
	}
}

func (ev *events) path(text string) string {
	if !filepath.IsAbs(text) {
		text = filepath.Join(ev.dir, text)
	}
	text = filepath.Clean(text)
	if of := ownPlaces.FindStringSubmatch(text); of != nil {
		place := map[string]string{"cwd": ev.dir, "root": "/"}[of[1]]
		return filepath.Join(place, text[len(of[0]):])
	}
	return text
}

// ownPlaces are other names of the directory in which the process started, and of the root.
var ownPlaces = regexp.MustCompile(`^/proc/(?:self|thread-self|[0-9]+)/(cwd|root)\b`)

// ignored tells whether a path belongs to the machinery: its content is known by other means or cannot matter.
func (ev *events) ignored(path string) bool {
	return slices.ContainsFunc(ev.own, func(p string) bool { return below(path, p) }) || slices.ContainsFunc(ev.jars, func(p string) bool { return below(path, p) })
}

// eventUses are the uses that the events of a footprint stand for. Classes are added to the stretch.
func (r *recorder) eventUses(s *stretch, f *agent.Footprint) ([]rts.Use, error) {
	var out []rts.Use
	if !closes(f) { // what tests left there matters to the tests that left it
		r.needsWriters(s, f)
		if err := r.needsKept(s, f); err != nil {
			return nil, err
		}
	}
	for _, e := range f.Events {
		switch e.Kind {
		case agent.ClassReflected, agent.ClassFound:
			if err := r.looked(s, f, e); err != nil {
				return nil, err
			}
		case agent.ClassParsed:
			ok, err := r.parsed(s, e.Text)
			if err != nil {
				return nil, err
			}
			if !ok {
				out = append(out, r.events.uses(e, f)...)
			}
		case agent.ClassSought:
			name := strings.ReplaceAll(e.Text, ".", "/")
			if !r.program.JDK(name) && (!discovers(f) || r.seeksClasses(f)) {
				out = append(out, r.events.use(Class, name))
			}
		case agent.ResourceSought:
			if e.Text != classpath.Manifest && e.Text != agent.PackageManifests || !discovers(f) || !r.onlyFramework(f) { // JUnit names the versions of its engines
				out = append(out, r.events.uses(e, f)...)
			}
		case agent.VariableRead:
			if !r.events.known(e.Text, f) {
				out = append(out, r.events.uses(e, f)...)
			}
		case agent.PropertiesRead, agent.VariablesRead:
			switch {
			case !discovers(f) && !closes(f) || r.entersProject(f):
				out = append(out, r.events.uses(e, f)...)
			case e.Kind == agent.VariablesRead:
				out = append(out, r.events.configured(e.Text)) // a library may keep those that the configuration sets
			}
		case agent.PropertyRead:
			if !slices.Contains(pathProperties, e.Text) || !discovers(f) && !closes(f) && !initsFramework(f) { // Surefire always reads the class path; which tests there are depends on it anyway (S8.9)
				out = append(out, r.events.uses(e, f)...)
			}
		default:
			out = append(out, r.events.uses(e, f)...)
		}
	}
	return append(append(out, r.nativeUses(f)...), r.notes(f)...), nil
}

// known tells whether a variable that was asked for needs no use of its own, because the same footprint asked for all: who reads each by its name knows nothing of the fleeting ones, and one that is not there is not among the
// names.
func (ev *events) known(variable string, f *agent.Footprint) bool {
	if !slices.ContainsFunc(f.Events, func(e agent.NamedEvent) bool { return e.Kind == agent.VariablesRead }) {
		return false
	}
	return vfs.Fleeting(variable) || ev.general(rts.KindEnv, variable).Digest == digest.Absent && ev.use(rts.KindTool, variableItem+variable).Digest == digest.Absent
}

// initsFramework tells whether a footprint is that of an initializer of a framework: Surefire looks for its own process.
func initsFramework(f *agent.Footprint) bool {
	class, ok := strings.CutPrefix(f.Name, "init(")
	return ok && inFramework(class)
}

// looked adds a class that was looked at or found by its name. That frameworks load test classes, and what these link to, and look at them to find tests, says
// nothing about a single test. Other code that runs while they do so can ask for any class.
func (r *recorder) looked(s *stretch, f *agent.Footprint, e agent.NamedEvent) error {
	name := internalName(e.Text)
	inTests := r.events.isTestClass(r.program.Place(name))
	foundOf, ofFound := agent.FoundClass(f.Name)
	switch {
	case closes(f) && (e.Kind == agent.ClassFound || inTests):
		return nil
	case discovers(f) && e.Kind == agent.ClassFound && (!r.seeksClasses(f) || inTests && r.hasTests(name)):
		return nil
	case discovers(f) && e.Kind == agent.ClassReflected && inTests && r.onlyFramework(f):
		return nil
	case discovers(f) && e.Kind == agent.ClassReflected && inTests && r.hasTests(name):
		_, _, err := r.declared(s, name, table.Framed)
		return err
	case ofFound && foundOf == e.Text && !r.rules.Hold(safety.OwnClassCounts): // (S8.6)
		return nil
	case e.Kind == agent.ClassReflected && r.betweenGroups(f, name):
		return nil
	case e.Kind == agent.ClassReflected && inTests && ofOtherTestNG(f, name) && r.onlyFramework(f):
		return nil // TestNG goes on to another class; what that declares for all is an item of the fingerprint
	case e.Kind == agent.ClassReflected && inTests && r.onlyFramework(f):
		return r.framed(s, name, "")
	case e.Kind == agent.ClassReflected:
		return r.reflected(s, name)
	}
	// Finding a class alone shows that it exists and links. Whoever does something with it enters its methods or reflects upon it.
	i, err := r.class(name)
	if err == nil && i >= 0 {
		r.touch(s, r.classes[i].above)
	}
	return err
}

// parsed adds the declarations in a class file, given by its path or as a resource, and in those of its supertypes. It reports whether the file is the one that the class path gives for its class (S8.6).
func (r *recorder) parsed(s *stretch, file string) (bool, error) {
	name, ok := r.classIn(file)
	if !ok {
		return false, nil
	}
	i, err := r.class(name)
	if err != nil || i < 0 || r.classes[i].digest == digest.Absent {
		return false, err
	}
	for _, j := range r.classes[i].above {
		s.cover(j, table.Touched)
		s.cover(j, table.Reflected)
	}
	return true, nil
}

// classIn finds the class whose file has a path, or a name as a resource.
func (r *recorder) classIn(file string) (string, bool) {
	rest := strings.TrimSuffix(filepath.ToSlash(file), ".class")
	if !filepath.IsAbs(file) {
		return rest, r.program.Place(rest) != ""
	}
	if info, err := os.Stat(file); err != nil || info.ModTime().After(r.events.since) {
		return "", false // made by this run, or gone
	}
	for at := range len(rest) {
		if rest[at] != '/' {
			continue
		}
		name := rest[at+1:]
		if place := r.program.Place(name); place != "" && filepath.Join(place, filepath.FromSlash(name)+".class") == file {
			return name, true
		}
	}
	return "", false
}

// ofOtherTestNG tells whether a footprint is what TestNG did around the tests of another class than one.
func ofOtherTestNG(f *agent.Footprint, class string) bool {
	of, ok := strings.CutPrefix(f.Name, "testng:")
	return ok && !strings.Contains(of, "(") && internalName(of) != class
}

// betweenGroups tells whether a framework looked at the next test class after it was done with another one: what happens between two classes is given to
// both of them.
func (r *recorder) betweenGroups(f *agent.Footprint, class string) bool {
	of, ok := groupClass(f.Name)
	return ok && of != class && r.groups[class]
}

// entersProject tells whether a footprint has methods of the project's own. Without them it was a framework that looked at all properties, to hand them on.
func (r *recorder) entersProject(f *agent.Footprint) bool {
	return slices.ContainsFunc(f.Methods, func(id int) bool {
		m, ok := r.plan.Method(id)
		place := r.program.Place(m.Class)
		return !ok || place != "" && filepath.Ext(place) != ".jar"
	})
}

func (ev *events) isTestClass(place string) bool { return place == ev.testClasses }

// use is a use of an entity of the scope as it is now.
func (ev *events) use(kind rts.Kind, local string) rts.Use {
	e := ev.scope.entity(kind, local)
	return rts.Use{Entity: e, Digest: ev.snap.Digest(e)}
}

// general is a use of an entity that all scopes share.
func (ev *events) general(kind rts.Kind, name string) rts.Use {
	e := rts.Entity{Kind: kind, Name: name}
	return rts.Use{Entity: e, Digest: ev.snap.files.Digest(e)}
}

func external(name string) rts.Use {
	return rts.Use{Entity: rts.Entity{Kind: rts.KindExternal, Name: name}, Digest: outside}
}

func opaque(name string) rts.Use {
	return rts.Use{Entity: rts.Entity{Kind: rts.KindOpaque, Name: name}, Digest: outside}
}

func (ev *events) uses(e agent.NamedEvent, f *agent.Footprint) []rts.Use {
	switch e.Kind {
	case agent.FileRead, agent.FileAsked, agent.DirectoryListed, agent.LibraryLoaded:
		return ev.fileUses(e, f)
	case agent.FileLinked:
		return ev.linkUses(e, f)
	case agent.JarRead:
		if path := ev.path(e.Text); slices.Contains(ev.jars, path) {
			return []rts.Use{ev.general(rts.KindFile, ev.snap.files.Roots().Portable(path))}
		}
		return nil // FileRead says it
	case agent.ClassParsed:
		if !filepath.IsAbs(e.Text) {
			return []rts.Use{ev.use(Resource, e.Text)}
		}
		return ev.fileUses(agent.NamedEvent{Kind: agent.FileRead, Text: e.Text}, f)
	case agent.FileWritten, agent.FileAppended, agent.PropertyWritten, agent.DefaultSet:
		return nil // matters to those who read it; see needsWriters
	case agent.PropertyRead:
		return []rts.Use{ev.use(rts.KindProperty, e.Text)}
	case agent.PropertiesRead:
		return []rts.Use{ev.use(rts.KindProperty, everyProperty)}
	case agent.VariableRead:
		return []rts.Use{ev.general(rts.KindEnv, e.Text), ev.use(rts.KindTool, variableItem+e.Text)}
	case agent.VariablesRead:
		return ev.variableUses(e.Text)
	case agent.ProcessStarted:
		return []rts.Use{external("program " + e.Text)}
	case agent.ResourceSought:
		if e.Text == agent.PackageManifests {
			return []rts.Use{ev.use(Manifest, classpath.Manifest)}
		}
		return []rts.Use{ev.use(Resource, e.Text)}
	case agent.NetworkUsed:
		return ev.networkUses(e.Text)
	}
	return []rts.Use{opaque(e.Kind.String() + " " + e.Text)}
}

// variableUses is about all variables, their names, or one that was met while going through all.
func (ev *events) variableUses(text string) []rts.Use {
	met, one := strings.CutPrefix(text, agent.VariableMet)
	name := vfs.EveryVariable
	switch {
	case one && vfs.Fleeting(met):
		return nil
	case one:
		name = met
	case text == agent.VariableNames:
		name = vfs.EveryName
	}
	return []rts.Use{ev.general(rts.KindEnv, name), ev.configured(text)}
}

// configured is about what the configuration says of all variables, of their names, or of one.
func (ev *events) configured(text string) rts.Use {
	name := variablesItem
	if met, one := strings.CutPrefix(text, agent.VariableMet); one {
		name = variableItem + met
	} else if text == agent.VariableNames {
		name = variableNames
	}
	return ev.use(rts.KindTool, name)
}

// temporary begins the portable names of files in the directory for temporary ones, inProject of those below the project's root.
const (
	temporary = "$temp/"
	inProject = "$project/"
)

// fileUses is about a path that was read, asked about or listed.
func (ev *events) fileUses(e agent.NamedEvent, f *agent.Footprint) []rts.Use {
	if strings.ContainsRune(e.Text, '\uFFFD') {
		return []rts.Use{opaque("a file whose name cannot be read: " + e.Text)}
	}
	path := ev.path(e.Text)
	if ev.ignored(path) {
		return nil
	}
	name := ev.snap.files.Roots().Portable(path)
	if closes(f) && ev.last[path] {
		return nil
	}
	kind := rts.KindFile
	info, err := os.Stat(path)
	isDir := err == nil && info.IsDir() || e.Kind == agent.DirectoryListed
	if len(ev.writersOf(path)) > 0 || isDir && slices.ContainsFunc(ev.within[path], func(in string) bool { return len(ev.writersOf(in)) > 0 }) {
		return ev.written(name, path, e.Kind == agent.FileAsked, isDir)
	}
	switch {
	case e.Kind == agent.FileAsked:
		kind = rts.KindPath
	case isDir:
		kind = rts.KindDir
	case err == nil && !info.Mode().IsRegular():
		return nil // a device or pipe has no content to compare
	case err == nil && info.Size() == 0 && strings.HasPrefix(name, temporary) && info.ModTime().After(ev.since):
		return nil // made by File.createTempFile, which no hook sees, and still empty
	case err == nil && info.ModTime().After(ev.since):
		// Somebody else wrote it while the tests ran: what the test read is not known (S1.9).
		return []rts.Use{{Entity: rts.Entity{Kind: kind, Name: name}, Digest: digest.OfString("written during the run")}}
	}
	return []rts.Use{ev.general(kind, name)}
}

// written is about a path that was read, asked about or listed, and that this run wrote. Who reads it needs those who wrote it; see needsWriters. It may have been there before, and read before it was written, so
// what this run left there is an input as well: whoever changes it afterwards changes what the next run finds. The size is not, if only that was asked for: files grow. A temporary file is nobody else's, and what is in
// the build directory, but for classes and resources, is what tests made.
func (ev *events) written(name, path string, asked, isDir bool) []rts.Use {
	if ev.passing(name, path) {
		return nil
	}
	e := rts.Entity{Kind: rts.KindFile, Name: name}
	switch {
	case asked:
		e.Kind = rts.KindExistence
	case isDir:
		e.Kind = rts.KindDir
	}
	return []rts.Use{{Entity: e, Digest: ev.left.Digest(e)}}
}

// passing tells whether a path is temporary, or in the build directory, but for classes and resources.
func (ev *events) passing(name, path string) bool {
	return strings.HasPrefix(name, temporary) || below(path, ev.build) && !slices.ContainsFunc(ev.classes, func(dir string) bool { return below(path, dir) })
}

// linkUses is about what a link leads to. It can be read by way of the link, whose name may say nothing, and be gone when the tests have ended.
func (ev *events) linkUses(e agent.NamedEvent, f *agent.Footprint) []rts.Use {
	path := ev.path(e.Text)
	name := ev.snap.files.Roots().Portable(path)
	if info, err := os.Stat(path); err == nil && info.IsDir() && !ev.ignored(path) && !ev.passing(name, path) {
		return []rts.Use{opaque("a link to the directory " + name)}
	}
	return ev.fileUses(agent.NamedEvent{Kind: agent.FileRead, Text: e.Text}, f)
}

func below(path, dir string) bool {
	return dir != "" && strings.HasPrefix(path, dir) && (len(path) == len(dir) || path[len(dir)] == filepath.Separator)
}

// needsWriters adds to what a footprint needs the footprints that wrote files and properties which it reads, and those that set defaults of the process (S8.10).
func (r *recorder) needsWriters(s *stretch, f *agent.Footprint) {
	// A part of a filling has all events of who filled. A filling finds the name of a temporary file in other state only, and who put that there counts anyway; so what the test
	// did with its own temporary files is none of the filling's.
	var own *agent.Footprint
	need := func(writers ...*agent.Footprint) {
		for _, writer := range writers {
			if writer != f && writer != own {
				s.inits[writer] = true
			}
		}
	}
	for _, e := range f.Events {
		if f.Early[e] {
			continue // no test had written anything
		}
		switch e.Kind {
		case agent.FileRead, agent.FileAsked, agent.DirectoryListed:
			path := r.events.path(e.Text)
			if own = nil; strings.HasPrefix(r.events.snap.files.Roots().Portable(path), temporary) {
				own = r.filledBy[f]
			}
			wrote := r.events.wroteFor(e)
			if e.Kind == agent.FileRead {
				wrote = append(slices.Clone(wrote), r.events.appenders[path]...)
			}
			for _, w := range wrote {
				if w.in == r {
					need(w.of)
				}
			}
			own = nil
		case agent.PropertyRead:
			need(r.events.properties[e.Text]...)
		case agent.PropertiesRead:
			for _, writers := range r.events.properties {
				need(writers...)
			}
		}
	}
	if !starts(f) && !strings.HasPrefix(f.Name, "init(") && !strings.HasPrefix(f.Name, "state(") && !strings.HasPrefix(f.Name, "kept(") {
		need(r.events.setters...) // who reads a default is not seen
	}
}

// writersOf lists who wrote a path, in all processes, but for what the own one wrote after all tests.
func (ev *events) writersOf(path string) []writer {
	all := ev.writers[path]
	if !ev.last[path] {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(w writer) bool { return w.in.events == ev && closes(w.of) })
}

// wroteFor lists who wrote what an event reads, if that is files.
func (ev *events) wroteFor(e agent.NamedEvent) []writer {
	if e.Kind != agent.FileRead && e.Kind != agent.FileAsked && e.Kind != agent.DirectoryListed {
		return nil
	}
	path := ev.path(e.Text)
	out := ev.writersOf(path)
	if e.Kind != agent.FileAsked { // a directory that was listed through java.nio was read
		for _, in := range ev.within[path] {
			out = append(slices.Clip(out), ev.writersOf(in)...)
		}
	}
	return out
}

// elsewhere are the numbers of what other processes did that wrote files which some footprints read, and of what wrote files that these read, and so on.
func (r *recorder) elsewhere(tests []*agent.TestTrace) ([]int, error) {
	if r.events.processes == 1 {
		return nil, nil
	}
	seen := map[writer]bool{}
	var todo []writer
	for _, f := range reached(tests...) {
		seen[writer{r, f}], todo = true, append(todo, writer{r, f})
	}
	var out []int
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, w := range at.in.readsFrom(at.of) {
			if seen[w] {
				continue
			}
			seen[w], todo = true, append(todo, w)
			if w.in == r {
				continue // it is needed there; see needsWriters
			}
			numbers, err := w.in.initializers(map[*agent.Footprint]bool{w.of: true})
			if err != nil {
				return nil, err
			}
			out = append(out, numbers...)
		}
	}
	return out, nil
}

// readsFrom lists who wrote the files that a footprint reads. All processes must be known.
func (r *recorder) readsFrom(f *agent.Footprint) []writer {
	out, known := r.sources[f]
	if !known {
		seen := map[writer]bool{}
		for _, e := range f.Events {
			for _, w := range r.events.wroteFor(e) {
				if !seen[w] {
					seen[w], out = true, append(out, w)
				}
			}
		}
		r.sources[f] = out
	}
	return out
}
