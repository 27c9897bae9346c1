package maven

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/internal/jvm/jvmtest"
)

// agentSource writes the options of its JVM to a file in the directory that its argument names.
const agentSource = `package probe;
import java.lang.instrument.Instrumentation;
import java.lang.management.ManagementFactory;
import java.nio.file.*;
import java.util.*;
public class Agent {
    public static void premain(String args, Instrumentation i) throws Exception {
        String name = ManagementFactory.getRuntimeMXBean().getName();
        List<String> lines = new ArrayList<>(ManagementFactory.getRuntimeMXBean().getInputArguments());
        Files.write(Paths.get(args, name), lines);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                Files.write(Paths.get(args, "classpath-" + name), Arrays.asList(System.getProperty("java.class.path").split(":")));
            } catch (Exception e) {
                throw new RuntimeException(e);
            }
        }));
    }
}`

// A probe is an agent that tells which JVMs started with it.
type probe struct{ jar, dir string }

// newProbe makes an agent in a directory with a space in its name.
func newProbe(t testing.TB) probe {
	t.Helper()
	classes := jvmtest.Javac(t, jvmtest.JDK(t, 17), map[string]string{"probe/Agent.java": agentSource}, "--release", "8", "-Xlint:-options")
	p := probe{jar: filepath.Join(t.TempDir(), "the agent.jar"), dir: t.TempDir()}
	f, err := os.Create(p.jar)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	entries := map[string][]byte{"META-INF/MANIFEST.MF": []byte("Manifest-Version: 1.0\r\nPremain-Class: probe.Agent\r\n\r\n")}
	for name, data := range classes {
		entries[name+".class"] = data
	}
	for name, data := range entries {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p probe) option() string { return "-javaagent:" + p.jar + "=" + p.dir }

// forks returns the options of every JVM that started with the agent.
func (p probe) forks(t testing.TB) [][]string { return p.read(t, false) }

// classPaths returns the class paths of those JVMs, as Surefire set them.
func (p probe) classPaths(t testing.TB) [][]string { return p.read(t, true) }

func (p probe) read(t testing.TB, classPaths bool) [][]string {
	t.Helper()
	entries, err := os.ReadDir(p.dir)
	if err != nil {
		t.Fatal(err)
	}
	var all [][]string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "classpath-") != classPaths {
			continue
		}
		text, err := os.ReadFile(filepath.Join(p.dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, strings.Split(strings.TrimSpace(string(text)), "\n"))
	}
	return all
}
