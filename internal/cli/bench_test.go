package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"winnow/internal/digest"
	"winnow/internal/rts"
	"winnow/internal/vfs"
)

// BenchmarkShortcut answers without Maven for a project of 5,000 files and 5,000 tests, in a process of its own as users start it. The bar is 200 ms.
func BenchmarkShortcut(b *testing.B) {
	const files, tests = 5000, 5000
	root := b.TempDir()
	must := func(err error) {
		b.Helper()
		if err != nil {
			b.Fatal(err)
		}
	}
	must(os.WriteFile(filepath.Join(root, "pom.xml"), []byte("<project/>"), 0o644))
	for i := range files {
		dir := filepath.Join(root, "src", fmt.Sprint(i/50))
		must(os.MkdirAll(dir, 0o755))
		must(os.WriteFile(filepath.Join(dir, fmt.Sprintf("C%d.java", i)), []byte("class C {}"), 0o644))
	}
	b.Setenv(asProgram, "1")
	b.Setenv("NO_COLOR", "1")
	b.Setenv(storeVariable, "")
	a := &app{Machine: System(), records: true}
	a.flags.project = root
	w, ok, err := a.maven(b.Context())
	if err != nil || !ok {
		b.Fatal(ok, err)
	}
	rec := &rts.Recording{Meta: rts.Meta{When: nowUTC(), Technique: "methods"}}
	sel := &rts.Selection{Modules: []rts.ModuleVerdict{{Module: "m", Verdict: rts.ProvenEmpty, Tests: tests}}}
	for i := range tests {
		id := rts.TestID(fmt.Sprintf("p.Test%d#t%d", i/10, i%10))
		use := rts.Use{Entity: rts.Entity{Kind: "class", Name: fmt.Sprintf("p/Test%d", i/10)}, Digest: digest.OfString(string(id))}
		rec.Footprints = append(rec.Footprints, rts.Footprint{Uses: []rts.Use{use}})
		rec.Records = append(rec.Records, rts.Record{Test: id, Outcome: rts.Passed, Duration: time.Millisecond, Footprint: i})
		sel.Decisions = append(sel.Decisions, rts.Decision{Test: rts.Test{ID: id, Module: "m"}, Proof: &rts.Proof{Meta: rec.Meta}})
	}
	must(w.store.Append(b.Context(), rec))
	s := &session{app: a, w: w}
	h, err := s.mavenRun(b.Context(), true)
	must(err)
	sc := &shortcut{Schema: shortcutSchema, Command: h.command(nil), Meta: rec.Meta, Selection: sel}
	must(h.describe(b.Context(), sc, nil))
	data, err := json.Marshal(sc)
	must(err)
	must(vfs.WriteWhole(h.shortcutFile(), data))
	must(w.close())
	self, err := os.Executable()
	must(err)
	var cpu time.Duration
	for b.Loop() {
		cmd := exec.Command(self, "test", "--project", root)
		out, err := cmd.CombinedOutput()
		if err != nil || !bytes.Contains(out, []byte("Maven was not started")) {
			b.Fatalf("%v\n%s", err, out)
		}
		cpu += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	b.ReportMetric(cpu.Seconds()*1e3/float64(b.N), "cpu-ms/op")
	b.ReportMetric(float64(len(data)), "shortcut-bytes")
}
