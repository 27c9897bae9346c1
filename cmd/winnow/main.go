// Command winnow runs exactly the tests that a change can affect and proves why the others need not run. See `winnow help`.
package main

import (
	"os"

	"winnow/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], cli.System())) }
