package check

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"winnow/internal/check/campaign"
)

// TestLimits: a campaign that compared as many programs as it wants is finished; one whose time is over is not.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		lines    string
		finished bool
		compared int
	}{
		{"", true, 10},
		{"evolving 4\n", true, 4},
		{"time 50ms\n", false, 1},
	} {
		cam, err := campaign.Parse("test", []byte("component cases\nsubject methods\nworkers 1\n"+c.lines))
		if err != nil {
			t.Fatal(err)
		}
		var work []Work
		for i := range 10 {
			work = append(work, Work{Do: func(ctx context.Context, _ func(string) bool, add func(*campaign.Entry) error) error {
				if cam.Time > 0 && i > 0 { // it goes on for longer than there is time
					<-ctx.Done()
					return ctx.Err()
				}
				return add(&campaign.Entry{Program: fmt.Sprint(i), Status: campaign.Compared})
			}})
		}
		log, err := campaign.OpenLog(filepath.Join(t.TempDir(), "log"), cam, "test")
		if err != nil {
			t.Fatal(err)
		}
		var last Progress
		finished, err := Run(t.Context(), cam, Plan{Pieces: len(work), Work: slices.Values(work)}, log, func(p Progress) { last = p })
		if err != nil || finished != c.finished || last.Compared != c.compared {
			t.Errorf("%q: finished %v, %d compared, %v; want %v, %d", c.lines, finished, last.Compared, err, c.finished, c.compared)
		}
		if last.Remained > time.Minute {
			t.Errorf("%q: %v remain", c.lines, last.Remained)
		}
		if err := log.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
