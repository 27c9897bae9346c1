package audit

import (
	"context"
	"errors"
	"testing"
	"time"
)

func (f *fake) at(ctx context.Context, revision string) (*Trial, error) {
	return f.Try(ctx, revision, nil)
}

type replayedFunc func(context.Context, string) (*Trial, error)

func (f replayedFunc) Try(ctx context.Context, revision string) (*Trial, error) {
	return f(ctx, revision)
}

func TestReplay(t *testing.T) {
	f := &fake{t: t, trials: map[string][]string{"2": {"broken"}, "3": {"A#a passed failed\nA#b selected passed"}}}
	told := 0
	steps, err := Replay(context.Background(), replayedFunc(f.at), []Revision{{ID: "1"}, {ID: "2"}, {ID: "3"}}, func(*Step, int, int, time.Duration) { told++ })
	if err != nil || len(steps) != 3 || told != 3 {
		t.Fatalf("%v, %d steps, %d told", err, len(steps), told)
	}
	if steps[1].Unbuildable == "" || steps[0].Unbuildable != "" {
		t.Errorf("unbuildable: %+v", steps)
	}
	if got, want := printed(steps[2].Comparison), "2 tests 1 selected 1 left out 1 failed [A#a passed -> failed]"; got != want || steps[2].Before != "1" {
		t.Errorf("%s after %s, want %s", got, steps[2].Before, want)
	}
}

func TestReplayStops(t *testing.T) {
	f := &fake{t: t, trials: map[string][]string{"2": {"error"}}}
	if steps, err := Replay(context.Background(), replayedFunc(f.at), []Revision{{ID: "1"}, {ID: "2"}}, nil); err == nil || len(steps) != 1 {
		t.Errorf("%v, %d steps", err, len(steps))
	}
	ctx, cancel := context.WithCancel(context.Background())
	f = &fake{t: t, stop: cancel}
	if steps, err := Replay(ctx, replayedFunc(f.at), []Revision{{ID: "1"}, {ID: "stop"}}, nil); !errors.Is(err, context.Canceled) || len(steps) != 1 {
		t.Errorf("%v, %d steps", err, len(steps))
	}
}
