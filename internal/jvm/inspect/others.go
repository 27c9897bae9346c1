package inspect

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"slices"
)

// OthersDiff is how the files that are no classes differ, byte for byte.
type OthersDiff struct {
	Same    int      `json:"same"`
	Changed []string `json:"changed"`
	Added   []string `json:"added"`
	Removed []string `json:"removed"`
}

// others compares the files that are no classes.
func (c *comparison) others() error {
	d := &OthersDiff{Changed: []string{}, Added: []string{}, Removed: []string{}}
	c.diff.Others = d
	before, after := othersByName(c.old), othersByName(c.new)
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if _, ok := after[name]; !ok {
			d.Removed = append(d.Removed, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(after)) {
		was, ok := before[name]
		if !ok {
			d.Added = append(d.Added, name)
			continue
		}
		same, err := sameContent(was, after[name])
		switch {
		case err != nil:
			// Which of the two it was, the error says.
			c.diff.Unreadable = append(c.diff.Unreadable, Unreadable{Input: c.new.Path, Entry: name, Error: err.Error()})
		case same:
			d.Same++
		default:
			d.Changed = append(d.Changed, name)
		}
	}
	return nil
}

func othersByName(in *Input) map[string]other {
	out := map[string]other{}
	for _, o := range in.others {
		out[o.name()] = o
	}
	return out
}

// sameContent compares two files piece by piece.
func sameContent(a, b other) (same bool, err error) {
	if a.entry.Size != b.entry.Size {
		return false, nil
	}
	x, err := a.src.Stream(a.entry)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	y, err := b.src.Stream(b.entry)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, y.Close()) }()
	return sameStreams(x, y)
}

func sameStreams(x, y io.Reader) (bool, error) {
	var p, q [32 << 10]byte
	for {
		n, err := io.ReadFull(x, p[:])
		if err != nil && !atEnd(err) {
			return false, err
		}
		m, err2 := io.ReadFull(y, q[:])
		if err2 != nil && !atEnd(err2) {
			return false, err2
		}
		if !bytes.Equal(p[:n], q[:m]) {
			return false, nil
		}
		if err != nil || err2 != nil {
			return true, nil
		}
	}
}

func atEnd(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }
