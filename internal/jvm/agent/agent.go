package agent

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"winnow/internal/vfs"
)

//go:embed agent.jar
var jar []byte

// Jar is the agent.
func Jar() []byte { return jar }

// Option is the option that starts a JVM with the agent and the plan, one argument. The plan must have been written.
func (p *Plan) Option() (string, error) {
	if p.File == "" || p.Jar == "" {
		return "", errors.New("the plan was not written")
	}
	if strings.Contains(p.Jar, "=") {
		return "", fmt.Errorf("the JVM would end the agent's path %s at its equals sign", p.Jar)
	}
	return "-javaagent:" + p.Jar + "=" + p.File, nil
}

// save writes the agent and the plan below a directory. Names follow from contents, so what a running JVM uses is never changed.
func (p *Plan) save(dir string) error {
	data := p.Append(nil)
	p.digest = hash64(data[planHeader:])
	p.File = filepath.Join(dir, fmt.Sprintf("plan-%016x", p.digest))
	p.Jar = filepath.Join(dir, fmt.Sprintf("agent-%016x.jar", hash64(jar)))
	if err := os.MkdirAll(p.Logs, 0o755); err != nil {
		return err
	}
	if err := errors.Join(writeOnce(p.File, data), writeOnce(p.Jar, jar)); err != nil {
		return err
	}
	forget(dir)
	return nil
}

// stale is the age at which a file belongs to no run any more. What a run takes is as if it was written then.
const stale = 48 * time.Hour

// forget removes plans, jars and logs of runs that ended long ago. What cannot be removed stays.
func forget(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		kind, _, _ := strings.Cut(e.Name(), "-")
		if kind != "plan" && kind != "agent" && kind != "logs" {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > stale {
			_ = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}

// writeOnce makes a file appear whole, unless one of the same length is there: its name says what is in it.
func writeOnce(path string, data []byte) error {
	if info, err := os.Stat(path); err == nil && info.Size() == int64(len(data)) {
		now := time.Now()
		_ = os.Chtimes(path, now, now) // see forget
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return vfs.WriteWhole(path, data)
}

// ReadPlan reads a plan from a file and the lists of its packs, so that methods are known.
func ReadPlan(path string) (*Plan, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	p, err := DecodePlan(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var packs []*pack
	var starts []int
	for _, file := range p.Packs {
		list, start, err := readList(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		packs, starts = append(packs, list), append(starts, start)
	}
	again := *p
	again.Classes, again.Names, again.Own = nil, nil, nil
	n := len(packs)
	if len(p.JDK) > 0 {
		n-- // the last pack has the classes of the JDK
	}
	if err := again.fill(packs[:n], starts); err != nil {
		return nil, err
	}
	if string(again.Append(nil)) != string(data) {
		return nil, fmt.Errorf("%s: %w: its packs have changed", path, ErrPlan)
	}
	again.File = path
	return &again, nil
}
