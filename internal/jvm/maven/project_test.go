package maven

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A project is what a fixture is made of. The zero value of a field takes a default.
type project struct {
	modules    []string          // names of modules; none makes a project of one module
	surefire   string            // version
	framework  string            // a key of frameworks
	config     string            // XML in Surefire's configuration
	configs    map[string]string // the same for single modules
	provider   string            // dependencies of Surefire, as those of frameworks
	properties string            // XML in the project's properties
	plugins    string            // more XML of plug-ins
	files      map[string]string
}

// frameworks are test frameworks: dependencies, the imports of a test, and XML of Surefire's configuration.
var frameworks = map[string]struct{ dependencies, imports, config string }{
	"junit3":        {"junit:junit:3.8.2", "", ""},
	"junit4":        {"junit:junit:4.13.2", "import org.junit.Test;", ""},
	"junit4 groups": {"junit:junit:4.13.2", "import org.junit.Test;", "<excludedGroups>p.See</excludedGroups>"},
	"junit5":        {"org.junit.jupiter:junit-jupiter:5.13.4", "import org.junit.jupiter.api.Test;", ""},
	"junit5 api":    {"org.junit.jupiter:junit-jupiter-api:5.13.4", "import org.junit.jupiter.api.Test;", ""},
	"junit5.9":      {"org.junit.jupiter:junit-jupiter:5.9.3", "import org.junit.jupiter.api.Test;", ""},
	"junit6":        {"org.junit.jupiter:junit-jupiter:6.1.3", "import org.junit.jupiter.api.Test;", ""},
	"testng":        {"org.testng:testng:7.12.0", "import org.testng.annotations.Test;", ""},
	// JUnit 4 beside the API of Jupiter: Surefire adds both engines.
	"mixed": {"org.junit.jupiter:junit-jupiter-api:5.13.4 junit:junit:4.13.2", "import org.junit.Test;", ""},
}

const defaultSurefire = "3.5.6"

// write writes the project's files.
func (p project) write(t testing.TB, dir string) {
	t.Helper()
	files := map[string]string{}
	if len(p.modules) == 0 {
		p.module(files, "", "single")
	} else {
		files["pom.xml"] = p.aggregator()
		for _, name := range p.modules {
			p.module(files, name+"/", name)
		}
	}
	maps.Copy(files, p.files)
	for name, text := range files {
		writeFile(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
}

func writeFile(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

const pomHead = `<project xmlns="http://maven.apache.org/POM/4.0.0">
<modelVersion>4.0.0</modelVersion><groupId>fixture</groupId><artifactId>%s</artifactId><version>1</version>`

func (p project) aggregator() string {
	var modules strings.Builder
	for _, name := range p.modules {
		fmt.Fprintf(&modules, "<module>%s</module>", name)
	}
	return fmt.Sprintf(pomHead, "all") + "<packaging>pom</packaging><modules>" + modules.String() + "</modules></project>"
}

// module adds a module with a class and two test classes. Each test class writes what it sees of its JVM to target/seen.
func (p project) module(files map[string]string, prefix, name string) {
	if p.surefire == "" {
		p.surefire = defaultSurefire
	}
	if p.framework == "" {
		p.framework = "junit5"
	}
	if config, ok := p.configs[name]; ok {
		p.config = config
	}
	f := frameworks[p.framework]
	files[prefix+"pom.xml"] = fmt.Sprintf(pomHead, name) + `
<properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target>
<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>` + p.properties + `</properties>
<dependencies>` + dependencies(f.dependencies) + `</dependencies>
<build><plugins>
<plugin><artifactId>maven-resources-plugin</artifactId><version>3.3.1</version></plugin>
<plugin><artifactId>maven-compiler-plugin</artifactId><version>3.14.1</version></plugin>
<plugin><artifactId>maven-surefire-plugin</artifactId><version>` + p.surefire + `</version><configuration>` + p.config + f.config + `</configuration>
<dependencies>` + strings.ReplaceAll(dependencies(p.provider), "<scope>test</scope>", "") + `</dependencies></plugin>
` + p.plugins + `</plugins></build></project>`
	files[prefix+"src/main/java/p/Main.java"] = "package p; public class Main { public static int one() { return 1; } }"
	for _, class := range []string{"ATest", "BTest"} {
		files[prefix+"src/test/java/p/"+class+".java"] = testClass(class, f.imports)
		if p.framework == "junit3" {
			files[prefix+"src/test/java/p/"+class+".java"] = testCase(class)
		}
	}
	files[prefix+"src/test/java/p/See.java"] = see
}

// dependencies is XML for words of the form group:artifact:version.
func dependencies(words string) string {
	var out strings.Builder
	for _, word := range strings.Fields(words) {
		gav := strings.Split(word, ":")
		fmt.Fprintf(&out, "<dependency><groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version><scope>test</scope></dependency>", gav[0], gav[1], gav[2])
	}
	return out.String()
}

func testCase(name string) string {
	return `package p;
public class ` + name + ` extends junit.framework.TestCase {
    public void testLooks() throws Exception { See.write("` + name + `"); }
    public void testCounts() { assertEquals(1, Main.one()); }
}`
}

func testClass(name, imports string) string {
	return "package p;\n" + imports + `
public class ` + name + ` {
    @Test public void looks() throws Exception { See.write("` + name + `"); }
    @Test public void counts() { if (Main.one() != 1) throw new AssertionError(Main.one()); }
}`
}

// see writes properties and variables, which must be the same with and without the extension.
const see = `package p;
import java.nio.file.*;
import java.util.*;
class See {
    static void write(String name) throws Exception {
        List<String> lines = new ArrayList<>();
        for (String key : new TreeSet<>(System.getProperties().stringPropertyNames())) lines.add("property " + key + "=" + System.getProperty(key));
        for (Map.Entry<String, String> e : new TreeMap<>(System.getenv()).entrySet()) lines.add("variable " + e);
        Path dir = Files.createDirectories(Paths.get("target", "seen"));
        Files.write(dir.resolve(name), lines);
    }
}`

// varying are the lines of a dump that differ between two runs of the same build.
var varying = []string{
	"property sun.java.command=", "property surefire.real.class.path=", "property java.class.path=", "property surefire.test.class.path=",
	"property fork=", // which fork gets which class is chance
}

// seen reads the dumps below a directory, by path, without varying lines.
func seen(t testing.TB, dir string) map[string]string {
	t.Helper()
	dumps := map[string]string{}
	for _, pattern := range []string{"target/seen/*", "*/target/seen/*"} {
		paths, err := filepath.Glob(filepath.Join(escapeGlob(dir), pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			lines := slices.DeleteFunc(strings.Split(string(text), "\n"), func(line string) bool {
				return slices.ContainsFunc(varying, func(prefix string) bool { return strings.HasPrefix(line, prefix) })
			})
			dumps[strings.TrimPrefix(path, dir)] = strings.Join(lines, "\n")
		}
	}
	return dumps
}

func escapeGlob(s string) string {
	return strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`, `\`, `\\`).Replace(s)
}
