package table

import "winnow/internal/digest"

// Shape is what linking and reflection can notice of a class, as in its Table, which is not read for it. A class that the class path does not have, has none, and no error.
func (p *Program) Shape(class string) (link, reflect digest.Digest, ok bool, err error) {
	f := p.find(class)
	if f.place == nil || f.err != nil {
		return link, reflect, false, f.err
	}
	return f.row.link, f.row.reflect, true, nil
}
