package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"winnow/internal/store"
)

// Options are the settings of a backend. The zero value is right for everyday use.
type Options struct {
	// Wait is how long an operation waits for other processes before it fails; 0 means 15 seconds.
	Wait time.Duration
}

const defaultWait = 15 * time.Second

// pageSize is the size of a page of a new file. A block of a segment is a little larger than 16 KiB: with pages of 8 KiB the file
// is 4 % larger than the segments in it, with 4 KiB or 16 KiB it is 7 to 9 %.
const pageSize = 8192

// A Backend keeps segments in a SQLite file.
type Backend struct {
	db   *sql.DB
	path string
}

var _ store.Backend = (*Backend)(nil)

// Open opens the store at path, and creates it and its folder if they are missing. A store of an older layout is brought
// up to date. A file of a newer layout, or of another program, is a *VersionError; a damaged one is an error that wraps
// store.ErrCorrupt. A store that may be read but not written opens, and then refuses to be changed with store.ErrReadOnly.
func Open(ctx context.Context, path string, opt Options) (*Backend, error) {
	return open(ctx, path, opt, current)
}

func open(ctx context.Context, path string, opt Options, l layout) (*Backend, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if err := makeFolder(path); err != nil {
		return nil, err
	}
	b := &Backend{path: path}
	if b.db, err = sql.Open("sqlite", dsn(path, opt.Wait, "page_size(%d)", pageSize)); err != nil {
		return nil, err
	}
	if err := b.prepare(ctx, l); err != nil {
		return nil, errors.Join(explainOpen(path, err), b.db.Close())
	}
	return b, nil
}

// makeFolder makes the folder of a store, and refuses what can never become one.
func makeFolder(path string) error {
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		// This is not damage: recovering would rename somebody's folder.
		return fmt.Errorf("store %s: it is a folder", path)
	}
	return readOnly(os.MkdirAll(filepath.Dir(path), 0o777))
}

// dsn returns the driver's name for a file. The settings hold for every connection:
// cell_size_check and trusted_schema=OFF make SQLite distrust the file; the journal mode is DELETE, which is the default, so no
// other file is left behind.
func dsn(path string, wait time.Duration, extra string, args ...any) string {
	if wait == 0 {
		wait = defaultWait
	}
	q := url.Values{"_pragma": {
		fmt.Sprintf("busy_timeout(%d)", wait.Milliseconds()),
		"synchronous(EXTRA)",
		"cell_size_check(ON)",
		"trusted_schema(OFF)",
		"temp_store(MEMORY)",
		fmt.Sprintf(extra, args...),
	}}
	u := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path), RawQuery: q.Encode()}
	return u.String()
}

// Close releases the backend.
func (b *Backend) Close() error { return b.db.Close() }

// connection lends a connection to f. If f fails, the connection is thrown away, in whatever state SQLite left it.
func connection(ctx context.Context, db *sql.DB, f func(*sql.Conn) error) error {
	c, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	if err := f(c); err != nil {
		discard(c)
		return err
	}
	return c.Close()
}

// discard ends the transaction of a connection, if there is one, and closes the connection without giving it back to the pool.
func discard(c *sql.Conn) {
	// SQLite ends some failed transactions itself; then this fails, and it does not matter. Closing the connection would not be
	// enough: with a statement still open, SQLite puts off the closing and keeps the locks.
	_, _ = c.ExecContext(context.Background(), "ROLLBACK")
	// Raw returns the ErrBadConn that it is given: that is how database/sql is told to drop a connection.
	_ = c.Raw(func(any) error { return driver.ErrBadConn })
}

// transaction runs f in a transaction that begin starts, and commits it if f succeeds.
func (b *Backend) transaction(ctx context.Context, begin string, f func(*sql.Conn) error) error {
	return connection(ctx, b.db, func(c *sql.Conn) error {
		if _, err := c.ExecContext(ctx, begin); err != nil {
			return err
		}
		if err := f(c); err != nil {
			return err
		}
		_, err := c.ExecContext(ctx, "COMMIT")
		return err
	})
}

// Writers take their lock at once: a transaction that starts as a reader and then writes can meet another one that does
// the same, and neither can go on.
const (
	reading = "BEGIN DEFERRED"
	writing = "BEGIN IMMEDIATE"
)
