package maven

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestAddExtension(t *testing.T) {
	const ours = "/t/extension.jar"
	for _, c := range []struct {
		name    string
		args    []string
		env     []string
		config  string // .mvn/maven.config
		jvm     string // .mvn/jvm.config
		want    []string
		user    string
		hasUser bool
		added   string
	}{
		{name: "nothing of the user's", args: []string{"test"}, want: []string{"-Dmaven.ext.class.path=" + ours, "test"}, added: "-Dmaven.ext.class.path=" + ours + " "},
		{name: "on the command line", args: []string{"-Dmaven.ext.class.path=/u.jar", "test"},
			want: []string{"-Dmaven.ext.class.path=/u.jar:" + ours, "test"}, user: "/u.jar", hasUser: true, added: ":" + ours},
		{name: "the last one counts", args: []string{"-Dmaven.ext.class.path=/u.jar", "-D", "maven.ext.class.path=/v.jar"},
			want: []string{"-Dmaven.ext.class.path=/u.jar", "-D", "maven.ext.class.path=/v.jar:" + ours}, user: "/v.jar", hasUser: true, added: ":" + ours},
		{name: "long option", args: []string{"--define", "maven.ext.class.path=/u.jar"},
			want: []string{"--define", "maven.ext.class.path=/u.jar:" + ours}, user: "/u.jar", hasUser: true, added: ":" + ours},
		{name: "config of Maven 3.9", config: "# note\n-T2\n-Dmaven.ext.class.path=/u u.jar\n", args: []string{"test"},
			want: []string{"-Dmaven.ext.class.path=/u u.jar:" + ours, "test"}, user: "/u u.jar", hasUser: true, added: "-Dmaven.ext.class.path=/u u.jar:" + ours + " "},
		{name: "config of words", config: "-Dmaven.ext.class.path=/u.jar -T2", args: []string{"test"},
			want: []string{"-Dmaven.ext.class.path=/u.jar:" + ours, "test"}, user: "/u.jar", hasUser: true, added: "-Dmaven.ext.class.path=/u.jar:" + ours + " "},
		{name: "variable before config", config: "-Dmaven.ext.class.path=/c.jar", env: []string{"MAVEN_ARGS=-q -Dmaven.ext.class.path=/v.jar"},
			want: []string{"-Dmaven.ext.class.path=/v.jar:" + ours}, user: "/v.jar", hasUser: true, added: "-Dmaven.ext.class.path=/v.jar:" + ours + " "},
		{name: "property of the JVM", env: []string{"MAVEN_OPTS=-Xmx1g -Dmaven.ext.class.path=/o.jar"},
			want: []string{"-Dmaven.ext.class.path=/o.jar:" + ours}, added: "-Dmaven.ext.class.path=/o.jar:" + ours + " "},
		{name: "JVM config", jvm: "-Dmaven.ext.class.path=/j.jar",
			want: []string{"-Dmaven.ext.class.path=/j.jar:" + ours}, added: "-Dmaven.ext.class.path=/j.jar:" + ours + " "},
	} {
		root := t.TempDir()
		for name, text := range map[string]string{"maven.config": c.config, "jvm.config": c.jvm} {
			if text != "" {
				writeFile(t, filepath.Join(root, ".mvn", name), text)
			}
		}
		given := slices.Clone(c.args)
		got, err := addExtension(c.args, ours, root, c.env)
		if err != nil || !slices.Equal(got.args, c.want) || got.user != c.user || got.hasUser != c.hasUser || got.added != c.added {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
		if !slices.Equal(c.args, given) {
			t.Errorf("%s: the caller's arguments became %q", c.name, c.args)
		}
	}
}

func TestUnreadableConfig(t *testing.T) {
	for _, name := range []string{"maven.config", "jvm.config"} {
		root := t.TempDir()
		if err := os.MkdirAll(filepath.Join(root, ".mvn", name), 0o755); err != nil {
			t.Fatal(err)
		}
		if got, err := addExtension(nil, "x.jar", root, nil); err == nil {
			t.Errorf("%s is a directory: %+v", name, got)
		}
	}
}

func TestRootDir(t *testing.T) {
	top := t.TempDir()
	module := filepath.Join(top, "a", "b")
	writeFile(t, filepath.Join(module, "pom.xml"), "")
	writeFile(t, filepath.Join(top, "a", ".mvn", "x"), "")
	other := filepath.Join(top, "other")
	writeFile(t, filepath.Join(other, "pom.xml"), "")
	for _, c := range []struct {
		dir  string
		args []string
		want string
	}{
		{module, nil, filepath.Join(top, "a")},
		{filepath.Join(top, "a"), nil, filepath.Join(top, "a")},
		{other, nil, other},
		{module, []string{"-f", other}, other},
		{other, []string{"--file", filepath.Join(module, "pom.xml")}, filepath.Join(top, "a")},
		{other, []string{"--file=../a/b/pom.xml"}, filepath.Join(top, "a")},
	} {
		if got := RootDir(c.dir, c.args); got != c.want {
			t.Errorf("%s %q: %s, want %s", c.dir, c.args, got, c.want)
		}
	}
}

func TestFindMaven(t *testing.T) {
	dir, root, path := t.TempDir(), t.TempDir(), t.TempDir()
	t.Setenv("PATH", path)
	if got, err := findMaven("", dir, root); !errors.Is(err, ErrNoMaven) {
		t.Errorf("found %q, %v", got, err)
	}
	find := func(want ...string) {
		t.Helper()
		if got, err := findMaven("", dir, root); err != nil || !slices.Equal(got, want) {
			t.Errorf("found %q, %v, want %q", got, err, want)
		}
	}
	writeFile(t, filepath.Join(path, "mvn"), "")
	find(filepath.Join(path, "mvn"))
	writeFile(t, filepath.Join(root, "mvnw"), "")
	find(filepath.Join(root, "mvnw"))
	if err := os.Chmod(filepath.Join(root, "mvnw"), 0o644); err != nil {
		t.Fatal(err)
	}
	find("sh", filepath.Join(root, "mvnw"))
	writeFile(t, filepath.Join(dir, "mvnw"), "")
	find(filepath.Join(dir, "mvnw"))
	if got, err := findMaven("/x/mvn", dir, root); err != nil || !slices.Equal(got, []string{"/x/mvn"}) {
		t.Errorf("found %q, %v", got, err)
	}
}

func TestChosen(t *testing.T) {
	for _, c := range []struct {
		name                 string
		properties, settings []Parameter
		want                 []string
	}{
		{"nothing", nil, []Parameter{{"groups", "fast"}}, nil},
		{"a test", []Parameter{{"test", "ATest#a"}}, []Parameter{{"test", "ATest#a"}}, []string{"-Dtest=ATest#a"}},
		{"several", []Parameter{{"groups", "fast"}, {"test", "ATest,BTest"}}, []Parameter{{"test", "ATest,BTest"}, {"groups", "fast"}}, []string{"-Dtest=ATest,BTest", "-Dgroups=fast"}},
		{"a list", []Parameter{{"surefire.includes", "a, b"}}, []Parameter{{"includes/include", "a"}, {"includes/include", "b"}}, []string{"-Dsurefire.includes=a, b"}},
		{"hidden by the POM", []Parameter{{"groups", "fast"}}, []Parameter{{"groups", "slow"}}, nil},
		{"empty", []Parameter{{"test", ""}}, nil, nil},
		{"another property", []Parameter{{"tests", "ATest"}}, []Parameter{{"test", "ATest"}}, nil},
	} {
		r := &Request{UserProperties: c.properties, Parameters: c.settings}
		if got := r.Chosen(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
