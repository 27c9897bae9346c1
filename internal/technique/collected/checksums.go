package collected

import (
	"maps"
	"slices"

	"winnow/internal/digest"
	"winnow/internal/jvm/observed"
)

// Classes are names of classes, with each all that are above it.
type Classes map[string]bool

// Above adds a class and its supertypes.
func (c Classes) Above(r *Reader, class string) {
	if c[class] {
		return
	}
	for _, name := range r.Above(class) {
		c[name] = true
	}
}

// A Collect collects the classes that a test class depends on, from what it did.
type Collect func(r *Reader, class string, t *observed.Trace) (Classes, error)

// Checksums are those that classes had when a test class ran.
type Checksums map[string]digest.Digest

// Remember makes the memory of techniques that compare the checksums of collected classes.
func (c Collect) Remember(r *Reader, class string, t *observed.Trace) (Checksums, error) {
	classes, err := c(r, class, t)
	if err != nil {
		return nil, err
	}
	out := Checksums{}
	for name := range classes {
		if sum := r.program.Checksum(name); sum != r.jdk {
			out[name] = sum
		}
	}
	return out, nil
}

// Changed are the classes that are not what they were, sorted.
func (c Checksums) Changed(p *observed.Program) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(c)) {
		if !p.Checksum(name).Same(c[name]) {
			out = append(out, name)
		}
	}
	return out
}

// Selector selects test classes of which a collected class has another checksum.
func (c Collect) Selector() observed.Selector {
	judge := func(r *Reader, _ string, was Checksums) (string, error) {
		if changed := was.Changed(r.program); len(changed) > 0 {
			return changed[0] + " changed", nil
		}
		return "", nil
	}
	return Technique[Checksums]{Remember: c.Remember, Judge: judge}.Selector()
}
