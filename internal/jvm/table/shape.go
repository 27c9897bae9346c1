package table

import (
	"fmt"

	"winnow/internal/digest"
)

// Shape is what linking and reflection can notice of a class, as in its Table, which is not decoded for it. A class that the class path does not have, has none, and no error.
func (p *Program) Shape(class string) (link, reflect digest.Digest, ok bool, err error) {
	data, err := p.Body(class)
	if data == nil || err != nil {
		return link, reflect, false, err
	}
	if len(data) == 0 || data[0] != tableFormat {
		return link, reflect, false, fmt.Errorf("class %s: %w: it is not of format %d", class, ErrTable, tableFormat)
	}
	d := decoder{data: data[1:]}
	d.alias(d.text())
	d.text()
	link, reflect = d.digest(), d.digest()
	if d.bad {
		return link, reflect, false, fmt.Errorf("class %s: %w: its %d bytes are malformed", class, ErrTable, len(data))
	}
	return link, reflect, true, nil
}
