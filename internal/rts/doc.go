// Package rts is the vocabulary of regression test selection, types only.
//
// # Terms
//
// A program is code plus everything outside it that can alter a run. An Entity is one named part of it: a cell, a
// method, a file, an environment variable, a tool version. A Snapshot tells the digest that each entity has now.
//
// A Trace is what one test used when it ran: a Footprint of Uses. A Use names an entity together with the digest
// that the entity had at that moment; a use inside a body may also name the entries of that body which were covered,
// and these are meant relative to the body with that digest and to no other. Footprints may be shared: set-up code and
// initialization belong to every test that includes them.
//
// A Record is one finished run of one test: its footprint, its outcome, where and when it was made. A test is always
// compared with what it was recorded on, never with "the previous revision". Hence records made at different revisions,
// on different branches and machines live side by side, and equal inputs are a proof wherever they were recorded.
//
// A test is affected by a difference if it could behave differently because of it. A test is selected if it is to
// be run, and left out if it is not. A selection is safe if no affected test is left out, and precise if no other
// test is selected. Every selected test has a Reason, every test left out has a Proof.
//
// A technique's Bias is the set of named assumptions under which it is safe.
//
// # What this package is not
//
// It decides nothing, reads nothing and stores nothing.
package rts
