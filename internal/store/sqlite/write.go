package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"

	"winnow/internal/digest"
	"winnow/internal/store"
	"winnow/internal/store/segment"
)

// Replace adds and drops segments in one transaction.
func (b *Backend) Replace(ctx context.Context, add []*segment.Encoded, drop []digest.Digest) error {
	return b.change(ctx, func(c *sql.Conn, m *manifest) error {
		for _, id := range drop {
			if err := m.drop(ctx, c, id); err != nil {
				return err
			}
		}
		for _, e := range add {
			if err := m.add(ctx, c, e); err != nil {
				return err
			}
		}
		return nil
	})
}

// change runs f in a write transaction and stores the manifest that f leaves.
func (b *Backend) change(ctx context.Context, f func(*sql.Conn, *manifest) error) error {
	err := b.transaction(ctx, writing, func(c *sql.Conn) error {
		m, err := readManifest(ctx, c)
		if err != nil {
			return err
		}
		if err := f(c, m); err != nil {
			return err
		}
		return m.write(ctx, c)
	})
	return explainWrite(b.path, err)
}

func (m *manifest) drop(ctx context.Context, c *sql.Conn, id digest.Digest) error {
	i := m.find(id)
	if i < 0 {
		return store.ErrConflict
	}
	for _, statement := range []string{
		"DELETE FROM block WHERE segment = ?",
		"DELETE FROM suspects WHERE segment = ?",
		"DELETE FROM segment WHERE seq = ?",
	} {
		if _, err := c.ExecContext(ctx, statement, m.segments[i].seq); err != nil {
			return err
		}
	}
	m.segments = slices.Delete(m.segments, i, i+1)
	return nil
}

func (m *manifest) add(ctx context.Context, c *sql.Conn, e *segment.Encoded) error {
	if m.find(e.ID) >= 0 {
		return nil
	}
	m.last++
	m.segments = append(m.segments, entry{m.last, e.ID})
	if _, err := c.ExecContext(ctx, "INSERT INTO segment(seq, id, idx) VALUES(?, ?, ?)", m.last, e.ID[:], e.Index); err != nil {
		return err
	}
	if _, err := c.ExecContext(ctx, "INSERT INTO suspects(segment, data) VALUES(?, ?)", m.last, e.Suspects); err != nil {
		return err
	}
	return addBlocks(ctx, c, m.last, e.Blocks)
}

func addBlocks(ctx context.Context, c *sql.Conn, seq uint64, blocks [][]byte) (err error) {
	insert, err := c.PrepareContext(ctx, "INSERT INTO block(segment, n, data) VALUES(?, ?, ?)")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, insert.Close()) }()
	for n, block := range blocks {
		if _, err := insert.ExecContext(ctx, seq, n, block); err != nil {
			return err
		}
	}
	return nil
}

// AddRun appends a run summary.
func (b *Backend) AddRun(ctx context.Context, run store.Run) error {
	data, err := json.Marshal(run)
	if err != nil {
		return err
	}
	return b.change(ctx, func(c *sql.Conn, m *manifest) error {
		m.runs++
		_, err := c.ExecContext(ctx, "INSERT INTO run(seq, sum, data) VALUES(?, ?, ?)", m.runs, crc32.ChecksumIEEE(data), data)
		return err
	})
}

// Runs returns the newest run summaries, newest first.
func (b *Backend) Runs(ctx context.Context, n int) ([]store.Run, error) {
	var runs []store.Run
	err := b.transaction(ctx, reading, func(c *sql.Conn) (err error) {
		runs, err = readRuns(ctx, c, n)
		return err
	})
	if err != nil {
		return nil, explain(b.path, err)
	}
	return runs, nil
}

func readRuns(ctx context.Context, c *sql.Conn, n int) ([]store.Run, error) {
	m, err := readManifest(ctx, c)
	if err != nil {
		return nil, err
	}
	rows, err := c.QueryContext(ctx, "SELECT seq, sum, data FROM run ORDER BY seq DESC LIMIT ?", max(n, 0))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var runs []store.Run
	for want := m.runs; rows.Next(); want-- {
		run, err := scanRun(rows, want)
		if err != nil {
			return nil, err
		}
		runs = append(runs, run)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	if want := min(uint64(max(n, 0)), m.runs); uint64(len(runs)) != want {
		return nil, fmt.Errorf("%w: %d run summaries, not %d", store.ErrCorrupt, len(runs), want)
	}
	return runs, nil
}

func scanRun(rows *sql.Rows, want uint64) (run store.Run, err error) {
	var seq, sum int64
	var data []byte
	if err := rows.Scan(&seq, &sum, &data); err != nil {
		return run, fmt.Errorf("%w: %w", store.ErrCorrupt, err)
	}
	if seq != int64(want) || sum != int64(crc32.ChecksumIEEE(data)) {
		return run, fmt.Errorf("%w: run summary %d does not match its checksum", store.ErrCorrupt, want)
	}
	if err := json.Unmarshal(data, &run); err != nil {
		return run, fmt.Errorf("%w: run summary %d: %w", store.ErrCorrupt, want, err)
	}
	return run, nil
}
