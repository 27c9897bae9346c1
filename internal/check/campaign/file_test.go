package campaign

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

const small = `# five minutes
name small
component AutoEP
constraint all   # every one
operator E1 E2
subject methods smart
subject ekstazi
command other sh -c true
rule R1 I1
each 2
time 5m
`

func TestParse(t *testing.T) {
	c, err := Parse("c.txt", []byte(small))
	if err != nil {
		t.Fatal(err)
	}
	if c.Name != "small" || c.Component != AutoEP || len(c.Subjects) != 3 || len(c.Commands) != 1 || c.Each != 2 || c.Programs != 400 || len(c.Rules) != 2 || len(c.Lengths) != 4 {
		t.Errorf("%+v", c)
	}
}

func TestParseReleases(t *testing.T) {
	c, err := Parse("c.txt", []byte("component evolution\nsubject winnow\nrelease g.h:a 1.0 1.1\nrelease g:b 1 2 3\ndependency x:y:1.2-rc_1"))
	if err != nil {
		t.Fatal(err)
	}
	want := []Release{{"g.h", "a", []string{"1.0", "1.1"}}, {"g", "b", []string{"1", "2", "3"}}}
	if !reflect.DeepEqual(c.Releases, want) || c.POMDependencies() != "<dependency><groupId>x</groupId><artifactId>y</artifactId><version>1.2-rc_1</version></dependency>" {
		t.Errorf("%+v", c)
	}
	if again, err := Parse("again", []byte(c.String())); err != nil || !reflect.DeepEqual(again, c) {
		t.Errorf("%+v, %v; want %+v", again, err, c)
	}
}

// TestParseRefuses checks that the line and the remedy are named.
func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ text, says string }{
		{"", "component is missing"},
		{"component autoep", "no subject"},
		{"component autoep\nsubject methods", "constraint is missing"},
		{"component autoep\nsubject methods\nconstraint all", "operator is missing"},
		{"component evolution\nsubject methods", "path or release is missing"},
		{"component cases\nsubject methods\nrelease g:a 1 2", "release is for the component evolution"},
		{"release g:a 1", "want GROUP:ARTIFACT and two or more versions"},
		{"release g 1 2", "want GROUP:ARTIFACT"},
		{"release g:a 1 2</version>", "is no version"},
		{"dependency g:a", "is not GROUP:ARTIFACT:VERSION"},
		{"component x", "1: component: want autoep, cases, defects or evolution"},
		{"name a\n\ncolour red", "3: \"colour\" is no word of a campaign; want one of name, component"},
		{"name", "1: name has no value"},
		{"jdk 17\njdk 25", "2: jdk is there twice"},
		{"jdk seven", "want one number from 8 to 99"},
		{"programs -1", "want one number"},
		{"tests 99999999999999999999", "want one number"},
		{"seed x", "want one number"},
		{"length 1 1", "1 is there twice"},
		{"length 0", "want one number"},
		{"timeout 5", "want a time such as 30s"},
		{"time -1s", "want a time"},
		{"loss maybe", "want yes or no"},
		{"rule R9", "there is no rule R9; the rules are R1"},
		{"command x", "want a name and a command"},
		{"component cases\nsubject a b a", "subject a is there twice"},
		{"component cases\nsubject a\ncommand a b", "subject a is there twice"},
		{"name " + strings.Repeat("x", mostLine), "too long"},
	} {
		got, err := Parse("f", []byte(c.text))
		var syntax *SyntaxError
		if got != nil || !errors.As(err, &syntax) || !strings.Contains(err.Error(), c.says) || !strings.HasPrefix(err.Error(), "f:") {
			t.Errorf("%.40q: %v, want %q", c.text, err, c.says)
		}
	}
}

// FuzzParse: what is accepted reads the same when it is written; what is not has no result.
func FuzzParse(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte("component cases\nsubject a\nloss yes\npath /x\nseed 18446744073709551615"))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := Parse("f", text)
		if err != nil {
			if c != nil {
				t.Fatal("an error and a result")
			}
			return
		}
		again, err := Parse("f", []byte(c.String()))
		if err != nil {
			t.Fatalf("%v\n%s", err, c)
		}
		if !reflect.DeepEqual(c, again) {
			t.Fatalf("%+v\n%+v", c, again)
		}
	})
}
