package project

import (
	"bytes"
	"io"
	"iter"
	"maps"
	"os"
	"slices"
	"strings"

	"winnow/internal/digest"
	"winnow/internal/jvm/agent"
	"winnow/internal/jvm/state"
	"winnow/internal/jvm/table"
	"winnow/internal/safety"
)

// The JDK looks for many things once in a process and keeps what it found: providers of services, jars that a loader or a URL opened, classes that a loader defined, what a
// bean or an MBean declares, classes that describe packages and beans. Only the footprint that came first has the events. So they belong to every footprint whose bodies use the same facility.

// A kept is what the JDK found once in a process, for those who use it later.
type kept struct {
	services  []*keptService
	files     *agent.Footprint // of what loaders and URLs opened; nil if there is nothing
	sought    []keptClasses    // classes that the JDK looked for by the form of their names
	described map[string]bool  // classes that were looked at where something asked for a bean or the like
	by        map[int]*keptUse // what a method uses, by its id; nil if nothing
}

// A keptService is a service for which something looked on the class path.
type keptService struct {
	resource string
	users    []string // who names these may use it: classes, or packages with a slash at the end
	some     bool     // each provider is asked when it is needed first, not all at once
	of       *agent.Footprint
}

// keptClasses are classes that the JDK looks for once by a name that it makes, most often in vain.
type keptClasses struct {
	ending string // of their names
	user   string // who calls methods of classes with this beginning may find, or miss, them
	of     *agent.Footprint
}

// A keptUse is what a method may get of what is kept.
type keptUse struct {
	services  []*keptService
	sought    []*agent.Footprint
	files     bool
	describes bool
}

// servicePath is where the names of providers are.
const servicePath = "META-INF/services/"

// serviceUsers are the packages and classes through which services of a package of the JDK are used, if these are others than those of the package itself.
var serviceUsers = map[string][]string{
	"java/lang/":         {"java/lang/System$Logger", "java/util/logging/"},
	"java/time/zone/":    {"java/time/"},
	"java/time/chrono/":  {"java/time/"},
	"java/util/":         {"java/util/spi/", "java/text/", "java/util/Locale", "java/util/Calendar", "java/util/GregorianCalendar", "java/util/Currency", "java/util/TimeZone", "java/util/ResourceBundle"},
	"java/text/":         {"java/text/", "java/util/Locale", "java/util/Calendar", "java/util/Formatter"},
	"java/security/":     {"java/security/", "javax/crypto/", "javax/net/ssl/"},
	"java/nio/channels/": {"java/nio/channels/", "java/net/"},
}

// byNeed are the services whose providers are asked one by one, for a name, and then kept under it.
var byNeed = []string{"java/net/spi/URLStreamHandlerProvider", "java/net/ContentHandlerFactory", "java/nio/charset/spi/CharsetProvider"}

