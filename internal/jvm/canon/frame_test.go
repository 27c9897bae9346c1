package canon

import (
	"fmt"
	"testing"

	"winnow/internal/jvm/jvmtest"
)

// framesOf compiles the bodies of test classes C, each in a package of its own, and returns their frames.
func framesOf(t *testing.T, bodies []string) []*Frame {
	t.Helper()
	files := map[string]string{}
	for _, name := range []string{"Test", "BeforeEach", "Tag"} {
		files["org/junit/jupiter/api/"+name+".java"] = "package org.junit.jupiter.api; @java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) public @interface " + name + " { String value() default \"\"; }"
	}
	for i, body := range bodies {
		files[fmt.Sprintf("p%d/C.java", i)] = fmt.Sprintf("package p%d; import org.junit.jupiter.api.*; %s", i, body)
	}
	set, err := ReadAll(jvmtest.Javac(t, jvmtest.JDK(t, 17), files))
	if err != nil {
		t.Fatal(err)
	}
	out := make([]*Frame, len(bodies))
	for i := range bodies {
		c, err := set.Class(fmt.Sprintf("p%d/C", i))
		if err != nil {
			t.Fatal(err)
		}
		if out[i], err = c.Frame(); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// TestFrame: a framework that runs one test sees no difference in what belongs to other tests only.
func TestFrame(t *testing.T) {
	bodies := []string{`class C { void help() { } }`, `class C { int x; @Test void a() { } void help() { } }`}
	tests := []struct {
		name, body string
		rest, a    bool // whether they are the same
	}{
		{"a test added", `class C { int x; @Test void b() { } @Test void a() { } void help() { } }`, true, true},
		{"a test with a lambda and an anonymous class added", `class C { int x; @Test void a() { } @Test void b() { Runnable r = () -> { }; new Object() { }.hashCode(); } void help() { } }`, true, true},
		{"the body of a test", `class C { int x; @Test void a() { help(); } void help() { } }`, true, true},
		{"an annotation of the test", `class C { int x; @Test @Tag("t") void a() { } void help() { } }`, true, false},
		{"flags of the test", `class C { int x; @Test public void a() { } void help() { } }`, true, false},
		{"a method added", `class C { int x; @Test void a() { } void help() { } void more() { } }`, false, true},
		{"set-up", `class C { int x; @Test void a() { } @BeforeEach void help() { } }`, false, true},
		{"a test that is set-up as well", `class C { int x; @Test void a() { } @Test @BeforeEach void b() { } void help() { } }`, false, true},
		{"an annotation of the class", `@Tag("t") class C { int x; @Test void a() { } void help() { } }`, false, true},
		{"an annotation of a field", `class C { @Tag("t") int x; @Test void a() { } void help() { } }`, false, true},
		{"a field added", `class C { int x, y; @Test void a() { } void help() { } }`, false, true},
	}
	for _, test := range tests {
		bodies = append(bodies, test.body)
	}
	frames := framesOf(t, bodies)
	old := frames[1]
	for i, test := range tests {
		now := frames[2+i]
		if same := old.Rest.Same(now.Rest); same != test.rest {
			t.Errorf("%s: the rest is the same: %v", test.name, same)
		}
		if same := old.Tests["a()V"].Same(now.Tests["a()V"]); same != test.a {
			t.Errorf("%s: the test is the same: %v", test.name, same)
		}
	}
	if frames[0] != nil {
		t.Errorf("a class without tests has a frame: %v", frames[0])
	}
}
