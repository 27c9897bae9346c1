package pool

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"time"
)

// A Config says what JVMs a pool has. Only JDK is needed.
type Config struct {
	JDK       string        // home of a JDK 17 or later
	Workers   int           // JVMs; default: one for each processor
	ClassPath []string      // what programs can use beside the JDK
	Options   []string      // of the JVMs, behind the pool's own
	Timeout   time.Duration // for one request; default 60 s
	Recycle   int           // requests after which a JVM is replaced; default 4000. 1 gives every request a fresh JVM.
	Dir       string        // for files of the pool; default: one that Close removes
}

// ErrDied is wrapped by the error about a request during which a JVM died or did not answer in time.
var ErrDied = errors.New("the JVM died")

// A Pool is a few JVMs. Its methods may be called from several goroutines; as many requests as there are workers are answered at a time.
type Pool struct {
	kit   *kit
	slots chan *host // nil: to be started
	own   string     // directory to remove
	// Started and died count JVMs.
	started, died atomic.Int64
	cpu           atomic.Int64 // nanoseconds of JVMs that ended
}

// Open prepares a pool. JVMs start with the first requests.
func Open(ctx context.Context, c Config) (*Pool, error) {
	p := &Pool{}
	if err := p.defaults(&c); err != nil {
		return nil, fmt.Errorf("pool: %w", err)
	}
	kit, err := prepare(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("pool: %w", errors.Join(err, p.clean()))
	}
	p.kit, p.slots = kit, make(chan *host, c.Workers)
	for range c.Workers {
		p.slots <- nil
	}
	return p, nil
}

func (p *Pool) defaults(c *Config) (err error) {
	if c.Workers <= 0 {
		c.Workers = runtime.GOMAXPROCS(0)
	}
	if c.Timeout <= 0 {
		c.Timeout = 60 * time.Second
	}
	if c.Recycle <= 0 {
		c.Recycle = 4000
	}
	if c.ClassPath, err = classPathOf(c.ClassPath); err != nil {
		return err
	}
	if c.JDK, err = filepath.EvalSymlinks(c.JDK); err != nil {
		return err
	}
	if c.Dir == "" {
		if c.Dir, err = os.MkdirTemp("", "winnow-pool-"); err != nil {
			return err
		}
		p.own = c.Dir
	}
	c.Dir, err = filepath.Abs(c.Dir)
	return err
}

func (p *Pool) clean() error {
	if p.own == "" {
		return nil
	}
	return os.RemoveAll(p.own)
}

// Close ends all JVMs. It waits for requests that are being answered.
func (p *Pool) Close() error {
	var errs []error
	for range cap(p.slots) {
		if h := <-p.slots; h != nil {
			errs = append(errs, p.end(h))
		}
	}
	return errors.Join(append(errs, p.clean())...)
}

// Started is how many JVMs were started so far, and Died how many of them were lost in a request.
func (p *Pool) Started() int { return int(p.started.Load()) }

// Died is how many JVMs died in a request.
func (p *Pool) Died() int { return int(p.died.Load()) }

// CPU is the processor time of all JVMs that have ended; after Close, of all.
func (p *Pool) CPU() time.Duration { return time.Duration(p.cpu.Load()) }

// Workers is how many requests are answered at a time.
func (p *Pool) Workers() int { return cap(p.slots) }

// end stops a JVM and adds up its time.
func (p *Pool) end(h *host) error {
	err := h.end()
	if state := h.cmd.ProcessState; state != nil {
		p.cpu.Add(int64(state.UserTime() + state.SystemTime()))
	}
	return err
}

// ask has a request answered by some host. The weight says how much of a JVM's life it costs.
func (p *Pool) ask(ctx context.Context, weight int, r request, read func(*answer)) error {
	var h *host
	select {
	case h = <-p.slots:
	case <-ctx.Done():
		return ctx.Err()
	}
	if h == nil {
		var err error
		if h, err = p.kit.start(); err != nil {
			p.slots <- nil
			return err
		}
		p.started.Add(1)
	}
	err := h.ask(ctx, p.kit.config.Timeout, r, read)
	h.asked += weight
	switch {
	case err != nil && ctx.Err() != nil:
		err = ctx.Err()
		_ = p.end(h) // it was killed
		h = nil
	case err != nil:
		p.died.Add(1)
		err = fmt.Errorf("%w: %w", ErrDied, errors.Join(err, p.end(h)))
		h = nil
	case h.spent || h.asked >= p.kit.config.Recycle:
		err = p.end(h)
		h = nil
	}
	p.slots <- h
	return err
}
