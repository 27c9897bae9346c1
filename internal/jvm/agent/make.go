package agent

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"winnow/internal/digest"
	"winnow/internal/jvm/classpath"
	"winnow/internal/jvm/instrument"
)

// packFormat is part of every pack's key. It changes with anything that makes the same place give another pack.
const packFormat = "pack 5"

// Options says for what a plan is made.
type Options struct {
	JDK       string   // home of the JVM that will run the tests
	ClassPath []string // directories and jars; manifests are followed
	Exclude   []string // keys of tests that must not run
	Dir       string   // where plan and logs go, and packs if there is no cache; kept between runs, it saves work
	Logs      string   // where logs go instead, an absolute path
	// Cache keeps packs, and the agent reads them there; none if its Dir is empty.
	Cache instrument.Cache
	// Seen recognises unchanged files; optional.
	Seen *classpath.Seen
	// NoJDKHooks leaves the JDK alone: files, properties and the like are not recorded.
	NoJDKHooks bool
	// Detail also records, for the project's own classes, the edges of the control flow, the classes of receivers, and reflective calls with their callers; see Footprint. Its own are the
	// classes of directories on the class path and of the jars in Own. It makes tests slower and logs larger, so it is for studies, not for selection.
	Detail bool
	Own    []string // jars that are the project's own, such as those of its other modules; paths as in ClassPath
}

// Build instruments the classes of a class path, finds the places for hooks in the JDK, and writes all that a JVM with the agent needs. A class that
// cannot be read is named in Problems and will be recorded as coarse; a place that cannot be read is an error.
func Build(ctx context.Context, o Options) (*Plan, error) {
	if o.Seen == nil {
		o.Seen = new(classpath.Seen)
	}
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, err
	}
	o.Dir = dir
	home, version, err := release(o.JDK)
	if err != nil {
		return nil, fmt.Errorf("plan: %w", err)
	}
	p := &Plan{Logs: filepath.Join(dir, "logs"), Home: home, Version: version, Exclude: slices.Sorted(slices.Values(o.Exclude)), Study: o.Detail}
	p.Exclude = slices.Compact(p.Exclude)
	if o.Logs != "" {
		p.Logs = o.Logs
	}
	if err := p.build(ctx, o); err != nil {
		return nil, fmt.Errorf("plan: %w", err)
	}
	return p, nil
}

func (p *Plan) build(ctx context.Context, o Options) error {
	places, err := p.places(o)
	if err != nil {
		return err
	}
	made, err := makeAll(ctx, o, places)
	if err != nil {
		return err
	}
	var packs []*pack
	var starts []int
	for _, m := range made {
		p.Packs = append(p.Packs, m.path)
		packs, starts = append(packs, m.pack), append(starts, m.start)
		p.note(m.pack)
	}
	if err := p.fill(packs, starts); err != nil {
		return err
	}
	if !o.NoJDKHooks {
		if err := p.hookJDK(o); err != nil {
			return err
		}
	}
	return p.save(o.Dir)
}

// note keeps what could not be done for a pack.
func (p *Plan) note(from *pack) {
	p.Problems = append(p.Problems, from.problems...)
	for i := range from.classes {
		for _, u := range from.classes[i].unmatched {
			p.Problems = append(p.Problems, from.classes[i].Name+": "+u)
		}
	}
}

// release reads the real path and the version of a JVM.
func release(home string) (path, version string, err error) {
	if path, err = filepath.EvalSymlinks(home); err != nil {
		return "", "", err
	}
	if path, err = filepath.Abs(path); err != nil {
		return "", "", err
	}
	f, err := os.Open(filepath.Join(path, "release"))
	if err != nil {
		return "", "", err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if v, ok := strings.CutPrefix(lines.Text(), "JAVA_VERSION="); ok {
			return path, strings.Trim(v, `"`), nil
		}
	}
	return "", "", errors.Join(lines.Err(), fmt.Errorf("%s has no JAVA_VERSION", f.Name()))
}

// feature is 17 for 17.0.15 and 8 for 1.8.0_402.
func feature(version string) (int, error) {
	v := strings.TrimPrefix(version, "1.")
	if end := strings.IndexFunc(v, func(r rune) bool { return r < '0' || r > '9' }); end >= 0 {
		v = v[:end]
	}
	return strconv.Atoi(v)
}

// places lists the directories and jars of the class path, those of manifests included, each once.
func (p *Plan) places(o Options) ([]string, error) {
	n, err := feature(p.Version)
	if err != nil {
		return nil, fmt.Errorf("version %q of the JVM: %w", p.Version, err)
	}
	path, err := classpath.OpenPath(n, o.ClassPath...)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, place := range path.Places() {
		if place.State == classpath.Present && !slices.Contains(out, place.Path) {
			out = append(out, place.Path)
		}
	}
	return out, path.Close()
}

