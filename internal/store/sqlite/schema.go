package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"winnow/internal/store"
)

// applicationID marks a file as a store: "WINN".
const applicationID = 0x57494e4e

// A layout is the sequence of table layouts that a store can have had. Version n is what the first n migrations make of an
// empty file.
type layout struct {
	migrations [][]string
	// tables are the definitions in the newest version, as SQLite keeps them, sorted. A file with other definitions is damaged.
	tables []string
}

// current is the layout of this version of winnow.
var current = layout{migrations: [][]string{tables1}, tables: tables1}

var tables1 = []string{
	"CREATE TABLE block(segment INTEGER NOT NULL, n INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY(segment, n)) WITHOUT ROWID",
	"CREATE TABLE manifest(one INTEGER PRIMARY KEY, data BLOB NOT NULL)",
	"CREATE TABLE run(seq INTEGER PRIMARY KEY, sum INTEGER NOT NULL, data BLOB NOT NULL)",
	"CREATE TABLE segment(seq INTEGER PRIMARY KEY, id BLOB NOT NULL, idx BLOB NOT NULL)",
	"CREATE TABLE suspects(segment INTEGER PRIMARY KEY, data BLOB NOT NULL)",
}

// A VersionError says that a file is whole, as far as can be seen, but not for this version of winnow to use. The remedy is
// a newer winnow, or SetAside.
type VersionError struct {
	Path string
	// Found is the version of the file, Known the newest version that is known here.
	Found, Known int
	// Foreign means that another program made the file.
	Foreign bool
}

// Error describes the file.
func (e *VersionError) Error() string {
	if e.Foreign {
		return fmt.Sprintf("store %s: the file belongs to another program", e.Path)
	}
	return fmt.Sprintf("store %s: the file has version %d, this winnow knows versions up to %d", e.Path, e.Found, e.Known)
}

// A fileState is what a file says about itself.
type fileState struct {
	application, version int
	tables               []string
	// format is the pair of file format versions in the header of the file.
	format string
}

func (s *fileState) empty() bool {
	return s.application == 0 && s.version == 0 && len(s.tables) == 0
}

// judge returns nil if a store with this state can be used, at once or after migration.
func (s *fileState) judge(path string, l layout) error {
	known := len(l.migrations)
	switch {
	case s.empty():
		return nil
	case s.application != applicationID:
		return &VersionError{Path: path, Found: s.version, Known: known, Foreign: true}
	case s.version > known:
		return &VersionError{Path: path, Found: s.version, Known: known}
	case s.version < 1:
		return fmt.Errorf("%w: a store without a version", store.ErrCorrupt)
	case s.format != "\x01\x01":
		// SQLite would take other values for a write-ahead log, or for a file that may only be read.
		return fmt.Errorf("%w: wrong file format version", store.ErrCorrupt)
	case s.version == known && !slices.Equal(s.tables, l.tables):
		return fmt.Errorf("%w: the definitions of the tables are altered", store.ErrCorrupt)
	}
	return nil
}

func readState(ctx context.Context, c *sql.Conn) (*fileState, error) {
	s := &fileState{}
	if err := c.QueryRowContext(ctx, "PRAGMA application_id").Scan(&s.application); err != nil {
		return nil, err
	}
	if err := c.QueryRowContext(ctx, "PRAGMA user_version").Scan(&s.version); err != nil {
		return nil, err
	}
	rows, err := c.QueryContext(ctx, "SELECT COALESCE(sql, name) FROM sqlite_master ORDER BY name")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		s.tables = append(s.tables, text)
	}
	if err := rows.Err(); err != nil || s.empty() {
		return s, err
	}
	return s, c.QueryRowContext(ctx, "SELECT CAST(substr(data, 19, 2) AS TEXT) FROM sqlite_dbpage WHERE pgno = 1").Scan(&s.format)
}

// prepare checks that the file can be used and brings it up to date.
func (b *Backend) prepare(ctx context.Context, l layout) error {
	upToDate := false
	err := b.transaction(ctx, reading, func(c *sql.Conn) error {
		s, err := readState(ctx, c)
		if err != nil {
			return err
		}
		upToDate = s.version == len(l.migrations)
		return s.judge(b.path, l)
	})
	if err != nil || upToDate {
		return err
	}
	return b.transaction(ctx, writing, func(c *sql.Conn) error { return b.migrate(ctx, c, l) })
}

// migrate looks again, now alone, because another process may have been faster.
func (b *Backend) migrate(ctx context.Context, c *sql.Conn, l layout) error {
	s, err := readState(ctx, c)
	if err != nil {
		return err
	}
	if err := s.judge(b.path, l); err != nil {
		return err
	}
	if s.version == len(l.migrations) {
		return nil
	}
	for _, step := range l.migrations[s.version:] {
		for _, statement := range step {
			if _, err := c.ExecContext(ctx, statement); err != nil {
				return err
			}
		}
	}
	if s.empty() {
		if err := (&manifest{}).write(ctx, c); err != nil {
			return err
		}
	}
	return mark(ctx, c, len(l.migrations))
}

func mark(ctx context.Context, c *sql.Conn, version int) error {
	if _, err := c.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d", applicationID)); err != nil {
		return err
	}
	_, err := c.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", version))
	return err
}
