package classpath

import "time"

// A Stamp is what stat tells about a file that a change of its content changes too. Times are in nanoseconds since 1970. The time of
// change (ctime) cannot be set by a program, which makes it the witness against times of modification that were set back.
type Stamp struct {
	Size, Mtime, Ctime int64
	Inode, Device      uint64
}

// margin is the age that a file must have when it is read, so that no later write can have got the same times: clocks of file systems
// advance in steps of milliseconds, in some up to two seconds.
const margin = 2 * time.Second

// settled tells whether the file had been left alone for the margin at a time (S6.5).
func (s Stamp) settled(at int64) bool {
	return s.Mtime <= at-int64(margin) && s.Ctime <= at-int64(margin)
}

// fine tells whether the stamp has what is needed: an inode and a time of change in fractions of a second.
func (s Stamp) fine() bool { return s.Inode != 0 && s.Ctime%int64(time.Second) != 0 }
