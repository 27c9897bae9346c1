package maven

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// A build is a Maven process and the conversation with it.
type build struct {
	cmd       *exec.Cmd
	exchange  *exchange
	arguments arguments
	handler   Handler
	grace     time.Duration
	noTests   bool
	compiled  bool
	plans     sync.WaitGroup

	mu      sync.Mutex // held while the handler is told an event
	outcome *Outcome
}

// run starts Maven, talks with it until it ends, and waits for everything that was started.
func (b *build) run(ctx context.Context) (*Outcome, error) {
	if err := b.cmd.Start(); err != nil {
		return nil, err
	}
	alive, ended := context.WithCancel(ctx)
	talked := make(chan error, 1)
	go func() { talked <- b.talk(alive) }()
	waited := make(chan error, 1)
	go func() { waited <- b.cmd.Wait() }()

	stopErr, waitErr := b.await(ctx, waited, talked)
	ended()
	err := errors.Join(stopErr, waitErr, b.hangUp(talked))
	b.plans.Wait()
	b.outcome.ExitCode = b.cmd.ProcessState.ExitCode()
	return b.outcome, errors.Join(ctx.Err(), err)
}

// await waits for Maven's end. It brings it about when the context ends or the conversation breaks off.
func (b *build) await(ctx context.Context, waited, talked chan error) (stopErr, waitErr error) {
	select {
	case err := <-waited:
		return nil, exitError(err)
	case <-ctx.Done():
		b.event(Event{Type: Interrupted})
	case err := <-talked:
		talked <- err // hangUp reports it
	}
	return b.stop(waited)
}

// stop ends Maven and all processes of its group.
func (b *build) stop(waited chan error) (stopErr, waitErr error) {
	pid := b.cmd.Process.Pid
	stopErr = terminateGroup(pid)
	deadline := time.NewTimer(b.grace)
	defer deadline.Stop()
	select {
	case waitErr = <-waited:
	case <-deadline.C:
		stopErr = errors.Join(stopErr, killGroup(pid))
		waitErr = <-waited
	}
	return errors.Join(stopErr, b.clear(pid)), exitError(waitErr)
}

// clear waits for the processes that Maven left in its group, and kills those that stay.
func (b *build) clear(pid int) error {
	for end := time.Now().Add(b.grace); groupLives(pid) && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	if groupLives(pid) {
		return killGroup(pid)
	}
	return nil
}

// exitError drops what is told elsewhere: an exit code, and a process that outlived Maven and kept its output open.
func exitError(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) || errors.Is(err, exec.ErrWaitDelay) {
		return nil
	}
	return err
}

// hangUp reads what Maven wrote before it ended. A process that it left behind does not hold up the end for long.
func (b *build) hangUp(talked chan error) error {
	err := errors.Join(b.exchange.finish(), b.exchange.requests.SetReadDeadline(time.Now().Add(settle)))
	talkErr := <-talked
	if errors.Is(talkErr, os.ErrDeadlineExceeded) {
		talkErr = nil
	}
	return errors.Join(err, talkErr)
}

// talk reads messages until the end.
func (b *build) talk(ctx context.Context) error {
	r := newMessageReader(b.exchange.requests)
	for {
		m, err := r.next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, io.ErrUnexpectedEOF) && b.has(Interrupted):
			return nil // it was stopped in the middle of a message
		case err != nil:
			return err
		}
		if err := b.hear(ctx, m); err != nil {
			return err
		}
	}
}

func (b *build) has(t EventType) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.outcome.Has(t)
}

func (b *build) hear(ctx context.Context, m message) error {
	switch m.kind() {
	case "hello":
		return b.welcome(m)
	case "event":
		b.happened(parseEvent(m))
	case "ask":
		r := parseRequest(b.outcome.Build, m)
		r.Direct = r.Direct && !b.compiled
		b.plans.Go(func() { b.answer(ctx, r, m.get("id")) })
	default:
		return fmt.Errorf("message of unknown kind %q", m.kind())
	}
	return nil
}

// happened tells an event. After a problem with a test execution it runs unchanged, and that is its answer.
func (b *build) happened(e Event) {
	b.event(e)
	if e.Type == Problem && e.Mojo != (Mojo{}) {
		b.event(Event{Type: Answered, Module: e.Module, Mojo: e.Mojo, Answer: Answer{Reason: ExtensionProblem, Text: "the extension failed"}})
	}
}

func (b *build) welcome(m message) error {
	if p := m.get("protocol"); p != "1" {
		return fmt.Errorf("the extension speaks version %q of the protocol, not 1", p)
	}
	b.outcome.Build = parseBuild(m)
	b.event(Event{Type: Attached})
	answer := newMessage("welcome")
	answer.add("id", m.get("id"))
	answer.add("argument", b.arguments.added)
	if b.arguments.hasUser {
		answer.add("user-value", b.arguments.user)
	}
	if b.noTests {
		answer.add("no-tests", "true")
	}
	return b.exchange.send(answer)
}

func (b *build) event(e Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	e.Time = time.Now()
	b.outcome.Events = append(b.outcome.Events, e)
	b.handler.Event(e)
}

// answer decides about a test execution. The event comes before the answer, so that it comes before everything that follows from it.
func (b *build) answer(ctx context.Context, r *Request, id string) {
	a := b.plan(ctx, r)
	if b.noTests && a.Action != Fail {
		a = Answer{Action: Skip, Reason: a.Reason, Text: "no test is to run"}
	}
	if ctx.Err() != nil {
		return // nobody listens any more
	}
	b.event(Event{Type: Answered, Module: r.Module, Mojo: r.Mojo, Request: r, Answer: a})
	if err := b.exchange.send(a.message(id)); err != nil && ctx.Err() == nil {
		b.event(Event{Type: Problem, Module: r.Module, Mojo: r.Mojo, Exceptions: []Exception{{Class: "answer not sent", Text: err.Error()}}})
		b.exchange.answers.Close() // so that Maven does not wait for it
	}
}

func (b *build) plan(ctx context.Context, r *Request) Answer {
	if reason, text := Unsupported(r); reason != Supported {
		return Answer{Reason: reason, Text: text}
	}
	a, err := b.handler.Plan(ctx, r)
	if err == nil {
		err = a.check()
	}
	if err != nil {
		return Answer{Action: Fail, Text: err.Error()}
	}
	if a.Action == Unchanged && a.Reason == Supported {
		a.Reason = ChosenByHandler
	}
	return a
}
