package maven

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// A Handler decides about test executions.
type Handler interface {
	// Plan answers for a test execution that Unsupported has nothing against. Maven's thread waits for it. Parallel builds ask several
	// times at once. An error fails the build with its text. The context ends with Maven.
	Plan(ctx context.Context, r *Request) (Answer, error)
	// Event tells what happened, one event at a time, in order. The build does not wait for it.
	Event(e Event)
}

// Options say what to run. Only the handler is required.
type Options struct {
	Dir    string   // the project's directory; the current one by default
	Args   []string // for Maven: phases, goals, options
	Maven  string   // the program, instead of the project's mvnw or mvn on the path
	Env    []string // the environment, instead of that of this process
	Temp   string   // directory for temporary files, instead of the system's
	Stdin  io.Reader
	Stdout io.Writer     // Maven's output; dropped if nil. An *os.File is handed on as it is, so that Maven sees a terminal.
	Stderr io.Writer     // likewise
	Grace  time.Duration // how long Maven may take to stop before it is killed; 10 s by default
	// NoTests skips every test execution, supported or not. The handler is asked for the supported ones; only an error of its counts.
	NoTests bool
	// Compiled says that goals of the command line that run tests come after a phase that compiles what they test, so they are like those of a life cycle.
	Compiled bool
	Handler  Handler
}

const (
	defaultGrace = 10 * time.Second
	// settle is how long the pipes of a Maven that is gone may stay open in a process that it left behind.
	settle = 2 * time.Second
)

// Run runs Maven to its end. The outcome is nil if Maven was not started. A build that fails is no error; see Outcome.Verdict. If the context ends, the
// error is that of the context and the outcome tells how far the build came.
func Run(ctx context.Context, o Options) (*Outcome, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	b, err := prepare(o)
	if err != nil {
		return nil, fmt.Errorf("run Maven: %w", err)
	}
	out, err := b.run(ctx)
	if err := errors.Join(err, b.exchange.close()); err != nil {
		return out, fmt.Errorf("run Maven: %w", err)
	}
	return out, nil
}

// prepare finds Maven, opens the exchange and composes the command.
func prepare(o Options) (*build, error) {
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, err
	}
	if o.Env == nil {
		o.Env = os.Environ()
	}
	if o.Grace == 0 {
		o.Grace = defaultGrace
	}
	root := RootDir(dir, o.Args)
	command, err := findMaven(o.Maven, dir, root)
	if err != nil {
		return nil, err
	}
	x, err := openExchange(o.Temp)
	if err != nil {
		return nil, err
	}
	arguments, err := addExtension(o.Args, x.jar(), root, o.Env)
	if err != nil {
		return nil, errors.Join(err, x.close())
	}
	command = append(command, arguments.args...)
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, o.Env, o.Stdin, o.Stdout, o.Stderr
	cmd.WaitDelay = settle
	ownGroup(cmd)
	return &build{cmd: cmd, exchange: x, arguments: arguments, handler: o.Handler, grace: o.Grace, noTests: o.NoTests, compiled: o.Compiled, outcome: &Outcome{Command: command}}, nil
}
