package sqlite

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"

	"winnow/internal/digest"
	"winnow/internal/store"
)

// manifestMagic names the form of the manifest and its version.
const manifestMagic = "winnow manifest 1\n"

// A manifest says what the tables must hold.
type manifest struct {
	// last is the highest number that a segment ever had; numbers are not used twice.
	last uint64
	// runs is the number of run summaries; they are numbered from 1.
	runs     uint64
	segments []entry
}

// An entry is a segment by its number in the tables and its name.
type entry struct {
	seq uint64
	id  digest.Digest
}

const entrySize = 8 + digest.Size

// encode writes the manifest and the digest of what was written.
func (m *manifest) encode() []byte {
	b := []byte(manifestMagic)
	b = binary.BigEndian.AppendUint64(b, m.last)
	b = binary.BigEndian.AppendUint64(b, m.runs)
	for _, e := range m.segments {
		b = binary.BigEndian.AppendUint64(b, e.seq)
		b = append(b, e.id[:]...)
	}
	sum := digest.Of(b)
	return append(b, sum[:]...)
}

func badManifest(what string) error {
	return fmt.Errorf("%w: the list of segments %s", store.ErrCorrupt, what)
}

// decodeManifest reads what encode wrote, and nothing else.
func decodeManifest(b []byte) (*manifest, error) {
	head := len(manifestMagic) + 16
	rest := len(b) - head - digest.Size
	if rest < 0 || rest%entrySize != 0 || string(b[:len(manifestMagic)]) != manifestMagic {
		return nil, badManifest("has the wrong form")
	}
	body := b[:len(b)-digest.Size]
	if digest.Of(body) != digest.Digest(b[len(body):]) {
		return nil, badManifest("does not match its checksum")
	}
	m := &manifest{
		last: binary.BigEndian.Uint64(body[len(manifestMagic):]),
		runs: binary.BigEndian.Uint64(body[len(manifestMagic)+8:]),
	}
	prev := uint64(0)
	for b := body[head:]; len(b) > 0; b = b[entrySize:] {
		e := entry{binary.BigEndian.Uint64(b), digest.Digest(b[8:entrySize])}
		if e.seq <= prev || e.seq > m.last {
			return nil, badManifest("is out of order")
		}
		m.segments = append(m.segments, e)
		prev = e.seq
	}
	return m, nil
}

// find returns the position of a segment, or -1.
func (m *manifest) find(id digest.Digest) int {
	for i, e := range m.segments {
		if e.id == id {
			return i
		}
	}
	return -1
}

func readManifest(ctx context.Context, c *sql.Conn) (*manifest, error) {
	var b []byte
	err := c.QueryRowContext(ctx, "SELECT data FROM manifest WHERE one = 1").Scan(&b)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, badManifest("is missing")
	}
	if err != nil {
		return nil, err
	}
	return decodeManifest(b)
}

func (m *manifest) write(ctx context.Context, c *sql.Conn) error {
	_, err := c.ExecContext(ctx, "INSERT OR REPLACE INTO manifest(one, data) VALUES(1, ?)", m.encode())
	return err
}
