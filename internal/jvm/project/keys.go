package project

import (
	"net/url"
	"strings"
)

const jupiter = "[engine:junit-jupiter]/"

// segment takes one part of a unique id of the JUnit Platform apart: "[kind:value]". Brackets and slashes in values are escaped there.
func segment(part string) (kind, value string, ok bool) {
	inner, opened := strings.CutPrefix(part, "[")
	inner, closed := strings.CutSuffix(inner, "]")
	kind, value, named := strings.Cut(inner, ":")
	ok = opened && closed && named && kind != "" && strings.Trim(kind, "abcdefghijklmnopqrstuvwxyz-") == "" && !strings.ContainsAny(value, "]/")
	return kind, value, ok
}

// marks are put behind the method by its kind of node.
var marks = map[string]string{"method": "", "test-template": "[]", "test-factory": "{}"}

// classMarks are put behind a class by its kind of node.
var classMarks = map[string]string{"class": "", "class-template": "[]"}

// nameOf returns the name of a test by its key: "p.FooTest/Inner#bar(int)" for Jupiter, with [] for a template, behind the class if that is one, and {} for a factory, "p.FooTest#bar" for
// JUnit 4, "p.FooTest#bar:testng" and "p.FooTest#bar:junit3" for those. Every other key is its own name. A method of Jupiter that the class cannot see by itself has the class that declares
// it before its name: "p.FooTest#q.Base#bar()".
func nameOf(key string) string {
	if name, ok := jupiterName(key); ok && keyOf(name) == key {
		return name
	}
	framework, rest, _ := strings.Cut(key, ":")
	if suffix, ok := keyForms[framework]; ok {
		if open := strings.LastIndexByte(rest, '('); open > 0 && strings.HasSuffix(rest, ")") {
			if name := rest[open+1:len(rest)-1] + "#" + rest[:open] + suffix; keyOf(name) == key {
				return name
			}
		}
	}
	return key
}

// asDescribed marks the name of a test that its runner describes as it likes: there is a class, and no method of that name.
const asDescribed = ":described"

// wholeClass is in the place of the method in the name of a class that had no test: see agent.TestTrace.
const wholeClass = "*"

// describedName marks the name of a test; "" if it cannot be.
func describedName(key string) string {
	name := nameOf(key) + asDescribed
	if keyOf(name) != key {
		return ""
	}
	return name
}

// keyForms have keys of the form framework:method(class); their names differ by a suffix.
var keyForms = map[string]string{"junit4": "", "junit3": ":junit3", "testng": ":testng"}

func jupiterName(key string) (string, bool) {
	rest, ok := strings.CutPrefix(key, jupiter)
	if !ok {
		return "", false
	}
	var name strings.Builder
	parts := strings.Split(rest, "/")
	for i, part := range parts {
		kind, value, ok := segment(part)
		if !ok {
			return "", false
		}
		mark, known := marks[kind]
		switch {
		case i == 0:
			mark, known = classMarks[kind]
		case i < len(parts)-1:
			name.WriteByte('/')
			mark, known = classMarks[strings.TrimPrefix(kind, "nested-")]
		default:
			name.WriteByte('#')
		}
		if !known {
			return "", false
		}
		name.WriteString(value + mark)
	}
	return name.String(), true
}

// keyOf is the inverse of nameOf.
func keyOf(name string) string {
	class, method, ok := strings.Cut(name, "#")
	if !ok || class == "" || method == "" || strings.HasPrefix(name, "[") || strings.Contains(class, ":") {
		return name
	}
	method = strings.TrimSuffix(method, asDescribed)
	for framework, suffix := range keyForms {
		if bare, ok := strings.CutSuffix(method, suffix); ok && suffix != "" {
			return framework + ":" + bare + "(" + class + ")"
		}
	}
	kind := "method"
	for k, mark := range marks {
		if bare, ok := strings.CutSuffix(method, mark); ok && mark != "" {
			kind, method = k, bare
		}
	}
	if !strings.HasSuffix(method, ")") {
		return "junit4:" + method + "(" + class + ")"
	}
	key, nested := jupiter, ""
	for part := range strings.SplitSeq(class, "/") {
		of := "class"
		if bare, ok := strings.CutSuffix(part, classMarks["class-template"]); ok {
			of, part = "class-template", bare
		}
		key += "[" + nested + of + ":" + part + "]/"
		nested = "nested-"
	}
	return key + "[" + kind + ":" + method + "]"
}

// engineOf returns the engine of the JUnit Platform that a key belongs to, "" for a test of another framework.
func engineOf(key string) string {
	rest, ok := strings.CutPrefix(key, "[engine:")
	if !ok {
		return ""
	}
	engine, _, _ := strings.Cut(rest, "]")
	return engine
}

// classOf returns the class of a test with a plain name, in internal form, and the bare name of its method; "" for what the name does not tell.
func classOf(name string) (class, method string) {
	class, method, ok := strings.Cut(name, "#")
	if !ok || strings.HasPrefix(name, "[") || strings.ContainsAny(class, ":%") {
		return "", ""
	}
	class = internalName(strings.ReplaceAll(unmarked(class), "/", "$"))
	if strings.HasSuffix(method, asDescribed) {
		return class, ""
	}
	method, _, jupiter := strings.Cut(method, "(")
	if jupiter {
		return class, unescaped(method[strings.LastIndexByte(method, '#')+1:])
	}
	method, _, _ = strings.Cut(method, ":")
	return class, method
}

// unmarked is the class in a test's name, without the marks of class templates.
func unmarked(class string) string {
	return strings.ReplaceAll(class, classMarks["class-template"], "")
}

// unescaped is a value of a unique id of the JUnit Platform as it was: Kotlin has names of methods with signs that are escaped there.
func unescaped(value string) string {
	if plain, err := url.PathUnescape(value); err == nil {
		return plain
	}
	return value
}

// groupClass is the class that a node of Jupiter stands for, in internal form, if it is one that is in no other.
func groupClass(key string) (class string, ok bool) {
	rest, ok := strings.CutPrefix(key, jupiter)
	if !ok {
		return "", false
	}
	kind, value, ok := segment(rest)
	if !ok {
		return "", false
	}
	_, ok = classMarks[kind]
	return internalName(value), ok
}

// internalName is the name in class files of a class that Java calls by its binary name.
func internalName(binary string) string { return strings.ReplaceAll(binary, ".", "/") }

// enclosing lists a class and those that it is inside of, by its name.
func enclosing(class string) []string {
	out := []string{class}
	for i := strings.LastIndexByte(class, '$'); i > strings.LastIndexByte(class, '/')+1; i = strings.LastIndexByte(class[:i], '$') {
		out = append(out, class[:i])
	}
	return out
}
