package maven

import (
	"strings"
	"testing"
)

func TestCoverageGate(t *testing.T) {
	const (
		jacoco    = "/p|org.jacoco|jacoco-maven-plugin|0.8.14|check|strict|"
		early     = "/p|org.jacoco|jacoco-maven-plugin|0.8.14|check|strict|test"
		never     = "/p|org.jacoco|jacoco-maven-plugin|0.8.14|check|strict|none"
		report    = "/p|org.jacoco|jacoco-maven-plugin|0.8.14|report|r|verify"
		other     = "/q|org.jacoco|jacoco-maven-plugin|0.8.14|check|strict|"
		clover    = "/p|org.openclover|clover-maven-plugin|5.1.0|check|c|"
		cobertura = "/p|org.codehaus.mojo|cobertura-maven-plugin|2.7|check|c|"
		style     = "/p|org.apache.maven.plugins|maven-checkstyle-plugin|3.6.0|check|c|"
	)
	for _, c := range []struct {
		tasks string
		bound []string
		want  string
	}{
		{"verify", []string{jacoco}, "jacoco-maven-plugin:0.8.14:check (strict)"},
		{"clean install", []string{report, jacoco}, "jacoco-maven-plugin:0.8.14:check (strict)"},
		{"test", []string{jacoco}, ""},
		{"clean test", []string{jacoco}, ""},
		{"test", []string{early}, "jacoco-maven-plugin:0.8.14:check (strict)"},
		{"verify", []string{never}, ""},
		{"verify", []string{report, style, "nonsense"}, ""},
		{"verify", []string{other}, "jacoco-maven-plugin:0.8.14:check (strict) in /q"},
		{"verify", []string{other, clover}, "clover-maven-plugin:5.1.0:check (c)"},
		{"verify", []string{cobertura}, "cobertura-maven-plugin:2.7:check (c)"},
		{"of-an-extension", []string{jacoco}, "jacoco-maven-plugin:0.8.14:check (strict)"},
		{"test jacoco:check", nil, "jacoco:check"},
		{"test jacoco:check@strict", nil, "jacoco:check@strict"},
		{"test jacoco:report checkstyle:check", nil, ""},
		{"test org.jacoco:jacoco-maven-plugin:0.8.14:check", nil, "org.jacoco:jacoco-maven-plugin:0.8.14:check"},
		{"test clover:check", nil, "clover:check"},
	} {
		for i := range c.bound {
			c.bound[i] = strings.ReplaceAll(c.bound[i], "|", "\t")
		}
		if got := coverageGate(&Request{BaseDir: "/p", Tasks: strings.Fields(c.tasks)}, c.bound); got != c.want {
			t.Errorf("%s with %q: %q, want %q", c.tasks, c.bound, got, c.want)
		}
	}
}

// TestStaysInside: installing, deploying and goals of the command line do something that an answer without Maven would leave undone.
func TestStaysInside(t *testing.T) {
	for _, c := range []struct {
		tasks []string
		want  bool
	}{
		{[]string{"test"}, true}, {[]string{"clean", "verify"}, true}, {[]string{"package"}, true},
		{[]string{"install"}, false}, {[]string{"clean", "deploy"}, false}, {[]string{"site"}, false}, {[]string{"test", "exec:java"}, false}, {[]string{"test", "org.example:p:1:push"}, false},
	} {
		if got := (&Request{Tasks: c.tasks}).StaysInside(); got != c.want {
			t.Errorf("%q: %v", c.tasks, got)
		}
	}
}
