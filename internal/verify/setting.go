package verify

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"winnow/internal/digest"
)

// SettingFile is the name of the file that holds a Setting, in a directory of its own below the project's data about the JVM.
const SettingFile = "setting.json"

// settingSchema is the version of the file.
const settingSchema = 1

// A Setting is what a run leaves about one test execution: what cannot be found out without the build. It is plain JSON.
type Setting struct {
	Schema int `json:"schema"`
	// Scope is what the names of this execution's classes, resources, properties, tools and tests start with, without the mark that follows: "core", "core@it", "" for the root.
	Scope string `json:"scope"`
	// JDK is the home of the JVM that runs the tests, ClassPath what it searches behind its own classes, in order: absolute paths.
	JDK       string   `json:"jdk"`
	ClassPath []string `json:"class_path"`
	// Properties are the digests of the system properties that the build or the machine gives to the JVM, as text. "*" stands for all of them. A property that is not here is absent.
	Properties map[string]string `json:"properties"`
	// Tools are the digests of the items of the fingerprint, as text, by their names without scope.
	Tools map[string]string `json:"tools"`
}

// Encode returns the content of the file.
func (s Setting) Encode() ([]byte, error) {
	s.Schema = settingSchema
	return json.MarshalIndent(s, "", "  ")
}

// DecodeSetting reads what Encode wrote.
func DecodeSetting(data []byte) (*Setting, error) {
	var s Setting
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, err
	}
	if s.Schema != settingSchema {
		return nil, fmt.Errorf("schema %d, want %d", s.Schema, settingSchema)
	}
	for _, digests := range []map[string]string{s.Properties, s.Tools} {
		for name, text := range digests {
			if _, err := digest.Parse(text); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return &s, nil
}

// ReadSettings reads the settings below a directory. Of a directory without settings there are none.
func ReadSettings(dir string) ([]*Setting, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []*Setting
	seen := map[string]string{}
	for _, e := range entries {
		file := filepath.Join(dir, e.Name(), SettingFile)
		data, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var s *Setting
		if err == nil {
			s, err = DecodeSetting(data)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if other, twice := seen[s.Scope]; twice {
			return nil, fmt.Errorf("%s and %s are both about %s", other, file, shownScope(s.Scope))
		}
		seen[s.Scope] = file
		out = append(out, s)
	}
	return out, nil
}

func shownScope(scope string) string {
	if scope == "" {
		return "the root module"
	}
	return scope
}

// splitName cuts the name of an entity into scope and local name.
func splitName(name string) (scope, local string) {
	scope, local, ok := strings.Cut(name, "!")
	if !ok {
		scope, local = "", name
	}
	return scope, strings.ReplaceAll(local, "%21", "!")
}

// item looks up a digest; what is not listed is absent.
func item(list map[string]string, name string) digest.Digest {
	text, ok := list[name]
	if !ok {
		return digest.Absent
	}
	d, err := digest.Parse(text)
	if err != nil {
		return digest.Unknown
	}
	return d
}
