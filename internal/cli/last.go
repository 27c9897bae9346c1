package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"winnow/internal/digest"
	"winnow/internal/engine"
	"winnow/internal/rts"
	"winnow/internal/verify"
	"winnow/internal/vfs"
)

// A lastSelection is the selection of the last build, kept because making it anew needs the build.
type lastSelection struct {
	Schema    int            `json:"schema"`
	Meta      rts.Meta       `json:"meta"`
	Selection *rts.Selection `json:"selection"`
}

const (
	lastSchema = 1
	lastName   = "last.json"
)

func (s *session) lastFile() string { return filepath.Join(filepath.Dir(s.w.location), lastName) }

// remember keeps the selection for the commands that explain it. Where nothing is recorded nothing is kept.
func (h *mavenRun) remember(context.Context) error {
	if _, err := os.Stat(h.w.location); err != nil {
		return nil
	}
	data, err := json.Marshal(lastSelection{lastSchema, h.meta, h.session.run.Selection})
	if err == nil {
		err = vfs.WriteWhole(h.lastFile(), data)
	}
	if err != nil {
		return fmt.Errorf("the selection could not be kept for `winnow why`: %w", err)
	}
	return h.writeSettings()
}

// writeSettings leaves what `winnow verify` has to know of each execution.
func (h *mavenRun) writeSettings() error {
	for _, m := range h.modules {
		of := m.Setting()
		out := verify.Setting{Scope: of.Scope, JDK: of.JDK, ClassPath: of.ClassPath, Properties: texts(of.Properties), Tools: texts(of.Tools)}
		data, err := out.Encode()
		if err == nil {
			err = os.MkdirAll(m.Dir(), 0o755)
		}
		if err == nil {
			err = vfs.WriteWhole(filepath.Join(m.Dir(), verify.SettingFile), data)
		}
		if err != nil {
			return fmt.Errorf("the setting of %s could not be kept for `winnow verify`: %w", m.Name(), err)
		}
	}
	return nil
}

func texts(of map[string]digest.Digest) map[string]string {
	out := map[string]string{}
	for name, d := range of {
		out[name] = d.String()
	}
	return out
}

// recall reads the selection of the last build.
func (s *session) recall(ctx context.Context) error {
	s.engine = &engine.Engine{Store: s.w.store}
	data, err := os.ReadFile(s.lastFile())
	if errors.Is(err, fs.ErrNotExist) {
		return usage("nothing is known yet of %s; `winnow test` runs the tests and `winnow select` compares", s.w.shown)
	}
	var last lastSelection
	if err == nil {
		err = json.Unmarshal(data, &last)
	}
	if err == nil && (last.Schema != lastSchema || last.Selection == nil) {
		err = errors.New("it is of another version")
	}
	if err != nil {
		return usage("%s: %v; `winnow select` makes it anew", s.lastFile(), err)
	}
	s.run.Selection = last.Selection
	s.run.Technique = last.Meta.Technique
	s.w.notices = append(s.w.notices, "as of "+last.Meta.When.Local().Format("2006-01-02 15:04:05")+"; `winnow select` looks again")
	s.run.Records, err = s.records(ctx)
	return err
}
