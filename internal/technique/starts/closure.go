package starts

import (
	"winnow/internal/jvm/observed"
	"winnow/internal/technique/collected"
)

// closures knows which classes can be reached from which in one program.
type closures struct {
	program   *observed.Program
	number    map[string]int
	to        [][]int // by number of a class: those that it refers to
	libraries collected.Checksums
}

// readClosures reads all references.
func readClosures(p *observed.Program) (*closures, error) {
	c := &closures{program: p, number: map[string]int{}, libraries: collected.Checksums{}}
	jdk := p.Checksum("java/lang/Object")
	for i, name := range p.Names() {
		c.number[name] = i
	}
	for _, name := range p.Names() {
		names, err := references(p.Class(name).File)
		if err != nil {
			return nil, err
		}
		var to []int
		for _, n := range names {
			if i, internal := c.number[n]; internal {
				to = append(to, i)
			} else if sum := p.Checksum(n); sum != jdk {
				c.libraries[n] = sum
			}
		}
		c.to = append(c.to, to)
	}
	return c, nil
}

// from is the closure of a class. A class that is not there has itself.
func (c *closures) from(class string) collected.Checksums {
	out := collected.Checksums{class: c.program.Checksum(class)}
	start, ok := c.number[class]
	if !ok {
		return out
	}
	seen := make([]bool, len(c.to))
	for work := []int{start}; len(work) > 0; {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[at] {
			continue
		}
		seen[at] = true
		name := c.program.Names()[at]
		out[name] = c.program.Checksum(name)
		work = append(work, c.to[at]...)
	}
	return out
}
