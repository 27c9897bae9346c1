package cli

import (
	"regexp"
	"slices"
	"strings"

	"winnow/internal/config"
	"winnow/internal/rts"
)

// A testName is a test of a JVM program in the words that people copy from elsewhere: a class with its nested ones behind slashes, and a bare method. Either may be "".
type testName struct{ class, method string }

// uniqueSegment is one part of a unique id of the JUnit Platform.
var uniqueSegment = regexp.MustCompile(`\[([^:\[\]/]+):([^\[\]/]*)\]`)

// nameOfTest reads the name that Winnow gives a test. Tests of engines that it does not know in particular, and those of suites, have unique ids.
func nameOfTest(id rts.TestID) testName {
	text := string(id)
	if _, local, ok := strings.Cut(text, "!"); ok {
		text = local
	}
	if !strings.HasPrefix(text, "[engine:") {
		class, method, _ := strings.Cut(text, "#")
		return testName{onceClass(class), methodName(method)}
	}
	var name testName
	for _, part := range uniqueSegment.FindAllStringSubmatch(text, -1) {
		switch kind, value := part[1], part[2]; kind {
		case "engine", "suite":
			name = testName{}
		case "class", "class-template", "runner":
			name.class = value
		case "nested-class", "nested-class-template", "container":
			name.class += "/" + value
		default:
			name.method = methodName(value)
		}
	}
	return name
}

// classNumber is what stands behind a class that runs several times: its number in Surefire's words, nothing between the brackets in Winnow's. numberInside is the same in the name of a test.
var (
	classNumber  = regexp.MustCompile(`\[\d*\]`)
	numberInside = regexp.MustCompile(`\[\d*\]([.#$/])`)
)

// onceClass is the class of all its invocations.
func onceClass(class string) string { return classNumber.ReplaceAllString(class, "") }

// lineNumber is what Surefire puts behind a test in its summary.
var lineNumber = regexp.MustCompile(`:\d+$`)

// readings lists what a name as Surefire, Maven or an IDE writes it can stand for: p.ATest$In, p.ATest.one, ATest#one, ATest.one:12, ATest>Base.one:12, ATest.many(int)[2].
func readings(text string) []testName {
	text = lineNumber.ReplaceAllString(text, "")
	text = numberInside.ReplaceAllString(text, "$1")
	if i := strings.IndexAny(text, "([{"); i > 0 {
		text = text[:i]
	}
	if heir, base, ok := strings.Cut(text, ">"); ok {
		text = heir + base[max(0, strings.LastIndexByte(base, '.')):]
	}
	text = strings.NewReplacer("$", "/", "->", "#").Replace(text)
	if class, method, ok := strings.Cut(text, "#"); ok {
		return []testName{{class, method}}
	}
	out := []testName{{class: text}}
	if i := strings.LastIndexByte(text, '.'); i > 0 {
		out = append(out, testName{text[:i], text[i+1:]})
	}
	return out
}

// fits tells whether a test is one that a name stands for: exactly, or, if Surefire named the class around a nested one, inside of it.
func (n testName) fits(of testName, inside bool) bool {
	if n.class == "" || of.class == "" || n.method != "" && n.method != of.method {
		return false
	}
	class := of.class
	if inside && len(class) > len(n.class) {
		if i := strings.IndexByte(class, '/'); i > 0 {
			class = class[:i]
		}
	}
	return class == n.class || strings.HasSuffix(class, "."+n.class)
}

// named finds the tests that a name as other tools write it stands for.
func named(text string, ids []rts.TestID) []rts.TestID {
	if scope, local, ok := strings.Cut(text, "!"); ok {
		text = local
		ids = slices.DeleteFunc(slices.Clone(ids), func(id rts.TestID) bool { return !strings.HasPrefix(string(id), scope+"!") })
	}
	for _, inside := range []bool{false, true} {
		for _, n := range readings(text) {
			var hits []rts.TestID
			for _, id := range ids {
				if n.fits(nameOfTest(id), inside) {
					hits = append(hits, id)
				}
			}
			if len(hits) > 0 {
				return hits
			}
		}
	}
	return nil
}

// nearTest returns the test whose name, in one of the forms in which people write it, is nearest to a text; "" if none is near.
func nearTest(text string, ids []rts.TestID) rts.TestID {
	whole := map[string]rts.TestID{}
	for _, id := range slices.Backward(ids) { // the first of several with one form is suggested
		n := nameOfTest(id)
		class := strings.ReplaceAll(n.class, "/", "$")
		simple := class[strings.LastIndexByte(class, '.')+1:]
		for _, form := range []string{string(id), n.method, class + "#" + n.method, class + "." + n.method, simple + "#" + n.method, simple + "." + n.method, class, simple} {
			whole[form] = id
		}
	}
	forms := make([]string, 0, len(whole))
	for form := range whole {
		forms = append(forms, form)
	}
	slices.Sort(forms)
	return whole[config.Nearest(lineNumber.ReplaceAllString(text, ""), forms)]
}
