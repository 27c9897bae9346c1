package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// A Case is a miss that can be repeated. It is either a mutant of the project at a revision, or a step from one revision to another.
type Case struct {
	Schema int `json:"schema"`
	// Repeat is the command that repeats it.
	Repeat string `json:"repeat"`
	Mutant string `json:"mutant,omitempty"`
	// From and To are revisions: the tests were recorded at From and left out at To. For a mutant both are the revision that it was found at.
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`
	// FromDirty and ToDirty mean that the tree had local changes; those of To are in the file changes.patch beside the case.
	FromDirty bool `json:"from_dirty,omitempty"`
	ToDirty   bool `json:"to_dirty,omitempty"`
	// Technique is the name of the technique, "" for the usual one. Arguments are those for the build tool.
	Technique string   `json:"technique,omitempty"`
	Arguments []string `json:"arguments,omitempty"`
	Missed    []Miss   `json:"missed"`
}

const (
	caseSchema = 1
	// CaseFile is the name of the file that --repeat takes.
	CaseFile = "case.json"
	// PatchFile is the name of the file with the local changes of a case.
	PatchFile = "changes.patch"
)

// Write writes a case, with files that belong to it, to a new numbered directory below dir, and returns the name of its file.
func (c *Case) Write(dir string, files map[string][]byte) (string, error) {
	own, err := numbered(dir)
	if err != nil {
		return "", fmt.Errorf("writing a case: %w", err)
	}
	file := filepath.Join(own, CaseFile)
	c.Schema, c.Repeat = caseSchema, "winnow audit --repeat "+strconv.Quote(file)
	var data bytes.Buffer
	enc := json.NewEncoder(&data)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err = enc.Encode(c)
	for _, name := range append(sortedNames(files), CaseFile) {
		content := data.Bytes()
		if name != CaseFile {
			content = files[name]
		}
		err = errors.Join(err, os.WriteFile(filepath.Join(own, name), content, 0o644))
	}
	if err != nil {
		return "", fmt.Errorf("writing a case: %w", err)
	}
	return file, nil
}

// numbered makes the directory with the lowest number that is free.
func numbered(dir string) (string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	for n := 1; ; n++ {
		own := filepath.Join(dir, strconv.Itoa(n))
		err := os.Mkdir(own, 0o755)
		if err == nil || !errors.Is(err, fs.ErrExist) {
			return own, err
		}
	}
}

// ReadCase reads a case, given its file or its directory.
func ReadCase(path string) (*Case, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, CaseFile)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	c, err := decodeCase(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

func decodeCase(data []byte) (*Case, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	var c Case
	if err := dec.Decode(&c); err != nil {
		return nil, err
	}
	switch {
	case c.Schema != caseSchema:
		return nil, fmt.Errorf("it is of version %d; this program knows version %d", c.Schema, caseSchema)
	case len(c.Missed) == 0:
		return nil, errors.New("no test is missed in it")
	case c.Mutant == "" && (c.From == "" || c.To == ""):
		return nil, errors.New("it has neither a mutant nor two revisions")
	}
	return &c, nil
}
