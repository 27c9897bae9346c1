package vfs

import (
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"winnow/internal/digest"
	"winnow/internal/rts"
)

// Files is a snapshot of files, directories and variables by portable name. Each is looked at once; what was seen then
// stays the answer.
type Files struct {
	roots Roots
	key   []byte
	env   func(string) (string, bool)
	seen  map[rts.Entity]digest.Digest
}

// NewFiles returns a snapshot of the present state.
func NewFiles(roots Roots) *Files {
	return &Files{roots: roots, env: os.LookupEnv, seen: map[rts.Entity]digest.Digest{}}
}

// Keyed returns a snapshot in which digests of values depend on a secret, so that short values cannot be guessed from them.
func (f *Files) Keyed(key []byte) *Files {
	g := f.Fresh()
	g.key = key
	return g
}

// Roots returns the named places.
func (f *Files) Roots() Roots { return f.roots }

// Value returns the digest of a value of a variable.
func (f *Files) Value(v string) digest.Digest {
	if len(f.key) == 0 {
		return digest.OfString(v)
	}
	mac := hmac.New(sha256.New, f.key)
	mac.Write([]byte(v))
	return digest.Of(mac.Sum(nil))
}

// Fresh returns a snapshot that looks again.
func (f *Files) Fresh() *Files {
	return &Files{roots: f.roots, key: f.key, env: f.env, seen: map[rts.Entity]digest.Digest{}}
}

// Knows tells whether the snapshot is about entities of this kind.
func (f *Files) Knows(k rts.Kind) bool {
	return k == rts.KindFile || k == rts.KindDir || k == rts.KindPath || k == rts.KindExistence || k == rts.KindEnv
}

// Digest returns the digest of a file's content, a directory's sorted names, what a path is, or a variable's value.
func (f *Files) Digest(e rts.Entity) digest.Digest {
	d, ok := f.seen[e]
	if !ok {
		d = f.look(e)
		f.seen[e] = d
	}
	return d
}

func (f *Files) look(e rts.Entity) digest.Digest {
	if e.Kind == rts.KindEnv && (e.Name == EveryVariable || e.Name == EveryName) {
		return f.variables(e.Name == EveryVariable)
	}
	if e.Kind == rts.KindEnv {
		if v, ok := f.env(e.Name); ok {
			return f.Value(v)
		}
		return digest.Absent
	}
	path, ok := f.roots.Local(e.Name)
	if !ok {
		return digest.Unknown
	}
	var d digest.Digest
	var err error
	switch e.Kind {
	case rts.KindFile:
		d, err = fileDigest(path)
	case rts.KindDir:
		d, err = dirDigest(path)
	case rts.KindPath:
		d, err = pathDigest(path)
	case rts.KindExistence:
		d, err = existence(path)
	default:
		return digest.Unknown
	}
	switch {
	case err == nil:
		return d
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR): // below a file there is nothing
		return digest.Absent
	}
	return digest.Unknown
}

// EveryVariable is the name that stands for all environment variables, EveryName for their names.
const (
	EveryVariable = "*"
	EveryName     = "*=names"
)

// fleeting are the variables of Fleeting.
var fleeting = []string{"_", "ALACRITTY_WINDOW_ID", "COLUMNS", "DESKTOP_STARTUP_ID", "GNOME_TERMINAL_SCREEN", "GPG_TTY", "INVOCATION_ID", "ITERM_SESSION_ID", "JOURNAL_STREAM", "KITTY_WINDOW_ID", "KONSOLE_DBUS_SESSION",
	"KONSOLE_DBUS_WINDOW", "LINES", "MAVEN_CMD_LINE_ARGS", "MAVEN_PROJECTBASEDIR", "OLDPWD", "PWD", "SHLVL", "SSH_AUTH_SOCK", "SSH_CLIENT", "SSH_CONNECTION", "SSH_TTY", "STY", "TERM_SESSION_ID", "TMUX", "TMUX_PANE",
	"WEZTERM_PANE", "WINDOWID", "WT_SESSION", "XDG_SESSION_ID"}

// Fleeting tells whether a variable differs from one shell or run to the next and says nothing about what a program should do.
func Fleeting(name string) bool { return slices.Contains(fleeting, name) }

// variables names all variables, with their values or without.
func (f *Files) variables(values bool) digest.Digest {
	var lines []string
	for _, line := range os.Environ() {
		name, _, _ := strings.Cut(line, "=")
		switch {
		case Fleeting(name):
		case values:
			lines = append(lines, line)
		default:
			lines = append(lines, name)
		}
	}
	slices.Sort(lines)
	return f.Value(strings.Join(lines, "\n"))
}

func fileDigest(path string) (digest.Digest, error) {
	file, err := os.Open(path)
	if err != nil {
		return digest.Unknown, err
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return digest.Unknown, err
	}
	return digest.Of(h.Sum(nil)), nil
}

// pathDigest names what is at a path: a file of some size, a directory or something else, with its permissions, and where a link points to.
func pathDigest(path string) (digest.Digest, error) {
	info, err := os.Stat(path)
	if link, none := os.Readlink(path); err != nil && none == nil && errors.Is(err, fs.ErrNotExist) {
		return digest.OfString("nothing by way of " + link), nil
	}
	if err != nil {
		return digest.Unknown, err
	}
	what := info.Mode().String()
	if info.Mode().IsRegular() {
		what += " of " + strconv.FormatInt(info.Size(), 10)
	}
	if link, err := os.Readlink(path); err == nil {
		what += " by way of " + link
	}
	return digest.OfString(what), nil
}

// existence names whether a path is a file, a directory or something else.
func existence(path string) (digest.Digest, error) {
	info, err := os.Stat(path)
	if err != nil {
		return digest.Unknown, err
	}
	return digest.OfString(info.Mode().Type().String()), nil
}

// dirDigest names the sorted names in a directory; a name that is a directory ends in a slash.
func dirDigest(path string) (digest.Digest, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return digest.Unknown, err
	}
	var b digest.Builder
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() {
			name += "/"
		}
		b.AddString(name)
	}
	return b.Sum(), nil
}