// A made is a pack in a file.
type made struct {
	pack  *pack
	path  string
	start int
}

// makeAll makes the packs of all places, several at a time.
func makeAll(ctx context.Context, o Options, places []string) ([]made, error) {
	usual, err := newMaker(instrument.Scheme{Hooks: frameworkHooks()}, !o.Detail)
	if err != nil {
		return nil, err
	}
	detailed, err := newMaker(instrument.Scheme{Hooks: frameworkHooks(), Edges: true, Receivers: true}, false)
	if err != nil {
		return nil, err
	}
	out := make([]made, len(places))
	errs := make([]error, len(places))
	next := make(chan int)
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(places)) {
		group.Go(func() {
			for i := range next {
				w := usual
				if o.isOwn(places[i]) {
					w = detailed
				}
				if errs[i] = ctx.Err(); errs[i] == nil {
					out[i], errs[i] = makePlace(o, w, places[i])
				}
			}
		})
	}
	for i := range places {
		next <- i
	}
	close(next)
	group.Wait()
	return out, errors.Join(errs...)
}

// A maker rewrites classes by a scheme.
type maker struct {
	*instrument.Rewriter
	harness *instrument.Rewriter // for classes in jars that run tests; nil if they are to be like others
	key     digest.Digest
}

func newMaker(s instrument.Scheme, spare bool) (maker, error) {
	usual := s.Digest()
	m := maker{key: new(digest.Builder).AddString(packFormat).Add(usual[:]).Sum()}
	var err error
	if m.Rewriter, err = instrument.New(s); err != nil || !spare {
		return m, err
	}
	s.InitializersOnly = true
	m.harness, err = instrument.New(s)
	m.key = new(digest.Builder).Add(m.key[:]).AddString(strings.Join(harness, "\n")).AddString(strings.Join(notHarness, "\n")).Sum()
	return m, err
}

// isOwn tells whether details of the classes of a place are wanted.
func (o *Options) isOwn(place string) bool {
	if !o.Detail {
		return false
	}
	info, err := os.Stat(place)
	if err == nil && info.IsDir() {
		return true
	}
	return slices.ContainsFunc(o.Own, func(own string) bool {
		other, err2 := os.Stat(own)
		return err == nil && err2 == nil && os.SameFile(info, other)
	})
}

// makePlace finds or makes the pack of a place.
func makePlace(o Options, w maker, place string) (made, error) {
	content, err := contentOf(o.Seen, place)
	if err != nil {
		return made{}, err
	}
	return o.pack(instrument.Key{Content: content, Scheme: w.key}, func() ([]byte, error) { return w.place(place) })
}

// contentOf names what a place holds. Of a jar that is the file itself: what is inside need not be looked at.
func contentOf(seen *classpath.Seen, place string) (digest.Digest, error) {
	info, err := os.Stat(place)
	if err != nil {
		return digest.Unknown, err
	}
	if !info.IsDir() {
		return seen.Digest(place)
	}
	listing, err := seen.Scan(place)
	if err != nil {
		return digest.Unknown, err
	}
	return listing.Digest, nil
}

// pack returns the pack of a key from the cache, where it is made if it is not there. Without a cache that can be written it is made in the directory.
func (o *Options) pack(key instrument.Key, make func() ([]byte, error)) (made, error) {
	if key.Content == digest.Unknown {
		return made{}, errors.New("a content is unknown")
	}
	make = sync.OnceValues(make) // a cache that cannot keep it has made it all the same
	if o.Cache.Dir != "" {
		if m, err := o.cached(key, make); err == nil {
			return m, nil
		}
	}
	m := made{path: filepath.Join(o.Dir, "packs", key.Name())}
	var err error
	if m.pack, m.start, err = readList(m.path); err == nil {
		return m, nil
	}
	if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrPack) {
		return made{}, err
	}
	data, err := make()
	if err != nil {
		return made{}, err
	}
	if err := writeOnce(m.path, data); err != nil {
		return made{}, err
	}
	m.pack, m.start, err = readList(m.path)
	return m, err
}

// cached finds or makes a pack in the cache.
func (o *Options) cached(key instrument.Key, make func() ([]byte, error)) (made, error) {
	path, err := o.Cache.File(key, make)
	if err != nil {
		return made{}, err
	}
	m := made{path: path}
	if m.pack, m.start, err = readList(path); errors.Is(err, ErrPack) {
		if _, err := o.Cache.Get(key, make); err != nil { // which makes what is damaged anew
			return made{}, err
		}
		m.pack, m.start, err = readList(path)
	}
	return m, err
}

