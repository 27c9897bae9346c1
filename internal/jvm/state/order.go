package state

import "container/heap"

// summarizeAll finds the summaries of methods until none is another one than before; each only grows. In each round those that are called come before those that call them, which see at
// once what is new.
func (f *follower) summarizeAll(ours []int32) error {
	rank := f.ranks(ours)
	now, next := newQueue(rank), newQueue(rank)
	for _, n := range ours {
		if f.names(n) {
			now.put(n)
		}
	}
	for now.Len() > 0 {
		n := now.take()
		put := func(m int32) {
			if rank[m] > rank[n] {
				now.put(m)
			} else {
				next.put(m)
			}
		}
		if err := f.summarizeOne(n, put); err != nil {
			return err
		}
		if now.Len() == 0 {
			now, next = next, now
		}
	}
	return nil
}

// summarizeOne looks at a method, and puts forward those that are to be looked at because of it.
func (f *follower) summarizeOne(n int32, put func(m int32)) error {
	f.asked[n] = true
	other, err := f.solve(n)
	if err != nil {
		return err
	}
	for _, m := range f.wanted {
		put(m)
	}
	f.wanted = f.wanted[:0]
	if !other {
		return nil
	}
	for _, of := range f.partOf[n] {
		of.join(&f.sums[n])
	}
	for _, m := range f.in[n] {
		if (f.asked[m] || len(f.sums[n].gets) > 0) && f.followed(m) {
			put(m)
		}
	}
	return nil
}

// ranks orders methods so that what is called comes before what calls it, as far as there are no circles.
func (f *follower) ranks(ours []int32) []int32 {
	rank, next := make([]int32, len(f.methods)), int32(len(f.methods))
	seen := make([]bool, len(f.methods))
	type visit struct {
		n  int32
		at int // the caller that is next
	}
	for _, n := range ours {
		stack := []visit{{n: n}}
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if top.at == 0 && seen[top.n] {
				stack = stack[:len(stack)-1]
				continue
			}
			seen[top.n] = true
			if callers := f.in[top.n]; top.at < len(callers) {
				m := callers[top.at]
				top.at++
				if !seen[m] {
					stack = append(stack, visit{n: m})
				}
				continue
			}
			next--
			rank[top.n] = next
			stack = stack[:len(stack)-1]
		}
	}
	return rank
}

// A queue has methods that are to be looked at, each once, by rank.
type queue struct {
	rank  []int32
	waits []bool
	heap  []int32
}

func newQueue(rank []int32) *queue { return &queue{rank: rank, waits: make([]bool, len(rank))} }

func (q *queue) Len() int           { return len(q.heap) }
func (q *queue) Less(i, j int) bool { return q.rank[q.heap[i]] < q.rank[q.heap[j]] }
func (q *queue) Swap(i, j int)      { q.heap[i], q.heap[j] = q.heap[j], q.heap[i] }
func (q *queue) Push(n any)         { q.heap = append(q.heap, n.(int32)) }
func (q *queue) Pop() any {
	n := q.heap[len(q.heap)-1]
	q.heap = q.heap[:len(q.heap)-1]
	return n
}

func (q *queue) put(n int32) {
	if !q.waits[n] {
		q.waits[n] = true
		heap.Push(q, n)
	}
}

func (q *queue) take() int32 {
	n := heap.Pop(q).(int32)
	q.waits[n] = false
	return n
}
