package instrument

import "errors"

// ErrEncoding says that bytes are not what Append wrote.
var ErrEncoding = errors.New("instrument: the encoded result cannot be read")

// Append writes the result so that ReadResult can read it; results can be written one after the other. All numbers have 4 bytes.
func (r *Result) Append(dst []byte) []byte {
	e := encoder{dst}
	e.text(r.Name)
	e.text(string(r.Bytes))
	flag := 0
	if r.Coarse {
		flag = 1
	}
	e.numbers(r.IDs, r.IDOffset, flag, int(r.Window), r.WindowID)
	e.numbers(len(r.Probes), len(r.Unprobed), len(r.Hooked), len(r.Unmatched), len(r.Unmoved), len(r.Edges), len(r.Edgeless), len(r.Unreceived))
	for _, p := range r.Probes {
		e.text(p.Name)
		e.text(p.Descriptor)
		e.numbers(p.Method, p.ID)
	}
	e.unprobed(r.Unprobed)
	for _, h := range r.Hooked {
		e.numbers(h.Hook, h.Method)
	}
	for _, u := range r.Unmatched {
		e.numbers(u.Hook)
		e.text(u.Detail)
	}
	for _, u := range r.Unmoved {
		e.numbers(u.Method)
		e.text(u.Attribute)
	}
	for _, p := range r.Edges {
		e.text(p.Name)
		e.text(p.Descriptor)
		e.numbers(p.Method, p.ID, p.Edge)
	}
	e.unprobed(r.Edgeless)
	e.unprobed(r.Unreceived)
	return e.b
}

type encoder struct{ b []byte }

func (e *encoder) numbers(all ...int) {
	for _, n := range all {
		e.b = put4(e.b, n)
	}
}

func (e *encoder) unprobed(all []Unprobed) {
	for _, u := range all {
		e.text(u.Name)
		e.text(u.Descriptor)
		e.numbers(u.Method, int(u.Reason))
		e.text(u.Detail)
	}
}

func (e *encoder) text(s string) {
	e.b = append(put4(e.b, len(s)), s...)
}

// ReadResult reads what Append wrote and returns what follows it. The result has memory of its own.
func ReadResult(data []byte) (*Result, []byte, error) {
	c := cursor{b: data}
	r := &Result{Name: c.text()}
	r.Bytes = []byte(c.text())
	r.IDs, r.IDOffset = c.u4(), c.u4()
	flag, window := c.u4(), c.u4()
	r.Coarse, r.Window, r.WindowID = flag == 1, Window(window), c.u4()
	lists := [8]int{c.u4(), c.u4(), c.u4(), c.u4(), c.u4(), c.u4(), c.u4(), c.u4()}
	r.Probes = list(&c, lists[0], 16, func() Probe { return Probe{Name: c.text(), Descriptor: c.text(), Method: c.u4(), ID: c.u4()} })
	r.Unprobed = list(&c, lists[1], 20, c.unprobed)
	r.Hooked = list(&c, lists[2], 8, func() Hooked { return Hooked{c.u4(), c.u4()} })
	r.Unmatched = list(&c, lists[3], 8, func() Unmatched { return Unmatched{c.u4(), c.text()} })
	r.Unmoved = list(&c, lists[4], 8, func() Unmoved { return Unmoved{c.u4(), c.text()} })
	r.Edges = list(&c, lists[5], 20, func() EdgeProbe {
		return EdgeProbe{Name: c.text(), Descriptor: c.text(), Method: c.u4(), ID: c.u4(), Edge: c.u4()}
	})
	r.Edgeless = list(&c, lists[6], 20, c.unprobed)
	r.Unreceived = list(&c, lists[7], 20, c.unprobed)
	if c.over || flag > 1 || window > int(LostWindow) || !r.idsInside() {
		return nil, nil, ErrEncoding
	}
	return r, data[c.pos:], nil
}

// idsInside tells whether Rebase would write inside the class file only.
func (r *Result) idsInside() bool {
	return r.IDs == 0 || r.IDs <= maxConstants && r.IDOffset <= len(r.Bytes)-4-(r.IDs-1)*idStride
}

func (c *cursor) text() string { return string(c.bytes(c.u4())) }

func (c *cursor) unprobed() Unprobed {
	u := Unprobed{Name: c.text(), Descriptor: c.text(), Method: c.u4()}
	reason := c.u4()
	c.over = c.over || reason > int(Unwanted)
	u.Reason, u.Detail = Reason(reason), c.text()
	return u
}

// list reads n elements of at least size bytes each.
func list[T any](c *cursor, n, size int, read func() T) []T {
	if n > c.left()/size {
		c.over = true
		return nil
	}
	var out []T
	for range n {
		out = append(out, read())
	}
	return out
}
