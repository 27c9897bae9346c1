package instrument

import (
	"fmt"
	"testing"
)

// statistics are figures about rewritten classes.
type statistics struct {
	classes, probes, before, after int
	sipush                         int // bytes that ids below 32768 in sipush would have saved
	coarse, unmoved                int
	unprobed                       [TooWide + 1]int
	windows                        [LostWindow + 1]int
	whole                          int // ids so far
}

func (s *statistics) check(t *testing.T, r *Rewriter, classes []classFile) {
	t.Helper()
	for i, res := range rewriteAll(t, r, classes) {
		c := classes[i]
		if err := differences(c.data, res, r.scheme); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		s.count(c.data, res)
	}
}

func (s *statistics) count(data []byte, r *Result) {
	s.classes++
	s.probes += len(r.Probes)
	s.before += len(data)
	s.after += len(r.Bytes)
	for k := range r.IDs {
		if s.whole+k < 1<<15 {
			s.sipush += idStride
		}
	}
	s.whole += r.IDs
	if r.Coarse {
		s.coarse++
	}
	s.unmoved += len(r.Unmoved)
	for _, u := range r.Unprobed {
		s.unprobed[u.Reason]++
	}
	s.windows[r.Window]++
}

func (s statistics) String() string {
	text := fmt.Sprintf("%d classes, %d probes, %.2f %% more bytes (%.2f %% if ids below 32768 were in sipush)", s.classes, s.probes,
		100*float64(s.after-s.before)/float64(s.before), 100*float64(s.after-s.before-s.sipush)/float64(s.before))
	for i, n := range s.unprobed {
		text += fmt.Sprintf(", %s: %d", Reason(i), n)
	}
	for i, n := range s.windows {
		text += fmt.Sprintf(", window %s: %d", Window(i), n)
	}
	return text + fmt.Sprintf(", coarse: %d, unmoved attributes: %d", s.coarse, s.unmoved)
}
