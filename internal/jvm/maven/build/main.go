// Command build compiles Maven's side of package maven, a core extension, and writes the jar that the package embeds:
//
//	go run ./internal/jvm/maven/build
//
// It needs JDK 17 and an installed Maven, whose jars are compiled against. The jar is a function of the sources and of the compiler: entries are
// sorted, stored without compression and carry no time. Class files have version 52 because the Sisu of older Maven versions passes over newer
// ones without a word.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	dir := flag.String("dir", "internal/jvm/maven", "directory of package maven")
	flag.Parse()
	if err := run(*dir); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

func run(dir string) error {
	from, err := findTools()
	if err != nil {
		return err
	}
	jar, err := from.jar(filepath.Join(dir, "java"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "extension.jar"), jar, 0o644)
}
