package state

import "slices"

// tieRoots ties a cell to those among roots. Inside tells whether the cell leads to them in any way: that ties only what is plain.
func (s *solution) tieRoots(cell int, roots set, inside bool) (err error) {
	roots.each(func(i int) {
		if other, ok := s.cells[i]; ok && err == nil && (!inside || s.all[cell].plain && s.all[other].plain) {
			err = s.tie(cell, other)
		}
	})
	return err
}

// tie notes that two cells may lead to the same objects.
func (f *follower) tie(a, b int) error {
	if !f.last || f.group(a) == f.group(b) {
		return nil
	}
	same, err := f.overlap(f.all[a], f.all[b])
	if same {
		f.tied[f.group(a)] = f.group(b)
	}
	return err
}

// group is the cell that stands for those that are tied to one.
func (f *follower) group(cell int) int {
	for f.tied[cell] != cell {
		f.tied[cell] = f.tied[f.tied[cell]]
		cell = f.tied[cell]
	}
	return cell
}

// share gives each cell of the project what fills it, and what fills those that are tied to it.
func (f *follower) share() {
	groups := map[int][]int{}
	for c := range f.all {
		g := f.group(c)
		groups[g] = append(groups[g], c)
	}
	for _, group := range groups {
		var fillers, near, passing, echoing []int32
		for _, c := range group {
			at := f.all[c]
			passing, echoing = append(passing, at.passing...), append(echoing, at.echoing...)
			if at.plain {
				fillers, near = append(append(fillers, at.fillers...), at.givers...), append(append(near, at.near...), at.givers...)
			}
		}
		var shares []func()
		for _, c := range group {
			at := f.all[c]
			if !at.ours || at.kept {
				continue
			}
			puts, counting := f.tiedPuts(at, group)
			fields := f.tiedFields(at, group, puts)
			shares = append(shares, func() {
				at.fields = fields
				if at.plain {
					at.fillers, at.near = fillers, near
				}
				at.fillers, at.near, at.puts, at.counting = union(at.fillers, puts), union(at.near, puts), puts, union(counting, nil)
				at.passing, at.echoing = union(passing, nil), union(echoing, nil)
			})
		}
		for _, share := range shares {
			share()
		}
	}
}

// tiedPuts lists the methods that put something into a cell, or into one that is tied to it if it is of a type to which the cell can lead.
func (f *follower) tiedPuts(to *cell, group []int) (puts, counting []int32) {
	for _, c := range group {
		from := f.all[c]
		var these []int32
		for _, n := range from.puts {
			if from == to || slices.ContainsFunc(from.types[n], func(t changed) bool { return f.affects(t, to.region) || f.affectsInside(t, to.region) }) {
				these = append(these, n)
			}
		}
		if from == to || from.plain && to.plain {
			these = append(these, from.givers...)
		}
		puts = append(puts, these...)
		for _, n := range from.counting {
			if slices.Contains(these, n) {
				counting = append(counting, n)
			}
		}
	}
	return union(puts, nil), counting
}

// tiedFields finds the methods among puts that fill a cell by nothing but changing fields, with the classes of these.
func (f *follower) tiedFields(to *cell, group []int, puts []int32) map[int32][]int32 {
	out := map[int32][]int32{}
	for _, n := range puts {
		if slices.Contains(to.fillers, n) || slices.Contains(to.near, n) {
			continue
		}
		var fields []int32
		only := true
		for _, c := range group {
			from := f.all[c]
			if slices.Contains(from.givers, n) {
				only = false
			}
			if slices.Contains(from.puts, n) {
				fields, only = append(fields, from.fields[n]...), only && from.fields[n] != nil
			}
		}
		if only {
			out[n] = union(nil, fields)
		}
	}
	return out
}