// place rewrites all classes of a place, whichever of several versions a JVM would take.
func (w maker) place(place string) ([]byte, error) {
	info, err := os.Stat(place)
	if err != nil {
		return nil, err
	}
	source, err := classpath.Open(place)
	if err != nil {
		return nil, err
	}
	p := &pack{}
	err = eachClass(source, func(name string, data []byte) {
		with, spared := w.Rewriter, w.harness != nil && !info.IsDir() && isHarness(name)
		if spared {
			with = w.harness
		}
		r, err := with.Rewrite(data)
		if err != nil {
			p.unreadable(name, data, err)
			return
		}
		p.add(data, r, unmatched(frameworkHooks(), r))
		p.classes[len(p.classes)-1].Harness = spared
	})
	if err := errors.Join(err, source.Close()); err != nil {
		return nil, err
	}
	return p.encode(), nil
}

// unreadable notes a class that cannot be rewritten. Nothing has its hash, so the agent will call it coarse.
func (p *pack) unreadable(name string, data []byte, err error) {
	p.problems = append(p.problems, fmt.Sprintf("%s (%d bytes): %v", name, len(data), err))
}

func eachClass(source classpath.Source, do func(name string, data []byte)) error {
	entries, err := source.Entries()
	if err != nil {
		return err
	}
	for _, e := range entries {
		name, ok := e.Class()
		if !ok {
			continue
		}
		data, err := source.Read(e)
		if err != nil {
			return err
		}
		do(name, data)
	}
	return nil
}

// hookJDK makes the pack of the JDK's classes with hooks. It is the last pack of the plan.
func (p *Plan) hookJDK(o Options) error {
	n, err := feature(p.Version)
	if err != nil {
		return err
	}
	scheme := instrument.Scheme{Hooks: jdkHooks(n), HooksOnly: true}
	if p.Study {
		scheme.Hooks = append(scheme.Hooks, studyHooks()...)
	}
	path, err := classpath.OpenPath(n, p.Home)
	if err != nil {
		return err
	}
	originals, err := p.jdkClasses(path, scheme)
	if err := errors.Join(err, path.Close()); err != nil {
		return err
	}
	content := new(digest.Builder).AddString(packFormat)
	for _, data := range originals {
		content.Add(data)
	}
	m, err := o.pack(instrument.Key{Content: content.Sum(), Scheme: scheme.Digest()}, func() ([]byte, error) { return hookAll(scheme, originals) })
	if err != nil {
		return err
	}
	p.note(m.pack)
	p.Packs = append(p.Packs, m.path)
	offset := int64(m.start)
	for i := range m.pack.classes {
		c := &m.pack.classes[i]
		if c.size > 0 {
			p.JDK = append(p.JDK, JDKClass{c.Name, Location{Hash: c.hash, Length: c.length, Pack: len(p.Packs) - 1, Offset: offset, Size: c.size, Sum: c.sum}})
		}
		offset += int64(c.size)
	}
	return nil
}

// jdkClasses reads the classes that hooks are for.
func (p *Plan) jdkClasses(path *classpath.Path, scheme instrument.Scheme) ([][]byte, error) {
	var out [][]byte
	seen := map[string]bool{}
	for _, h := range scheme.Hooks {
		if seen[h.Class] {
			continue
		}
		seen[h.Class] = true
		found, ok, err := path.Find(h.Class)
		if err != nil {
			return nil, err
		}
		if !ok && optional(h.Class) {
			continue // what is not there cannot be used
		}
		if !ok {
			p.Problems = append(p.Problems, fmt.Sprintf("%s: the JDK has no such class", h.Class))
			continue
		}
		data, err := found.Read()
		if err != nil {
			return nil, err
		}
		out = append(out, data)
	}
	return out, nil
}

// optional tells whether a JDK may be without a class: one of another module than java.base.
func optional(class string) bool { return strings.HasPrefix(class, "java/beans/") }

func hookAll(scheme instrument.Scheme, originals [][]byte) ([]byte, error) {
	w, err := instrument.New(scheme)
	if err != nil {
		return nil, err
	}
	p := &pack{}
	for _, data := range originals {
		r, err := w.Rewrite(data)
		if err != nil {
			return nil, err
		}
		p.add(data, r, unmatched(scheme.Hooks, r))
	}
	return p.encode(), nil
}

// unmatched says in words which hooks found no place.
func unmatched(hooks []instrument.Hook, r *instrument.Result) []string {
	var out []string
	for _, u := range r.Unmatched {
		out = append(out, fmt.Sprintf("no place for %s: %s", hooks[u.Hook].Target, u.Detail))
	}
	return out
}
