// Package sqlite keeps a store in one SQLite file.
//
// # Terms
//
// The manifest is the one row that lists the segments of the store in order, with the number that each has in the tables, and
// the number of run summaries. It carries a digest of itself and is rewritten in every transaction. A row that SQLite
// does not find although the manifest lists it is damage, not absence.
//
//	manifest   the list
//	segment    number, name and index of each segment
//	suspects   the suspects of each segment, in a tree of their own: what destroys an index need not destroy them
//	block      the blocks of each segment
//	run        run summaries, each with a checksum
//
// # Guarantees
//
//   - A transaction is there as a whole or not at all after a crash, a kill, a full disk or a cancelled context. A killed
//     process may leave a -journal file beside the store; the next use of the store rolls it back.
//   - Once Replace or AddRun has returned nil, the change is on the disk (synchronous=EXTRA: the file, the
//     journal and the folder are synced).
//   - Several processes may use the file at once. Writers queue; a view holds a shared lock, so the commit of a writer waits
//     until all views are closed, for Options.Wait at most.
//   - Nothing that is in the file is ever deleted by Recover or SetAside; they rename.
//
// An empty file is an empty store: SQLite makes such a file before its first write, so it cannot be told from one that
// was cut to nothing. It holds no proof.
//
// # What this package is not
//
// It does not know what segments mean, and it does not decide when a damaged store is recovered. Network file systems
// without working locks are not supported. Where folders cannot be locked (see lockFolder), two calls
// of Recover for one store must not run at once.
package sqlite
