package classpath

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// isJDK tells the home directory of a JDK, or of a run-time image made by jlink, from a directory of classes.
func isJDK(home string) bool {
	return isFile(filepath.Join(home, "lib", "modules")) || isFile(filepath.Join(home, "jre", "lib", "rt.jar")) || isFile(filepath.Join(home, "lib", "rt.jar"))
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// bootJars are the jars in front of all others in JDK 8, in the order of its property sun.boot.class.path.
var bootJars = []string{"resources.jar", "rt.jar", "sunrsasign.jar", "jsse.jar", "jce.jar", "charsets.jar", "jfr.jar"}

// Platform returns the files that hold a JDK's own classes, in the order in which they are searched: the run-time image, or, up to
// JDK 8, the boot and the extension jars.
func Platform(home string) ([]string, error) {
	if image := filepath.Join(home, "lib", "modules"); isFile(image) {
		return []string{image}, nil
	}
	for _, lib := range []string{filepath.Join(home, "jre", "lib"), filepath.Join(home, "lib")} {
		if isFile(filepath.Join(lib, "rt.jar")) {
			return jarsOf(lib)
		}
	}
	return nil, fmt.Errorf("class path: %s is not the home of a JDK: it has neither lib/modules nor rt.jar", home)
}

func jarsOf(lib string) ([]string, error) {
	var jars []string
	for _, name := range bootJars {
		if jar := filepath.Join(lib, name); isFile(jar) {
			jars = append(jars, jar)
		}
	}
	names, err := os.ReadDir(filepath.Join(lib, "ext"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("class path: %w", err)
	}
	var ext []string
	for _, n := range names {
		if filepath.Ext(n.Name()) == ".jar" {
			ext = append(ext, filepath.Join(lib, "ext", n.Name()))
		}
	}
	slices.Sort(ext)
	return append(jars, ext...), nil
}
