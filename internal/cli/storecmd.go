package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"winnow/internal/report"
	"winnow/internal/rts"
	"winnow/internal/store"
	"winnow/internal/store/sqlite"
)

func (a *app) storeCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "store",
		Short: "Look after the records: export, import, merge, gc, stat",
		Example: `  winnow store stat
  winnow store export records.winnow      on one machine
  winnow store import records.winnow      on another
  winnow store gc --keep 3`,
		Long: `The store keeps what each test used. It lives in .winnow/ at the project's root, or in the directory that WINNOW_STORE names. It does not
depend on where the project is: an export can be imported on another machine, and stores can be merged.`,
		Args: knownCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	gc := &cobra.Command{
		Use: "gc", Short: "Forget old records and those of tests that exist no more", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.storeGC(c.Context()) },
	}
	gc.Flags().IntVar(&a.flags.keep, "keep", keptPasses, "keep the records of the `N` newest sets of inputs of each test")
	c.AddCommand(gc,
		&cobra.Command{
			Use: "export FILE", Short: "Write all records to a file", Args: oneArgument("a file to write"),
			RunE: func(c *cobra.Command, args []string) error { return a.storeExport(c.Context(), args[0]) },
		},
		&cobra.Command{
			Use: "import FILE", Short: "Add the records of an export", Args: oneArgument("an export"),
			RunE: func(c *cobra.Command, args []string) error { return a.storeImport(c.Context(), args[0]) },
		},
		&cobra.Command{
			Use: "merge DIRECTORY", Short: "Add the records of another store", Args: oneArgument("the directory of another store"),
			RunE: func(c *cobra.Command, args []string) error { return a.storeMerge(c.Context(), args[0]) },
		},
		&cobra.Command{
			Use: "stat", Short: "Figures about the store", Args: cobra.NoArgs,
			RunE: func(c *cobra.Command, _ []string) error { return a.storeStat(c.Context()) },
		})
	return c
}

// withOpenStore opens only the store, not the project.
func (a *app) withOpenStore(ctx context.Context, f func(w *workspace) error) error {
	w, err := a.openRoot()
	if err != nil {
		return err
	}
	if err := a.openStore(ctx, w); err != nil {
		return err
	}
	err = a.withStore(ctx, w, func() error { return f(w) })
	for _, n := range w.notices {
		fmt.Fprintf(a.Err, "winnow: %s\n", n)
	}
	if err = errors.Join(err, w.close()); err == nil {
		return nil
	}
	var f2 *fault
	if errors.As(err, &f2) || errors.Is(err, context.Canceled) {
		return err
	}
	return &fault{ExitInternal, err}
}

// told writes what a store command did, as text or as JSON with one field.
func (a *app) told(command, field string, value any, format string, args ...any) error {
	if a.flags.json {
		return writeJSON(a.Out, map[string]any{"schema": report.Schema, "command": command, field: value})
	}
	_, err := fmt.Fprintf(a.Out, format, args...)
	return err
}

func (a *app) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(a.Dir, name)
}

func (a *app) storeExport(ctx context.Context, name string) error {
	return a.withOpenStore(ctx, func(w *workspace) error {
		// The export appears under its name only when it is whole.
		temp, err := os.CreateTemp(filepath.Dir(a.path(name)), ".winnow-export-*")
		if err != nil {
			return &fault{ExitUsage, err}
		}
		err = errors.Join(exportKey(filepath.Dir(w.location), temp), w.store.Export(ctx, temp), temp.Close())
		if err == nil {
			err = os.Rename(temp.Name(), a.path(name))
		}
		if err != nil {
			return errors.Join(err, os.Remove(temp.Name()))
		}
		return a.told("store export", "file", name, "exported to %s\n", name)
	})
}

func (a *app) storeImport(ctx context.Context, name string) error {
	f, err := os.Open(a.path(name))
	if err != nil {
		return &fault{ExitUsage, err}
	}
	defer f.Close()
	a.records = true
	return a.withOpenStore(ctx, func(w *workspace) error {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return err
		}
		in, n := bufio.NewReader(f), 0
		key, err := importKey(in)
		if err == nil {
			n, err = w.store.Import(ctx, in)
		}
		if err != nil {
			// The damage is in the file, not in the store.
			return &fault{ExitUsage, fmt.Errorf("%s: %s; nothing was imported", name, err.Error())}
		}
		if err := takeKey(ctx, w, key, n); err != nil {
			return err
		}
		return a.told("store import", "records", n, "imported %d records\n", n)
	})
}

func (a *app) storeMerge(ctx context.Context, name string) error {
	file := a.path(name)
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		file = filepath.Join(file, storeFile)
	}
	if _, err := os.Stat(file); err != nil {
		return usage("%s: there is no store: %v", name, err)
	}
	a.records = true
	return a.withOpenStore(ctx, func(w *workspace) error {
		back, err := sqlite.Open(ctx, file, sqlite.Options{})
		if err != nil {
			return &fault{ExitUsage, fmt.Errorf("%s: %s; nothing was merged", name, err.Error())}
		}
		other := store.New(back)
		n, err := w.store.Merge(ctx, other)
		if err = errors.Join(err, other.Close()); err != nil {
			return &fault{ExitUsage, fmt.Errorf("%s: %s; nothing was merged", name, err.Error())}
		}
		key, err := storeKey(filepath.Dir(file), false)
		if err = errors.Join(err, takeKey(ctx, w, key, n)); err != nil {
			return err
		}
		return a.told("store merge", "records", n, "merged %d records\n", n)
	})
}

func (a *app) storeGC(ctx context.Context) error {
	if a.flags.keep < 1 {
		return usage("--keep %d: want 1 or more", a.flags.keep)
	}
	w, err := a.openRoot()
	if err != nil {
		return err
	}
	if err := a.openProject(w); err != nil {
		return err
	}
	exists := map[rts.TestID]bool{}
	for _, t := range w.project.Tests() {
		exists[t.ID] = true
	}
	return a.withOpenStore(ctx, func(w *workspace) error {
		n, err := w.store.GC(ctx, a.flags.keep, func(t rts.TestID) bool { return exists[t] })
		if err != nil {
			return err
		}
		return a.told("store gc", "forgotten", n, "forgot %d records\n", n)
	})
}

func (a *app) storeStat(ctx context.Context) error {
	return a.withOpenStore(ctx, func(w *workspace) error {
		v, err := w.store.View(ctx)
		if err != nil {
			return err
		}
		st, err := v.Stat()
		if err = errors.Join(err, v.Close()); err != nil {
			return err
		}
		perUse := 0.0
		if st.Dependencies > 0 {
			perUse = float64(st.Bytes) / float64(st.Dependencies)
		}
		if a.flags.json {
			return writeJSON(a.Out, map[string]any{
				"schema": report.Schema, "command": "store stat", "store": w.location, "segments": st.Segments, "tests": st.Tests, "records": st.Records,
				"inputs": st.Inputs, "dependencies": st.Dependencies, "stored_dependencies": st.Stored, "bytes": st.Bytes,
			})
		}
		_, err = fmt.Fprintf(a.Out, "store         %s\nsegments      %d\ntests         %d\nrecords       %d\ninputs        %d\ndependencies  %d, %d stored, the rest shared\nbytes         %d, %.2f per dependency\n",
			w.location, st.Segments, st.Tests, st.Records, st.Inputs, st.Dependencies, st.Stored, st.Bytes, perUse)
		return err
	})
}
