package calc

import (
	"crypto/sha256"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
)

// rules counts the versions of this package's own evaluation rules. Whoever changes a computed value, or what is refused, adds
// one, also if the change is in the packages that read workbooks and formulas.
const rules = 3

// engineModule and engineVersion stand for the engine in programs that are built without a list of their modules, as tests
// are. A test compares them with go.mod.
const (
	engineModule  = "github.com/xuri/excelize/v2"
	engineVersion = "v2.11.0"
)

// engineParts are the modules that excelize computes with.
var engineParts = []string{engineModule, "github.com/xuri/efp", "github.com/xuri/nfp", "golang.org/x/text"}

// Fingerprint names everything besides the workbook that could change a computed value: the rules of this package, its table of
// functions, the engine, and the compiler and machine, on which the last bits of mathematical functions depend.
func Fingerprint() string { return fingerprint() }

var fingerprint = sync.OnceValue(func() string {
	build, _ := debug.ReadBuildInfo()
	return fmt.Sprintf("calc %d; functions %x; %s; %s %s", rules, sha256.Sum256([]byte(functionTable)), engineIn(build), runtime.Version(), runtime.GOARCH)
})

// engineIn names the engine that a program was built with.
func engineIn(build *debug.BuildInfo) string {
	if build == nil {
		build = &debug.BuildInfo{}
	}
	var parts []string
	for _, m := range build.Deps {
		if slices.Contains(engineParts, m.Path) {
			for m.Replace != nil {
				m = m.Replace
			}
			parts = append(parts, strings.TrimSpace(m.Path+" "+m.Version+" "+m.Sum))
		}
	}
	if len(parts) == 0 {
		parts = append(parts, engineModule+" "+engineVersion)
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}
