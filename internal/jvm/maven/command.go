package maven

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// ErrNoMaven means that there is neither a wrapper script in the project nor a program mvn.
var ErrNoMaven = errors.New("no Maven: neither mvnw in the project nor mvn on the path; install Maven, or add its bin directory to PATH")

const extProperty = "maven.ext.class.path"

// findMaven returns the start of the command: what the caller named, the project's wrapper, or mvn on the path.
func findMaven(named, dir, root string) ([]string, error) {
	if named != "" {
		return []string{named}, nil
	}
	for _, d := range []string{dir, root} {
		path := filepath.Join(d, "mvnw")
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		case info.Mode()&0o111 == 0:
			return []string{"sh", path}, nil // checked out without its mode
		default:
			return []string{path}, nil
		}
	}
	path, err := exec.LookPath("mvn")
	if errors.Is(err, exec.ErrNotFound) {
		return nil, ErrNoMaven
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoMaven, err)
	}
	return []string{path}, nil
}

// RootDir returns the directory in which Maven looks for .mvn: the nearest one upwards from the directory or from the POM that was named, that has it.
func RootDir(dir string, args []string) string {
	start := dir
	for i, arg := range args {
		file, ok := strings.CutPrefix(arg, "--file=")
		if (arg == "-f" || arg == "--file") && i+1 < len(args) {
			file, ok = args[i+1], true
		}
		if ok {
			start = pomDir(dir, file)
		}
	}
	for d := start; ; d = filepath.Dir(d) {
		if info, err := os.Stat(filepath.Join(d, ".mvn")); err == nil && info.IsDir() {
			return d
		}
		if d == filepath.Dir(d) {
			return start
		}
	}
}

func pomDir(dir, file string) string {
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return file
	}
	return filepath.Dir(file)
}

// arguments are the user's with the extension added, and what the extension needs to hide that.
type arguments struct {
	args    []string
	user    string // the user's own value of the property on the command line or in maven.config
	hasUser bool
	added   string // text that is in the joined arguments because of the extension
}

// addExtension puts a jar on Maven's extension class path, behind what the user has there. A value on the command line hides all others, so theirs is
// repeated: from the command line, from the variables that the start scripts put before it, from .mvn/maven.config, from the JVM's properties.
func addExtension(args []string, jar, root string, env []string) (arguments, error) {
	separator := string(os.PathListSeparator)
	if i, value, ok := lastDefinition(args); ok {
		out := append([]string{}, args...)
		out[i] += separator + jar
		return arguments{args: out, user: value, hasUser: true, added: separator + jar}, nil
	}
	a := arguments{}
	value := jar
	config, err := mavenConfig(root)
	if err != nil {
		return arguments{}, err
	}
	jvm, err := jvmConfig(root)
	if err != nil {
		return arguments{}, err
	}
	for _, place := range []struct {
		words    []string
		property bool // of the user, not of the JVM
	}{
		{strings.Fields(lookup(env, "MAVEN_ARGS")), true}, {strings.Fields(lookup(env, "MAVEN_CONFIG")), true}, {config, true},
		{strings.Fields(lookup(env, "MAVEN_OPTS")), false}, {jvm, false},
	} {
		if _, own, ok := lastDefinition(place.words); ok {
			a.hasUser = place.property
			if place.property {
				a.user = own
			}
			value = own + separator + jar
			break
		}
	}
	argument := "-D" + extProperty + "=" + value
	a.args = append([]string{argument}, args...)
	a.added = argument + " "
	return a, nil
}

// lastDefinition finds the argument that ends with the value of the property: the last one counts.
func lastDefinition(args []string) (index int, value string, found bool) {
	for i, arg := range args {
		if i > 0 && (args[i-1] == "-D" || args[i-1] == "--define") {
			arg = "-D" + arg
		}
		for _, prefix := range []string{"-D", "--define="} {
			if v, ok := strings.CutPrefix(arg, prefix+extProperty+"="); ok {
				index, value, found = i, v, true
			}
		}
	}
	return index, value, found
}

// mavenConfig returns the arguments in .mvn/maven.config. From Maven 3.9 on a line is an argument; before, words were. A line that holds more than one option
// can only be meant in the old way.
func mavenConfig(root string) ([]string, error) {
	text, err := readOptional(filepath.Join(root, ".mvn", "maven.config"))
	if err != nil {
		return nil, err
	}
	var args []string
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.Contains(line, " -"):
			args = append(args, strings.Fields(line)...)
		default:
			args = append(args, line)
		}
	}
	return args, nil
}

func jvmConfig(root string) ([]string, error) {
	text, err := readOptional(filepath.Join(root, ".mvn", "jvm.config"))
	return strings.Fields(text), err
}

func readOptional(path string) (string, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(text), err
}

func lookup(env []string, name string) string {
	for i := len(env) - 1; i >= 0; i-- {
		if value, ok := strings.CutPrefix(env[i], name+"="); ok {
			return value
		}
	}
	return ""
}

// Program returns the program that runs a project's builds: its wrapper, or mvn on the path.
func Program(dir string) (string, error) {
	command, err := findMaven("", dir, RootDir(dir, nil))
	if err != nil {
		return "", err
	}
	return command[len(command)-1], nil
}

// JavaPrograms are the programs by which start scripts find the JVM that Maven runs in. Their paths may be links that lead to another JDK tomorrow.
func JavaPrograms() []string {
	var out []string
	if home := os.Getenv("JAVA_HOME"); home != "" {
		out = append(out, filepath.Join(home, "bin", "java"))
	}
	for _, name := range []string{os.Getenv("JAVACMD"), "java", "javac"} {
		if path, err := exec.LookPath(name); name != "" && err == nil {
			out = append(out, path)
		}
	}
	return out
}

// Plain runs Maven without anything of Winnow's. That the build fails is no error.
func Plain(ctx context.Context, dir string, args []string, log io.Writer) error {
	command, err := findMaven("", dir, RootDir(dir, args))
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, command[0], append(command[1:], args...)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, log, log
	var failed *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &failed) {
		return err
	}
	return nil
}
