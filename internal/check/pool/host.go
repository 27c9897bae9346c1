package pool

import (
	"bufio"
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"winnow/internal/jvm/agent"
)

//go:embed host
var sources embed.FS

// A kit is what a JVM needs to become a host: the compiled classes and the agent.
type kit struct {
	config  Config
	classes string // directory
	agent   string // option
}

// prepare compiles the host and makes the agent's plan. The plan has no classes: those of the programs are not known yet.
func prepare(ctx context.Context, c Config) (*kit, error) {
	k := &kit{config: c, classes: filepath.Join(c.Dir, "classes")}
	paths, err := unpack(filepath.Join(c.Dir, "host"))
	if err != nil {
		return nil, err
	}
	args := append([]string{"-J-XX:TieredStopAtLevel=1", "-encoding", "UTF-8", "--release", "17", "-proc:none", "-d", k.classes}, paths...)
	if out, err := exec.CommandContext(ctx, filepath.Join(c.JDK, "bin", "javac"), args...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("compile the host with %s: %w\n%s", c.JDK, err, out)
	}
	plan, err := agent.Build(ctx, agent.Options{JDK: c.JDK, Dir: filepath.Join(c.Dir, "agent"), Detail: true}) // a job may want it
	if err != nil {
		return nil, err
	}
	if len(plan.Problems) > 0 {
		return nil, fmt.Errorf("hooks of the JDK %s: %s", c.JDK, strings.Join(plan.Problems, "; "))
	}
	k.agent, err = plan.Option()
	return k, err
}

// unpack writes the sources of the host.
func unpack(dir string) ([]string, error) {
	var out []string
	err := fs.WalkDir(sources, "host", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := sources.ReadFile(path)
		if err != nil {
			return err
		}
		to := filepath.Join(dir, filepath.Base(path))
		out = append(out, to)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		return os.WriteFile(to, data, 0o644)
	})
	return out, err
}

// A host is a running JVM.
type host struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	errors bytes.Buffer // read only after the JVM has ended
	asked  int          // weight of the requests so far
	spent  bool
}

// startup is how long a JVM may take until it is ready.
const startup = time.Minute

// start starts a JVM. Its charset is not that of the locale: the same programs must behave the same everywhere.
func (k *kit) start() (*host, error) {
	args := append([]string{k.agent, "-cp", k.classes, "-Dfile.encoding=UTF-8", "-Xss1m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"}, k.config.Options...)
	args = append(append(args, "winnow.host.Host"), k.config.ClassPath...)
	h := &host{cmd: exec.Command(filepath.Join(k.config.JDK, "bin", "java"), args...)}
	h.cmd.Stderr, h.cmd.Dir = &h.errors, k.config.Dir
	h.cmd.WaitDelay = 10 * time.Second
	var err error
	if h.in, err = h.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := h.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	h.out = bufio.NewReaderSize(out, 1<<16)
	if err := h.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start a JVM: %w", err)
	}
	return h, k.ready(h)
}

// ready waits for the first word of a JVM.
func (k *kit) ready(h *host) error {
	hooked := 0
	err := h.ask(context.Background(), startup, nil, func(a *answer) { hooked = a.number() })
	if err == nil && hooked != 1 {
		err = errors.New("the agent is not there")
	}
	if err != nil {
		return fmt.Errorf("start a JVM of %s: %w", k.config.JDK, errors.Join(err, h.end()))
	}
	return nil
}

// ask sends a request and reads the answer. After an error the host must be ended; it is killed if it does not answer in time.
func (h *host) ask(ctx context.Context, limit time.Duration, r request, read func(*answer)) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = h.cmd.Process.Kill() }) // the read below reports what came of it
	defer stop()
	h.asked++
	sent := make(chan error, 1)
	go func() { // the host may answer before it has read everything
		_, err := h.in.Write(r)
		sent <- err
	}()
	a := &answer{in: h.out}
	read(a)
	h.spent = a.spent
	if a.err != nil {
		_ = h.cmd.Process.Kill() // so that the write ends, too
	}
	err := errors.Join(a.err, <-sent)
	if err != nil && ctx.Err() != nil {
		err = fmt.Errorf("no answer within %v: %w", limit, context.Cause(ctx))
	}
	return err
}

// end stops the JVM and waits for it.
func (h *host) end() error {
	err := h.in.Close()
	timer := time.AfterFunc(10*time.Second, func() { _ = h.cmd.Process.Kill() }) // Wait reports what came of it
	defer timer.Stop()
	if err := errors.Join(err, h.cmd.Wait()); err != nil {
		text := h.errors.Bytes()
		return fmt.Errorf("%w\n%s", err, text[:min(len(text), 4000)])
	}
	return nil
}

// classPathOf makes the paths of a class path absolute: hosts run elsewhere.
func classPathOf(paths []string) ([]string, error) {
	out := slices.Clone(paths)
	for i := range out {
		path, err := filepath.Abs(out[i])
		if err != nil {
			return nil, err
		}
		if _, err := os.Stat(path); err != nil {
			return nil, fmt.Errorf("class path: %w", err)
		}
		out[i] = path
	}
	return out, nil
}
