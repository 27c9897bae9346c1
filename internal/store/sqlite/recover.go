package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"winnow/internal/digest"
	"winnow/internal/store"
)

// Recover puts a store with everything that can be trusted in the place of a damaged one, and keeps the damaged file under
// the name that it returns, path + ".damaged-1" or the next free number. It waits until no other process uses the store. If
// the store turns out to be whole, for example because another process has recovered it, nothing is done and aside is "".
//
// The new store is filled under another name first: were it filled in place, a crash halfway would leave
// records that are to be dropped (S4.2).
func Recover(ctx context.Context, path string) (report store.Salvage, aside string, err error) {
	if path, err = filepath.Abs(path); err != nil {
		return report, "", err
	}
	unlock, err := lockFolder(path)
	if err != nil {
		return report, "", err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	d, err := openDamaged(ctx, path)
	if err != nil {
		return report, "", err
	}
	// The lock on the damaged file is held until the new one is in its place: a process that waits for it
	// finds that the file has moved.
	defer func() { err = errors.Join(err, d.close()) }()
	if d.whole(ctx) {
		return store.Salvage{Kept: len(d.view.man.segments)}, "", nil
	}
	fresh := path + ".recovering"
	if err := remove(fresh, fresh+"-journal"); err != nil {
		return report, "", err
	}
	if report, err = d.fill(ctx, fresh); err != nil {
		return report, "", errors.Join(err, remove(fresh, fresh+"-journal"))
	}
	if aside, err = setAside(path, damagedName); err != nil {
		return report, "", errors.Join(err, remove(fresh, fresh+"-journal"))
	}
	return report, aside, os.Rename(fresh, path)
}

// remove deletes files that this package made and that never were a store.
func remove(paths ...string) error {
	for _, p := range paths {
		if err := os.Remove(p); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// A damaged is a store of which little is known. Its view is nil if nothing can be read.
type damaged struct {
	db   *sql.DB
	view *view
	runs []store.Run
	// sound means that SQLite finds no fault in the file and the run summaries can be read.
	sound bool
}

// openDamaged locks a store against all others and opens what is there.
func openDamaged(ctx context.Context, path string) (*damaged, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, fmt.Errorf("store %s: it is a folder", path)
	}
	// writable_schema lets SQLite read a file that is shorter than it says, or that has odd definitions.
	db, err := sql.Open("sqlite", dsn(path, 0, "writable_schema(ON)"))
	if err != nil {
		return nil, err
	}
	d := &damaged{db: db}
	err = d.look(ctx, path)
	if err = explain(path, err); err == nil || errors.Is(err, store.ErrCorrupt) {
		return d, nil
	}
	return nil, errors.Join(err, d.close())
}

func (d *damaged) look(ctx context.Context, path string) error {
	c, err := d.db.Conn(ctx)
	if err != nil {
		return err
	}
	v, err := newView(ctx, c, path, "BEGIN EXCLUSIVE")
	if err != nil {
		discard(c)
		return err
	}
	d.view = v
	s, err := readState(ctx, c)
	if err != nil {
		return err
	}
	if err := s.judge(path, current); err != nil {
		return err
	}
	// SQLite gives a reader's lock to one who asks for all of a file that may only be read. A writer could then be at work.
	_, err = c.ExecContext(ctx, "DELETE FROM sqlite_master WHERE 0")
	if errors.Is(explain(path, err), store.ErrReadOnly) {
		return err
	}
	if v.man == nil {
		return v.manErr
	}
	if d.runs, err = readRuns(ctx, c, int(v.man.runs)); err != nil {
		return err
	}
	var verdict string
	if err := c.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&verdict); err != nil {
		return err
	}
	d.sound = verdict == "ok"
	return nil
}

func (d *damaged) close() error {
	var err error
	if d.view != nil {
		err = d.view.Close()
	}
	return errors.Join(err, d.db.Close())
}

// whole reports whether there is no damage at all.
func (d *damaged) whole(ctx context.Context) bool {
	return d.sound && store.New(oneView{view: d.view}).Export(ctx, io.Discard) == nil // an export checks all it reads
}

// A oneView is a backend of which nothing but the one view is used.
type oneView struct {
	store.Backend
	view *view
}

func (b oneView) View(context.Context) (store.BackendView, error) { return unclosed{b.view}, nil }

// An unclosed is a view that its owner closes.
type unclosed struct{ *view }

func (unclosed) Close() error { return nil }

// fill makes a new store with what is left.
func (d *damaged) fill(ctx context.Context, path string) (report store.Salvage, err error) {
	b, err := Open(ctx, path, Options{})
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	for i := len(d.runs) - 1; i >= 0; i-- {
		if err := b.AddRun(ctx, d.runs[i]); err != nil {
			return report, err
		}
	}
	if d.view == nil {
		return store.Salvage{Nothing: true}, nil
	}
	return store.New(b).Rescue(ctx, listed{d.view})
}

// A listed is a view whose list of segments is that of the manifest, even if some of them are gone: Rescue treats
// these as lost one by one. A segment that the manifest does not know means that the manifest is not the last one that was
// written, and nothing can be trusted.
type listed struct{ *view }

func (v listed) Segments() ([]digest.Digest, error) {
	if v.manErr != nil {
		return nil, v.manErr
	}
	rows, err := v.rows()
	if err != nil && !errors.Is(explain(v.path, err), store.ErrCorrupt) {
		return nil, explain(v.path, err)
	}
	for _, e := range rows {
		if v.seqs[e.id] != e.seq {
			return nil, explain(v.path, badManifest("does not match the segments"))
		}
	}
	var ids []digest.Digest
	for _, e := range v.man.segments {
		ids = append(ids, e.id)
	}
	return ids, nil
}

// SetAside renames a store that is not for this version of winnow to use to path + ".v" and its version, or
// that with the next free number, and returns the new name. The next Open makes a new store.
func SetAside(path string) (aside string, err error) {
	if path, err = filepath.Abs(path); err != nil {
		return "", err
	}
	unlock, err := lockFolder(path)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	d, err := openDamaged(context.Background(), path)
	var version *VersionError
	if !errors.As(err, &version) {
		if err == nil {
			err = errors.Join(fmt.Errorf("store %s: it is of a known version, or damaged", path), d.close())
		}
		return "", err
	}
	return setAside(path, versionName(version.Found))
}

// setAside renames a file to the first free of the given names, and the journal after it: a journal without a file
// is ignored, a file without its journal would be taken for whole.
func setAside(path string, name func(n int) string) (string, error) {
	for n := 1; ; n++ {
		aside := path + name(n)
		free, err := unused(aside, aside+"-journal")
		if err != nil {
			return "", err
		}
		if !free {
			continue
		}
		if err := os.Rename(path, aside); err != nil {
			return "", readOnly(err)
		}
		err = os.Rename(path+"-journal", aside+"-journal")
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return aside, err
		}
		return aside, nil
	}
}

func damagedName(n int) string { return fmt.Sprintf(".damaged-%d", n) }

func versionName(version int) func(n int) string {
	return func(n int) string {
		if n == 1 {
			return fmt.Sprintf(".v%d", version)
		}
		return fmt.Sprintf(".v%d-%d", version, n)
	}
}

func unused(paths ...string) (bool, error) {
	for _, p := range paths {
		_, err := os.Lstat(p)
		if err == nil {
			return false, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
	}
	return true, nil
}
