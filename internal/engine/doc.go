// Package engine is the run: look at a project, compare with what is recorded, select, execute, record.
//
// The engine sees interfaces: a Project (made by a front end), a store, a technique's judge. It wires nothing together and
// starts no process.
//
// # The rule it implements
//
// A test is left out only if there is a record of it that passed, is complete, and whose every input is as it was, or differs in
// a way that the technique shows not to matter; and if no other record with inputs that hold says otherwise. Everything else is selected,
// with the reason. The rules are numbered in docs/safety.md.
//
// The cost of a selection follows the change: each distinct recorded input is compared once with the project's snapshot, and only the
// footprints that use an input that differs are looked at.
package engine

import (
	"context"
	"time"

	"winnow/internal/rts"
	"winnow/internal/safety"
	"winnow/internal/store"
	"winnow/internal/technique"
)

// A Project is a program with tests as a front end sees it, at one moment.
type Project interface {
	rts.Snapshot
	// Modules names the parts of the project, sorted, those without tests too.
	Modules() []string
	// Tests returns the tests that exist now, in the order in which they are shown.
	Tests() []rts.Test
	// Run executes the given tests and reports each to sink as it ends. When ctx is done it stops soon and returns ctx.Err().
	Run(ctx context.Context, tests []rts.TestID, sink Sink) error
}

// A Rechecker is a Project whose digests are taken at another moment than the tests read the entities. After a run its
// present state is asked for, and records whose inputs changed meanwhile are marked incomplete (S1.9).
type Rechecker interface {
	Recheck() (rts.Snapshot, error)
}

// A Requirer is a Project that knows of inputs that a test depends on whether or not recording sees it use them. A pass that was recorded without
// one of them is no proof (S1.14).
type Requirer interface {
	Required(test rts.TestID) []rts.Entity
}

// A Discoverer is a Project whose tests are found by running: Tests lists those that are known from records.
type Discoverer interface {
	// Unlisted says why a run may meet tests that Tests does not list, "" if it cannot. With a reason Run is called even if nothing is selected.
	// Tests that it meets and nobody knew are new (S1.1).
	Unlisted() string
	// Owns tells whether a recorded test belongs to this project. Others are not looked at.
	Owns(id rts.TestID) bool
	// Found describes a test that a run met.
	Found(id rts.TestID) rts.Test
}

// Sink and Result are the words in which a front end reports; they are part of the vocabulary, so that a front end need not know the engine.
type (
	Sink   = rts.Sink
	Result = rts.Result
)

// A Config says how to select. Its zero value selects with every rule in force and the coarsest technique.
type Config struct {
	Technique technique.Technique
	// NewJudge makes the technique's judge; nil means that every difference matters.
	NewJudge func(technique.Bodies) technique.Judge
	// All selects every test: the user asked for it, or the technique does. AllWhy is the reason.
	All    bool
	AllWhy rts.Reason
	// Shadow runs the tests that are left out too. The selection is the same.
	Shadow bool
	// KeepSelected: of the tests that a shadow runs, those that are left out are not recorded, as if they had not run.
	KeepSelected bool
	// Admit tells whether passes with this origin may be proofs; nil admits all.
	Admit func(rts.Meta) bool
	// StoreEvery bounds how much of a long run a kill can lose; a second if it is 0. Where storing takes long it is done less often, so that it takes a fifth of the time at most: what recordings share is stored with each of them.
	StoreEvery time.Duration
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// Rules are the safety rules in force; tests switch one off.
	Rules safety.Rules
}

// An Engine decides about and runs one project with one store.
type Engine struct {
	Project Project
	Store   *store.Store
	Config  Config
}
