package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	driver "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"winnow/internal/store"
)

// errMoved says that the file was renamed while it was open. The change was not made.
var errMoved = errors.New("the file was set aside by another process; open the store again")

// explain adds the file to an error and tells damage from other causes.
func explain(path string, err error) error {
	var version *VersionError
	switch {
	case err == nil || errors.As(err, &version) || errors.Is(err, store.ErrConflict):
		return err
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("store %s: %w", path, err)
	}
	var failed *driver.Error
	if !errors.As(err, &failed) {
		return fmt.Errorf("store %s: %w", path, err)
	}
	if cause := causeOf(failed.Code()); cause != nil {
		return fmt.Errorf("store %s: %w: %w", path, cause, err)
	}
	return fmt.Errorf("store %s: %w", path, err)
}

// explainOpen explains why a store cannot be opened. If there is no file, it could not be made.
func explainOpen(path string, err error) error {
	var failed *driver.Error
	if errors.As(err, &failed) && failed.Code()&0xff == sqlite3.SQLITE_CANTOPEN {
		if _, missing := os.Stat(path); errors.Is(missing, fs.ErrNotExist) {
			return fmt.Errorf("store %s: %w: %w", path, store.ErrReadOnly, err)
		}
	}
	return explain(path, err)
}

// readOnly marks the error of a file operation that was not permitted.
func readOnly(err error) error {
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return fmt.Errorf("%w: %w", store.ErrReadOnly, err)
	}
	return err
}

// explainWrite explains the error of a transaction that was rolled back.
func explainWrite(path string, err error) error {
	var failed *driver.Error
	if !errors.As(err, &failed) {
		return explain(path, err)
	}
	switch failed.Code() & 0xff {
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("store %s: disk full: free space, nothing was lost: %w", path, err)
	case sqlite3.SQLITE_IOERR:
		if causeOf(failed.Code()) == nil {
			return fmt.Errorf("store %s: cannot write; disk full: free space, nothing was lost; else check the disk: %w", path, err)
		}
	case sqlite3.SQLITE_CANTOPEN:
		// The store itself is open: it is the journal that cannot be made.
		return fmt.Errorf("store %s: %w: %w", path, store.ErrReadOnly, err)
	}
	return explain(path, err)
}

// causeOf returns the error that stands for a result code of SQLite, nil if there is none.
func causeOf(code int) error {
	switch code {
	case sqlite3.SQLITE_READONLY_DBMOVED:
		return errMoved
	case sqlite3.SQLITE_IOERR_CORRUPTFS, sqlite3.SQLITE_IOERR_SHORT_READ:
		return store.ErrCorrupt
	case sqlite3.SQLITE_IOERR_DELETE:
		return store.ErrReadOnly // the journal can be neither made nor removed in such a folder
	}
	switch code & 0xff {
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM:
		return store.ErrReadOnly
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return errBusy
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT,
		// The statements of this package are fixed and fit the tables. If SQLite rejects one, or a value, the file
		// does not hold these tables any more.
		sqlite3.SQLITE_ERROR, sqlite3.SQLITE_SCHEMA, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_TOOBIG:
		return store.ErrCorrupt
	}
	return nil
}

// errBusy says that the wait for other processes took too long.
var errBusy = errors.New("another process kept the store locked")
