package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"winnow/internal/digest"
	"winnow/internal/store"
)

// View opens a read transaction. Writers can prepare their changes meanwhile, and commit them when it is closed.
func (b *Backend) View(ctx context.Context) (store.BackendView, error) {
	c, err := b.db.Conn(ctx)
	if err != nil {
		return nil, explain(b.path, err)
	}
	v, err := newView(ctx, c, b.path, reading)
	if err != nil {
		discard(c)
		return nil, explain(b.path, err)
	}
	return v, nil
}

// A view is one transaction on one connection.
type view struct {
	ctx   context.Context
	conn  *sql.Conn
	path  string
	parts map[string]*sql.Stmt
	// man is nil and manErr set if the manifest cannot be trusted.
	man    *manifest
	manErr error
	seqs   map[digest.Digest]uint64
}

// newView starts a transaction and reads the manifest, which fixes the state that the view sees. A
// damaged manifest is reported by Segments, so that Recover can look at what else there is.
func newView(ctx context.Context, c *sql.Conn, path, begin string) (*view, error) {
	if _, err := c.ExecContext(ctx, begin); err != nil {
		return nil, err
	}
	v := &view{ctx: ctx, conn: c, path: path, parts: map[string]*sql.Stmt{}, seqs: map[digest.Digest]uint64{}}
	v.man, v.manErr = readManifest(ctx, c)
	if v.manErr != nil {
		v.manErr = explain(path, v.manErr)
		if !errors.Is(v.manErr, store.ErrCorrupt) {
			return nil, v.manErr
		}
		return v, nil
	}
	for _, e := range v.man.segments {
		v.seqs[e.id] = e.seq
	}
	return v, nil
}

// Segments returns the names that the manifest lists, if the table has exactly these (S4.1).
func (v *view) Segments() ([]digest.Digest, error) {
	if v.manErr != nil {
		return nil, v.manErr
	}
	rows, err := v.rows()
	if err != nil {
		return nil, explain(v.path, err)
	}
	ids := make([]digest.Digest, len(v.man.segments))
	for i, e := range v.man.segments {
		if i >= len(rows) || rows[i] != e {
			return nil, explain(v.path, badManifest("does not match the segments"))
		}
		ids[i] = e.id
	}
	if len(rows) != len(ids) {
		return nil, explain(v.path, badManifest("does not match the segments"))
	}
	return ids, nil
}

// rows returns what the table of segments has.
func (v *view) rows() ([]entry, error) {
	rows, err := v.conn.QueryContext(v.ctx, "SELECT seq, id FROM segment ORDER BY seq")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []entry
	for rows.Next() {
		var e entry
		var id []byte
		if err := rows.Scan(&e.seq, &id); err != nil {
			return nil, fmt.Errorf("%w: %w", store.ErrCorrupt, err)
		}
		if len(id) != digest.Size {
			return nil, fmt.Errorf("%w: a segment name of %d bytes", store.ErrCorrupt, len(id))
		}
		e.id = digest.Digest(id)
		all = append(all, e)
	}
	return all, rows.Err()
}

// Index returns the index of a segment.
func (v *view) Index(id digest.Digest) ([]byte, error) {
	return v.part("index", id, "SELECT idx FROM segment WHERE seq = ?")
}

// Suspects returns the suspects of a segment.
func (v *view) Suspects(id digest.Digest) ([]byte, error) {
	return v.part("list of suspects", id, "SELECT data FROM suspects WHERE segment = ?")
}

// Block returns one block of a segment.
func (v *view) Block(id digest.Digest, n int) ([]byte, error) {
	return v.part("block", id, "SELECT data FROM block WHERE segment = ? AND n = ?", n)
}

func (v *view) part(what string, id digest.Digest, query string, more ...any) ([]byte, error) {
	seq, ok := v.seqs[id]
	if !ok {
		return nil, explain(v.path, fmt.Errorf("%w: no segment %s", store.ErrCorrupt, id.Short()))
	}
	stmt, err := v.statement(query)
	if err != nil {
		return nil, explain(v.path, err)
	}
	var b []byte
	err = stmt.QueryRowContext(v.ctx, append([]any{seq}, more...)...).Scan(&b)
	if errors.Is(err, sql.ErrNoRows) {
		err = fmt.Errorf("%w: segment %s: %s %v is missing", store.ErrCorrupt, id.Short(), what, more)
	}
	if err != nil {
		return nil, explain(v.path, err)
	}
	return b, nil
}

// statement prepares a query once; a selection asks for many blocks.
func (v *view) statement(query string) (*sql.Stmt, error) {
	if s := v.parts[query]; s != nil {
		return s, nil
	}
	s, err := v.conn.PrepareContext(v.ctx, query)
	if err == nil {
		v.parts[query] = s
	}
	return s, err
}

// Close ends the transaction.
func (v *view) Close() error {
	var failed error
	for _, s := range v.parts {
		failed = errors.Join(failed, s.Close())
	}
	// The view's own context may be cancelled by now, and the lock must go all the same.
	if _, err := v.conn.ExecContext(context.Background(), "ROLLBACK"); err != nil {
		// After some errors SQLite has ended the transaction itself. Nothing can be lost with a reading one.
		discard(v.conn)
		return failed
	}
	return errors.Join(failed, v.conn.Close())
}
