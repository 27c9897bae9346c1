package rts

import "winnow/internal/digest"

// A Sink takes what a run observes. It is safe for use by several goroutines.
type Sink interface {
	// Shared adds a footprint that several tests include and returns its number. Its own Includes are such numbers.
	Shared(Footprint) int
	// Body adds a body that uses with this digest refer to, before the first test that needs it is done.
	Body(d digest.Digest, body []byte)
	// Done reports a finished test with its own uses; own.Includes are numbers that Shared returned.
	Done(Result)
	// NotRun reports a selected test that was kept from running, for example by the user's own filter.
	NotRun(test TestID, why string)
}

// A Result is a finished test.
type Result struct {
	Record Record // Footprint is ignored
	Own    Footprint
	// Message says what went wrong, for people.
	Message string
	// Unasked says why the test ran although it was not selected, "" if there is no reason for that.
	Unasked string
}
