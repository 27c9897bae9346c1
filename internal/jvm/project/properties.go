package project

import (
	"os"
	"os/user"
	"slices"
	"strings"

	"winnow/internal/digest"
	"winnow/internal/jvm/classpath"
	"winnow/internal/jvm/maven"
	"winnow/internal/vfs"
)

// everyProperty stands for all of them.
const everyProperty = "*"

// A properties is the system properties that an execution gives to its JVM, as far as they do not come from the JDK itself.
type properties struct {
	values map[string]string
	files  *vfs.Files
}

// pathProperties tell the class path of the tests: the JVM and Surefire set them.
var pathProperties = []string{"java.class.path", "jdk.module.path", "surefire.test.class.path"}

// newProperties finds out what Surefire sets, in the order in which it does: later ones win. Of the class path the order of the places counts, and what is in jars: who asks for their names may open them.
func newProperties(r *maven.Request, files *vfs.Files, seen *classpath.Seen) *properties {
	p := &properties{values: map[string]string{}, files: files}
	if seen == nil {
		seen = new(classpath.Seen)
	}
	var places []string
	for _, place := range r.ClassPath {
		name := files.Roots().Portable(place)
		if info, err := os.Stat(place); err != nil {
			name += " is not there"
		} else if !info.IsDir() {
			if d, err := seen.Digest(place); err == nil {
				name += " " + d.String()
			}
		}
		places = append(places, name)
	}
	for _, name := range pathProperties {
		p.values[name] = strings.Join(places, "\n")
	}
	for name, value := range definitions(r) {
		p.values[name] = portable(value, files.Roots())
	}
	return p
}

// definitions are the properties that the line of options and Surefire define.
func definitions(r *maven.Request) map[string]string {
	_, defined := jvmOptions(r)
	for _, p := range r.SystemProperties {
		defined[p.Path] = p.Value
	}
	return defined
}

// jvmOptions splits the line of JVM options into options and definitions of properties.
func jvmOptions(r *maven.Request) (options []string, defined map[string]string) {
	defined = map[string]string{}
	for _, word := range splitLine(r.ArgLine) {
		if def, ok := strings.CutPrefix(word, "-D"); ok {
			name, value, _ := strings.Cut(def, "=")
			defined[name] = value
			continue
		}
		options = append(options, word)
	}
	return options, defined
}

// splitLine splits at blanks outside quotes.
func splitLine(line string) []string {
	var out []string
	var word strings.Builder
	quote := rune(0)
	started := false
	for _, c := range line {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote, started = c, true
		case quote == 0 && strings.ContainsRune(" \t\r\n", c):
			if started {
				out = append(out, word.String())
			}
			word.Reset()
			started = false
		default:
			word.WriteRune(c)
			started = true
		}
	}
	if started {
		out = append(out, word.String())
	}
	return out
}

// digest names the value of a property at the start of the JVM, Absent if neither the build nor the machine sets it. What the JDK sets by itself is part of
// the fingerprint, as the JDK is.
func (p *properties) digest(name string) digest.Digest {
	if name == everyProperty {
		return p.all()
	}
	if v, ok := p.values[name]; ok && slices.Contains(pathProperties, name) {
		return digest.OfString(v) // it is long, and no secret
	} else if ok {
		return p.files.Value(v)
	}
	if v, ok := p.machine(name); ok {
		return p.files.Value(v)
	}
	return digest.Absent
}

// fromMachine are the properties that come from the machine and its user.
var fromMachine = []string{"os.version", "user.home", "user.name"}

func (p *properties) machine(name string) (string, bool) {
	switch name {
	case "os.version":
		if b, err := os.ReadFile("/proc/sys/kernel/osrelease"); err == nil {
			return string(b), true
		}
	case "user.name":
		if u, err := user.Current(); err == nil {
			return u.Username, true
		}
	case "user.home":
		if h, err := os.UserHomeDir(); err == nil {
			return h, true
		}
	}
	return "", false
}

func (p *properties) all() digest.Digest {
	var lines []string
	for name, value := range p.values {
		lines = append(lines, name+"="+value)
	}
	slices.Sort(lines)
	for _, name := range fromMachine {
		v, _ := p.machine(name)
		lines = append(lines, name+"="+v)
	}
	return p.files.Value(strings.Join(lines, "\n"))
}
