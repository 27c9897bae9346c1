package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"winnow/internal/store"
	"winnow/internal/store/memory"
	"winnow/internal/store/sqlite"
)

const (
	storeDir  = ".winnow"
	storeFile = "store.db"
	// storeVariable names a directory for the store.
	storeVariable = "WINNOW_STORE"
)

// storePath returns where the store is: below the project's root, or where WINNOW_STORE says.
func (a *app) storePath(root string) string {
	dir := a.Getenv(storeVariable)
	switch {
	case dir == "":
		dir = filepath.Join(root, storeDir)
	case !filepath.IsAbs(dir):
		dir = filepath.Join(a.Dir, dir)
	}
	return filepath.Join(dir, storeFile)
}

// openStore opens the store of a workspace. A damaged one is set aside and rebuilt from what is readable, one of a newer version
// is set aside; neither is deleted, and both are told.
func (a *app) openStore(ctx context.Context, w *workspace) error {
	w.location = a.storePath(w.root)
	info, missing := os.Stat(w.location)
	fresh := errors.Is(missing, fs.ErrNotExist) || (missing == nil && info.Size() == 0)
	if fresh && !a.records {
		w.store = store.New(&memory.Backend{}) // a command that only looks makes no store
		return nil
	}
	back, err := sqlite.Open(ctx, w.location, sqlite.Options{})
	switch {
	case err == nil:
	case fresh && ctx.Err() == nil:
		w.notices = append(w.notices, fmt.Sprintf("no store can be made (%v): every test runs, and nothing is recorded; WINNOW_STORE can name another directory", err))
		w.store, w.unstored = store.New(&memory.Backend{}), true
		return nil
	default:
		if back, err = a.mendStore(ctx, w, err); err != nil {
			return &fault{ExitInternal, fmt.Errorf("store %s: %w", w.location, err)}
		}
	}
	ignoreItself(filepath.Dir(w.location))
	w.store = store.New(back)
	w.store.Passes = keptPasses
	return nil
}

// keptPasses is how many passes of a test the store of a project keeps by itself: those of the last states of a few branches. Each full recording takes time to look at and space on the disk.
const keptPasses = 5

func (a *app) mendStore(ctx context.Context, w *workspace, why error) (*sqlite.Backend, error) {
	var newer *sqlite.VersionError
	switch {
	case errors.As(why, &newer) && !newer.Foreign:
		aside, err := sqlite.SetAside(w.location)
		if err != nil {
			return nil, errors.Join(why, err)
		}
		w.notices = append(w.notices, fmt.Sprintf("the store was made by a newer winnow (layout %d); it is kept as %s, and a new one is started", newer.Found, aside))
	case errors.Is(why, store.ErrCorrupt):
		if err := a.recoverStore(ctx, w, why); err != nil {
			return nil, err
		}
	default:
		return nil, why
	}
	return sqlite.Open(ctx, w.location, sqlite.Options{})
}

// recoverStore rebuilds a damaged store and tells what became of it.
func (a *app) recoverStore(ctx context.Context, w *workspace, why error) error {
	saved, aside, err := sqlite.Recover(ctx, w.location)
	if err != nil {
		return errors.Join(why, err)
	}
	if aside == "" {
		return nil
	}
	note := fmt.Sprintf("the store was damaged (%v); it is kept as %s", why, aside)
	switch {
	case saved.Nothing || saved.Kept == 0:
		note += ", and nothing in it could be trusted: every test runs again"
	default:
		note += fmt.Sprintf(", and rebuilt from what is readable: %d of %d parts", saved.Kept, saved.Kept+saved.Lost)
	}
	w.notices = append(w.notices, note)
	return nil
}

// withStore runs f and, if it meets damage, once more on the repaired store.
func (a *app) withStore(ctx context.Context, w *workspace, f func() error) error {
	err := f()
	if !errors.Is(err, store.ErrCorrupt) {
		return err
	}
	if closing := w.store.Close(); closing != nil {
		return errors.Join(err, closing)
	}
	w.store = nil
	if mending := a.recoverStore(ctx, w, err); mending != nil {
		return mending
	}
	if opening := a.openStore(ctx, w); opening != nil {
		return opening
	}
	return f()
}

// ignoreItself keeps the store's directory out of version control. Where that cannot be written, nothing is lost but tidiness.
func ignoreItself(dir string) {
	file := filepath.Join(dir, ".gitignore")
	if _, err := os.Stat(file); err == nil || filepath.Base(dir) != storeDir {
		return
	}
	if err := os.WriteFile(file, []byte("*\n"), 0o644); err != nil {
		return
	}
}
