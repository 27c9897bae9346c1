package instrument

// assemble puts the class file together: the constants with the added ones, and what follows them.
func (j *job) assemble(start int) {
	r := j.result
	out := make([]byte, 0, start+len(j.added.b)+idStride*r.IDs+len(j.out))
	out = append(out, j.data[:start]...)
	set2(out[8:], j.added.next+r.IDs) // constant_pool_count, behind magic and version
	out = append(out, j.added.b...)
	if r.IDs > 0 {
		r.IDOffset = len(out) + 1
	}
	ids := constants{b: out}
	for id := range r.IDs {
		ids.integer(id)
	}
	r.Bytes = append(ids.b, j.out...)
}