// keep finds out what the JDK kept in the process. The events must have been noted before.
func (r *recorder) keep() {
	if r.library == nil || !r.rules.Hold(safety.StateCounts) {
		return
	}
	k := &kept{described: map[string]bool{}, by: map[int]*keptUse{}, sought: []keptClasses{
		{ending: ".package-info", user: "java/lang/Package", of: &agent.Footprint{Name: "kept(annotations of packages)"}},
		{ending: "BeanInfo", user: "java/beans/", of: &agent.Footprint{Name: "kept(descriptions of beans)"}},
		{ending: "Editor", user: "java/beans/", of: &agent.Footprint{Name: "kept(editors of beans)"}},
	}}
	lookers, readers := map[string][]filler{}, map[string][]*agent.Footprint{}
	var describers []*agent.Footprint
	for _, f := range r.withInitializers() {
		reflects := false
		for _, e := range f.Events {
			switch e.Kind {
			case agent.ResourceSought:
				if name, ok := strings.CutPrefix(e.Text, servicePath); ok && name != "" {
					lookers[name] = append(lookers[name], f)
				}
			case agent.FileRead:
				path := r.events.path(e.Text)
				readers[path] = append(readers[path], f.Footprint)
			case agent.ClassReflected:
				reflects = true
			case agent.ClassSought:
				k.seek(e)
			}
		}
		if reflects && !discovers(f.Footprint) {
			describers = append(describers, f.Footprint)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(lookers)) {
		if s := r.keptService(name, lookers[name]); s != nil {
			k.services = append(k.services, s)
		}
	}
	k.files = r.keptFiles(readers)
	r.kept = k
	for _, f := range describers {
		r.describes(f)
	}
}

// seek notes a class that was looked for.
func (k *kept) seek(e agent.NamedEvent) {
	for i := range k.sought {
		if c := &k.sought[i]; strings.HasSuffix(e.Text, c.ending) && !slices.Contains(c.of.Events, e) {
			c.of.Events = append(c.of.Events, e)
		}
	}
}

// keptService is about a service of which some footprints looked for providers; nil if it is one that only the JDK itself offers.
func (r *recorder) keptService(name string, lookers []filler) *keptService {
	class := internalName(name)
	s := &keptService{resource: servicePath + name, users: []string{class}, some: slices.Contains(byNeed, class)}
	s.of = &agent.Footprint{Name: "kept(providers of " + name + ")", Events: []agent.NamedEvent{{Kind: agent.ResourceSought, Text: s.resource}}}
	if !r.program.JDK(class) {
		return s // what its providers ran is found as state of who keeps them
	}
	if strings.HasPrefix(class, "sun/") || strings.HasPrefix(class, "jdk/internal/") {
		return nil
	}
	in := class[:strings.LastIndexByte(class, '/')+1]
	if p, ok := strings.CutSuffix(in, "spi/"); ok {
		in = p
	}
	if s.users = serviceUsers[in]; s.users == nil {
		s.users = []string{in}
	}
	if r.events.use(Resource, s.resource).Digest == digest.Absent {
		return s
	}
	// A provider may have computed what is kept in any way.
	provides := map[string]bool{}
	for _, f := range lookers {
		if discovers(f.Footprint) || !slices.ContainsFunc(f.Methods, func(id int) bool { return r.provides(id, class, provides) }) {
			continue
		}
		r.addPart(s.of, partKey{filler: f, entered: true, framework: r.onlyFramework(f.Footprint)})
		if !s.some && !strings.HasPrefix(f.Name, "init(") {
			break
		}
	}
	return s
}

// provides tells whether a method is one of a subtype of a class.
func (r *recorder) provides(id int, class string, known map[string]bool) bool {
	m, ok := r.plan.Method(id)
	return ok && r.isA(m.Class, class, known)
}

func (r *recorder) isA(name, class string, known map[string]bool) bool {
	if is, ok := known[name]; ok {
		return is
	}
	is := name == class
	known[name] = is
	if c, err := r.library.Class(name); !is && err == nil && c != nil {
		is = slices.ContainsFunc(append([]string{c.Super}, c.Interfaces...), func(up string) bool { return up != "" && r.isA(up, class, known) })
	}
	known[name] = is
	return is
}

// keptFiles are jars that something opened besides the JVM, and class files that a loader of the program's own defined. What a test wrote for itself is nothing to others.
func (r *recorder) keptFiles(readers map[string][]*agent.Footprint) *agent.Footprint {
	unplanned := map[string]bool{}
	for _, c := range r.trace.Coarse {
		if c.Loader > 0 && c.Name != "" && (c.Reason == agent.Unplanned || c.Reason == agent.Different) {
			unplanned[c.Name[strings.LastIndexByte(c.Name, '/')+1:]+".class"] = true
		}
	}
	of := &agent.Footprint{Name: "kept(what class loaders and URLs opened)"}
	for _, path := range slices.Sorted(maps.Keys(readers)) {
		if r.events.ignored(path) || !unplanned[path[strings.LastIndexByte(path, '/')+1:]] && !isJar(path) {
			continue
		}
		info, err := os.Stat(path)
		switch writers := r.events.writers[path]; {
		case len(writers) == 0 && (err != nil || info.ModTime().After(r.events.since)):
			continue
		case len(writers) > 0 && !slices.ContainsFunc(readers[path], func(f *agent.Footprint) bool { return !slices.Contains(writers, writer{r, f}) }):
			continue
		}
		of.Events = append(of.Events, agent.NamedEvent{Kind: agent.FileRead, Text: path})
	}
	if len(of.Events) == 0 {
		return nil
	}
	return of
}

// isJar tells whether a file is a jar or another archive of that form.
func isJar(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var head [4]byte
	_, err = io.ReadFull(f, head[:])
	return err == nil && (bytes.Equal(head[:], []byte("PK\x03\x04")) || bytes.Equal(head[:], []byte("PK\x05\x06")))
}

// describes notes the classes at which a footprint looked, if it asks the JDK to describe classes.
func (r *recorder) describes(f *agent.Footprint) {
	if !slices.ContainsFunc(f.Methods, func(id int) bool { u := r.keptUse(id); return u != nil && u.describes }) {
		return
	}
	for _, e := range f.Events {
		if name := internalName(e.Text); e.Kind == agent.ClassReflected && !r.events.isTestClass(r.program.Place(name)) {
			r.kept.described[name] = true
		}
	}
}

// needsKept adds to what a footprint needs what the JDK kept of others, as far as its bodies use it.
func (r *recorder) needsKept(s *stretch, f *agent.Footprint) error {
	if r.kept == nil || discovers(f) {
		return nil
	}
	describes := false
	for _, id := range f.Methods {
		u := r.keptUse(id)
		if u == nil {
			continue
		}
		describes = describes || u.describes
		if u.files {
			s.inits[r.kept.files] = true
		}
		for _, of := range u.sought {
			s.inits[of] = true
		}
		for _, k := range u.services {
			if k.some || !slices.Contains(f.Events, k.of.Events[0]) {
				s.inits[k.of] = true
			}
		}
	}
	if !describes {
		return nil
	}
	for _, c := range slices.Clone(s.covered) {
		if name := r.classes[c>>32].name; uint32(c) == uint32(table.Touched) && r.kept.described[name] {
			if err := r.reflected(s, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// keptUse tells what a method uses of what is kept. What the test frameworks do is theirs.
func (r *recorder) keptUse(id int) *keptUse {
	if u, ok := r.kept.by[id]; ok {
		return u
	}
	var u *keptUse
	for b := range r.bodiesOf(id) {
		u = r.kept.use(u, b)
	}
	r.kept.by[id] = u
	return u
}

// bodiesOf gives the body of a method of the plan, or all of its class if it stands for these; none for those of test frameworks.
func (r *recorder) bodiesOf(id int) iter.Seq[*state.Body] {
	return func(yield func(*state.Body) bool) {
		m, ok := r.plan.Method(id)
		if !ok || inFramework(m.Class) {
			return
		}
		c, err := r.library.Class(m.Class)
		if err != nil || c == nil {
			return
		}
		for i := range c.Methods {
			if b := &c.Methods[i]; (m.Name == "" || b.Name == m.Name && b.Descriptor == m.Descriptor) && !yield(b) {
				return
			}
		}
	}
}

// use adds what a body uses.
func (k *kept) use(u *keptUse, b *state.Body) *keptUse {
	var out keptUse
	if u != nil {
		out = *u
	}
	for _, s := range k.services {
		if slices.ContainsFunc(b.Names, s.usedBy) {
			out.services = append(out.services, s)
		}
	}
	out.files = out.files || k.files != nil && slices.ContainsFunc(b.Calls, getsFromLoaders)
	out.describes = out.describes || slices.ContainsFunc(b.Calls, asksForDescription)
	for _, c := range k.sought {
		if len(c.of.Events) > 0 && slices.ContainsFunc(b.Calls, func(m state.Member) bool { return strings.HasPrefix(m.Class, c.user) }) {
			out.sought = append(out.sought, c.of)
		}
	}
	if len(out.services)+len(out.sought) == 0 && !out.files && !out.describes {
		return nil
	}
	return &out
}

func (s *keptService) usedBy(class string) bool {
	return slices.ContainsFunc(s.users, func(u string) bool { return class == u || strings.HasSuffix(u, "/") && strings.HasPrefix(class, u) })
}

// getsFromLoaders tells whether a call may get something from a class loader other than that of the class path, from a URL or from a file system that is an archive.
func getsFromLoaders(m state.Member) bool {
	switch m.Class {
	case "java/net/URLClassLoader", "java/net/JarURLConnection", "java/net/URLConnection", "java/util/ServiceLoader", "java/nio/file/FileSystems":
		return true
	case "java/lang/ClassLoader", "java/security/SecureClassLoader":
		return slices.ContainsFunc([]string{"loadClass", "getResource", "resources", "find"}, func(p string) bool { return strings.HasPrefix(m.Name, p) })
	case "java/lang/Class":
		return m.Name == "forName" && m.Descriptor != "(Ljava/lang/String;)Ljava/lang/Class;"
	case "java/net/URL":
		return strings.HasPrefix(m.Name, "open") || m.Name == "getContent"
	}
	parameters, _, _ := strings.Cut(m.Descriptor, ")")
	jdk := strings.HasPrefix(m.Class, "java/") || strings.HasPrefix(m.Class, "javax/")
	return jdk && strings.Contains(parameters, "Ljava/net/UR") // of a URL or, for a path, a URI
}

// asksForDescription tells whether a call asks the JDK for what it keeps about classes after it has looked at them.
func asksForDescription(m state.Member) bool {
	return strings.HasPrefix(m.Class, "java/beans/") || strings.HasPrefix(m.Class, "javax/management/") || strings.HasPrefix(m.Class, "java/io/ObjectStreamClass")
}
