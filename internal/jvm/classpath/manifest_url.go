package classpath

import (
	"errors"
	"net/url"
	"path"
	"path/filepath"
	"strings"
)

var errNotFile = errors.New("not the URL of a local file")

// resolve returns the file that an element of a jar's Class-Path means: a URL relative to the jar's own.
func resolve(jar, element string) (local string, isDir bool, err error) {
	element, _, _ = strings.Cut(element, "#")
	if scheme, rest, ok := strings.Cut(element, ":"); ok {
		if !strings.EqualFold(scheme, "file") {
			return "", false, errNotFile
		}
		element = rest
	}
	if host, ok := strings.CutPrefix(element, "//"); ok {
		// file://host/path is another machine's.
		if !strings.HasPrefix(host, "/") {
			return "", false, errNotFile
		}
		element = host
	}
	to, err := url.PathUnescape(element)
	if err != nil {
		return "", false, err
	}
	return absolute(jar, to)
}

// absolute puts a relative path into the directory of a jar.
func absolute(jar, to string) (local string, isDir bool, err error) {
	abs, err := filepath.Abs(jar)
	if err != nil {
		return "", false, err
	}
	if !strings.HasPrefix(to, "/") {
		to = path.Dir(filepath.ToSlash(abs)) + "/" + to
	}
	return filepath.FromSlash(path.Clean(to)), strings.HasSuffix(to, "/"), nil
}
