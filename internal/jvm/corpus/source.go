package main

import (
	"errors"
	"fmt"
	"strings"

	"winnow/internal/jvm/classpath"
	"winnow/internal/jvm/jvmtest"
)

// A source is a place that holds class files.
type source struct {
	name   string
	locate func() (string, error) // gives the path of a jar, or of the home of a JDK; may download
}

func allSources() []source {
	var all []source
	for _, a := range jvmtest.All() {
		all = append(all, source{a.Name, func() (string, error) { return jvmtest.Fetch(a.Name) }})
	}
	for _, feature := range []int{17, 25} {
		all = append(all, source{fmt.Sprintf("jdk%d", feature), func() (string, error) { return jvmtest.Find(feature) }})
	}
	return all
}

// A located is a source whose path is known, or will be when the channel is closed.
type located struct {
	source
	path string
	err  error
	done chan struct{}
}

// downloads is how many sources are located at once: a public server is asked politely.
const downloads = 4

// locateAll finds the paths of all sources in the background, about in order, while the first ones are being read.
func locateAll(sources []source) []*located {
	all := make([]*located, len(sources))
	slots := make(chan struct{}, downloads)
	for i, s := range sources {
		all[i] = &located{source: s, done: make(chan struct{})}
	}
	go func() {
		for _, l := range all {
			slots <- struct{}{}
			go func() {
				l.path, l.err = l.locate()
				close(l.done)
				<-slots
			}()
		}
	}()
	return all
}

// open opens the class path and lists its class files. A class file that the listing leaves out is an error: it would go unchecked.
func (l *located) open() (classpath.Source, []classpath.Entry, error) {
	<-l.done
	if l.err != nil {
		return nil, nil, l.err
	}
	src, err := classpath.Open(l.path)
	if err != nil {
		return nil, nil, err
	}
	classes, err := classFiles(src)
	if err != nil {
		return nil, nil, errors.Join(err, src.Close())
	}
	return src, classes, nil
}

func classFiles(src classpath.Source) ([]classpath.Entry, error) {
	problems, err := src.Problems()
	if err != nil {
		return nil, err
	}
	for _, p := range problems {
		if isClass(p.Name) {
			return nil, fmt.Errorf("%s: %s", src.Path(), p)
		}
	}
	entries, err := src.Entries()
	if err != nil {
		return nil, err
	}
	var classes []classpath.Entry
	for _, e := range entries {
		if isClass(e.Name) {
			classes = append(classes, e)
		}
	}
	if len(classes) == 0 {
		return nil, fmt.Errorf("%s has no class", src.Path())
	}
	return classes, nil
}

func isClass(name string) bool { return strings.HasSuffix(name, ".class") }
