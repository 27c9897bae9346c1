package table

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/classpath"
	"winnow/internal/jvm/hierarchy"
)

// A platform is the classes of a JDK. Several goroutines may ask it.
type platform struct {
	*classpath.Path
	mu      sync.Mutex
	feature int
	image   *classpath.Image // nil up to JDK 8
	owned   map[string]bool  // packages that the image has
	known   map[string]bool
}

func openPlatform(home string) (*platform, error) {
	feature, err := featureOf(home)
	if err != nil {
		return nil, fmt.Errorf("tables: JDK: %w", err)
	}
	path, err := classpath.OpenPath(feature, home)
	if err != nil {
		return nil, err
	}
	j := &platform{Path: path, feature: feature, owned: map[string]bool{}, known: map[string]bool{}}
	for _, place := range path.Places() {
		if image, ok := place.Source.(*classpath.Image); ok {
			j.image = image
		}
	}
	return j, nil
}

// featureOf reads the feature version of a JDK: 17 for 17.0.15, 8 for 1.8.0_402.
func featureOf(home string) (int, error) {
	f, err := os.Open(filepath.Join(home, "release"))
	if err != nil {
		return 0, err
	}
	defer f.Close() // it was only read
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if v, ok := strings.CutPrefix(lines.Text(), "JAVA_VERSION="); ok {
			v = strings.TrimPrefix(strings.Trim(v, `"`), "1.")
			if end := strings.IndexFunc(v, func(r rune) bool { return r < '0' || r > '9' }); end >= 0 {
				v = v[:end]
			}
			return strconv.Atoi(v)
		}
	}
	return 0, errors.Join(lines.Err(), fmt.Errorf("%s has no JAVA_VERSION", f.Name()))
}

// has tells whether the JDK has a class.
func (j *platform) has(class string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.contains(class)
}

func (j *platform) contains(class string) bool {
	if j.image != nil && !j.owns(class) {
		return false
	}
	has, ok := j.known[class]
	if !ok {
		_, found, err := j.Find(class)
		has = found || err != nil // what cannot be read is there
		j.known[class] = has
	}
	return has
}

// hides tells whether no class path can define a class: its package, or up to JDK 8 the class itself, belongs to the JDK.
func (j *platform) hides(class string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.image != nil {
		return j.owns(class)
	}
	return j.contains(class)
}

func (j *platform) owns(class string) bool {
	pkg := packageOf(class)
	owns, ok := j.owned[pkg]
	if !ok {
		_, has, err := j.image.Module(pkg)
		owns = has || err != nil
		j.owned[pkg] = owns
	}
	return owns
}

// class reads a class of the JDK.
func (j *platform) class(name string) (*hierarchy.Class, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	found, ok, err := j.Find(name)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, hierarchy.ErrNotFound
	}
	data, err := found.Read()
	if err != nil {
		return nil, err
	}
	c, err := classfile.Read(data)
	if err != nil {
		return nil, err
	}
	return hierarchy.Of(c)
}
