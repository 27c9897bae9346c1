// Command winnow runs exactly the tests that a change can affect and proves why the others need not run. See `winnow help`.
package main

import (
	"os"
	"runtime/debug"

	"winnow/internal/cli"
)

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(200) // a command lives for seconds, and most of what it makes it keeps
	}
	os.Exit(cli.Main(os.Args[1:], cli.System()))
}
