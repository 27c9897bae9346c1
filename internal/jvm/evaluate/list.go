package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// A project is a line of the reader's list.
type project struct {
	Name  string   `json:"name"`
	Clone string   `json:"clone"`
	Tip   string   `json:"tip"`
	Maven []string `json:"maven"`
	About string   `json:"about"`
}

// Names become parts of paths.
var plainName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

func readList(file string) ([]project, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("the list of projects: %w", err)
	}
	var all []project
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&all); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	seen := map[string]bool{}
	for i := range all {
		p := &all[i]
		switch {
		case !plainName.MatchString(p.Name):
			return nil, fmt.Errorf("%s: %q cannot be the name of a project", file, p.Name)
		case seen[p.Name]:
			return nil, fmt.Errorf("%s: two projects are named %q", file, p.Name)
		case p.Clone == "" || p.Tip == "":
			return nil, fmt.Errorf("%s: %s needs clone and tip", file, p.Name)
		}
		seen[p.Name] = true
		if !filepath.IsAbs(p.Clone) {
			p.Clone = filepath.Join(filepath.Dir(file), p.Clone)
		}
	}
	return all, nil
}

func find(all []project, name string) (project, bool) {
	for _, p := range all {
		if p.Name == name {
			return p, true
		}
	}
	return project{}, false
}
