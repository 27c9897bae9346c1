// Try shows winnow on the example workbook: it copies examples/budget to a temporary directory, tests it twice, changes one formula, and
// tests again.
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/xuri/excelize/v2"

	"winnow/internal/cli"
)

func main() {
	log.SetFlags(0)
	dir, err := os.MkdirTemp("", "winnow-try-")
	check(err)
	defer os.RemoveAll(dir)
	_, here, _, _ := runtime.Caller(0)
	check(os.CopyFS(dir, os.DirFS(filepath.Join(filepath.Dir(here), "..", "budget"))))

	say("The first run knows nothing, so it runs every test.")
	winnow(dir, "test")
	say("Nothing changed: every test has a proof.")
	winnow(dir, "test")
	say("Now the surcharge for rush orders is doubled: Summary!B5 becomes IF(Inputs!B5,Rates!E2*2,0).")
	edit(filepath.Join(dir, "budget.xlsx"))
	winnow(dir, "select")
	say("Why is that test selected, and why not that one?")
	winnow(dir, "why", "total with VAT")
	winnow(dir, "why-not", "units with growth")
	say("Run what is selected: two tests notice.")
	winnow(dir, "test")
}

func say(text string) { fmt.Printf("\n# %s\n", text) }

// winnow runs a command as a user would, and shows it. A failing test is part of the show.
func winnow(dir string, args ...string) {
	shown := make([]string, len(args))
	for i, a := range args {
		shown[i] = a
		if strings.Contains(a, " ") {
			shown[i] = fmt.Sprintf("%q", a)
		}
	}
	fmt.Printf("$ winnow %s\n", strings.Join(shown, " "))
	m := cli.System()
	m.Dir = dir
	code := cli.Main(append([]string{"--project", dir}, args...), m)
	if code > int(cli.ExitTests) {
		log.Fatalf("exit code %d", code)
	}
	if code != 0 {
		fmt.Printf("(exit code %d)\n", code)
	}
}

func edit(file string) {
	f, err := excelize.OpenFile(file)
	check(err)
	check(f.SetCellFormula("Summary", "B5", "IF(Inputs!B5,Rates!E2*2,0)"))
	check(f.Save())
	check(f.Close())
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
