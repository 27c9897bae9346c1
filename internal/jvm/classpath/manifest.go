package classpath

import (
	"fmt"
	"strings"
)

// A manifest is the part of META-INF/MANIFEST.MF that decides where classes are found.
type manifest struct {
	multiRelease bool
	classPath    []string
}

// readManifest finds the manifest, whose name the JVM compares without regard to case, and reads it.
func (j *Jar) readManifest() error {
	e, ok := j.manifestEntry()
	if !ok {
		return nil
	}
	r, err := j.stream(e)
	if err != nil {
		return fmt.Errorf("%s: %w", e.Name, err)
	}
	text, err := j.opts.readStream(r, e.Size)
	if err != nil {
		return fmt.Errorf("%s: %w", e.Name, err)
	}
	if j.manifest, err = parseManifest(string(text)); err != nil {
		// A JVM loads no class of such a jar, or leaves it out without a word; here that would be a silently smaller answer.
		return fmt.Errorf("%s: %w", e.Name, err)
	}
	return nil
}

// manifestEntry returns the last record whose name is the manifest's.
func (j *Jar) manifestEntry() (Entry, bool) {
	for i := len(j.members) - 1; i >= 0; i-- {
		if name := j.members[i].name; strings.EqualFold(name, Manifest) {
			return j.entry(name), true
		}
	}
	return Entry{}, false
}

// Manifest is the name of the manifest of a jar, or of a directory of classes.
const Manifest = "META-INF/MANIFEST.MF"

// PackageHeaders is the part of a manifest that java.lang.Package can tell: titles, versions and vendors, in the main section and in those of single packages. It is the whole text if that is no manifest.
func PackageHeaders(text []byte) []byte {
	sections, err := parseSections(string(text))
	if err != nil {
		return text
	}
	var out []byte
	for i, section := range sections {
		for _, h := range section {
			if name := strings.ToLower(h.name); i > 0 || strings.HasPrefix(name, "specification-") || strings.HasPrefix(name, "implementation-") {
				out = fmt.Appendf(out, "%d %s: %s\n", i, name, h.value)
			}
		}
	}
	return out
}

// A header is one "name: value" of a manifest.
type header struct {
	name, value string
	line        int
	// plain: on one line. The JVM looks for Multi-Release in the bytes, before it joins lines.
	plain bool
}

// parseManifest reads a manifest. The main section ends at the first empty line; the others must start with a name.
func parseManifest(text string) (manifest, error) {
	var m manifest
	sections, err := parseSections(text)
	if err != nil {
		return m, err
	}
	for i, section := range sections {
		if i > 0 && !strings.EqualFold(section[0].name, "Name") {
			return m, fmt.Errorf("line %d: section without a name: %w", section[0].line, ErrCorrupt)
		}
	}
	for _, h := range sections[0] {
		switch strings.ToLower(h.name) {
		case "multi-release":
			m.multiRelease = h.plain && strings.EqualFold(h.value, "true")
		case "class-path":
			m.classPath = strings.Fields(h.value)
		}
	}
	return m, nil
}

// maxLine is the length of the longest line that the JVM reads, with its end.
const maxLine = 512

// parseSections splits a manifest into the main section, which may be empty, and the others.
func parseSections(text string) ([][]header, error) {
	sections := [][]header{nil}
	open := true
	lines, err := manifestLines(text)
	if err != nil {
		return nil, err
	}
	for i, line := range lines {
		last := len(sections) - 1
		switch {
		case line == "":
			open = false
		case line[0] == ' ' && open && len(sections[last]) > 0:
			h := &sections[last][len(sections[last])-1]
			h.value, h.plain = h.value+line[1:], false
		default:
			h, err := parseHeader(line)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", i+1, err)
			}
			h.line, h.plain = i+1, true
			if !open {
				sections = append(sections, nil)
				last, open = last+1, true
			}
			sections[last] = append(sections[last], h)
		}
	}
	return sections, nil
}

// manifestLines returns the lines that have an end: LF, CR or both. The JVM ignores a last one without it, and if that continues a header,
// the header.
func manifestLines(text string) ([]string, error) {
	var lines []string
	for {
		n := strings.IndexAny(text, "\r\n")
		if n < 0 {
			break
		}
		end := n + 1
		if strings.HasPrefix(text[n:], "\r\n") {
			end++
		}
		if end > maxLine {
			return nil, fmt.Errorf("line %d has %d bytes, a JVM reads %d: %w", len(lines)+1, end, maxLine, ErrCorrupt)
		}
		lines, text = append(lines, text[:n]), text[end:]
	}
	for strings.HasPrefix(text, " ") && len(lines) > 0 {
		text, lines = lines[len(lines)-1], lines[:len(lines)-1]
	}
	return lines, nil
}

func parseHeader(line string) (header, error) {
	name, value, ok := strings.Cut(line, ":")
	if !ok || !headerName(name) || !strings.HasPrefix(value, " ") {
		return header{}, fmt.Errorf("%.40q is no \"name: value\": %w", line, ErrCorrupt)
	}
	return header{name: name, value: value[1:]}, nil
}

func headerName(s string) bool {
	for _, c := range []byte(s) {
		if (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			return false
		}
	}
	return s != "" && len(s) <= 70
}
