// Package store keeps recordings and answers which of them a difference touches.
//
// A Store is a set of immutable segments (package segment) on a Backend, which knows how to keep blobs and
// nothing about their meaning. A segment's name is the digest of its content, so merging two stores is taking the union of
// their segments; nothing in a segment depends on the machine it was written on.
//
// Guarantees:
//
//   - Append is atomic: after a crash, a kill or a full disk at any moment the store has all of it or none of it, and
//     everything that was there before.
//   - A View sees one state of the store, whatever other processes do meanwhile.
//   - Damage is never read as absence. A missing or altered byte is an error that wraps ErrCorrupt, never a shorter
//     answer (S4.1). Repair keeps what is readable, and drops the records of every test that a lost segment may have shown
//     not to pass (S4.2).
//
// This package does not decide what is selected, and does not know where a store lives.
package store

import (
	"context"
	"errors"
	"time"

	"winnow/internal/digest"
	"winnow/internal/store/segment"
)

var (
	// ErrCorrupt is wrapped by every error about damaged contents. The remedy is Repair.
	ErrCorrupt = segment.ErrCorrupt
	// ErrConflict is returned by Backend.Replace when a segment to be dropped is gone: another process was faster.
	ErrConflict = errors.New("the store was changed by another process")
	// ErrReadOnly is wrapped when the store can be read but not written.
	ErrReadOnly = errors.New("the store cannot be written")
)

// A Backend keeps segments and run summaries. It is safe for use by several processes at once.
type Backend interface {
	// View opens a consistent, read-only view of the present state.
	View(ctx context.Context) (BackendView, error)
	// Replace adds and drops segments in one transaction. Adding a segment that is there already changes nothing. If a
	// segment to be dropped is not there, nothing is done and ErrConflict is returned.
	Replace(ctx context.Context, add []*segment.Encoded, drop []digest.Digest) error
	// AddRun appends a run summary.
	AddRun(ctx context.Context, run Run) error
	// Runs returns the newest run summaries, newest first, at most n of them.
	Runs(ctx context.Context, n int) ([]Run, error)
	// Close releases the backend.
	Close() error
}

// A BackendView is one state of a backend. It is used by one goroutine.
type BackendView interface {
	// Segments returns the names of the segments in the order in which they were added. It fails with ErrCorrupt if
	// the list itself cannot be trusted.
	Segments() ([]digest.Digest, error)
	// Index, Suspects and Block return the parts of a segment as they were added, or an error that wraps ErrCorrupt if
	// the part is missing.
	Index(id digest.Digest) ([]byte, error)
	Suspects(id digest.Digest) ([]byte, error)
	Block(id digest.Digest, n int) ([]byte, error)
	// Close releases the view.
	Close() error
}

// A Run is the summary of one finished or interrupted run of the tool, for status and history. Nothing in it is evidence.
type Run struct {
	When     time.Time
	Revision string
	Verdict  string
	Tests    int
	Selected int
	Executed int
	Passed   int
	Failed   int
	// Took is the time of the whole run, Saved the recorded duration of the tests left out.
	Took, Saved time.Duration
	Interrupted bool
}
