// Package storetest is the conformance suite of store backends.
//
// # Terms
//
// A history is a list of recordings made up at random from a seed. A Statement is what one record says: a test, with these inputs,
// ended like this. The answers of a store are everything that can be asked of it, as sorted lines of text; the model computes
// the same lines from the history itself, without a store.
//
// A record holds on a snapshot if all its inputs are as they were. A test has a proof on a snapshot if a complete passing
// record of it holds there and no record holds that is no pass. Forgetting may take proofs away; it must never give one
// (NewProofs).
//
// # Guarantee
//
// A backend that passes Run keeps what package store promises, for the histories that were tried. A failure prints the seed and the
// smallest history found that still fails; -storetest.seed=N -storetest.cases=1 repeats it.
//
// # What this package is not
//
// It does not test how a backend survives crashes, full disks or damaged files: only the backend's own tests know how to
// cause these. It is imported by tests only.
package storetest
