package formula

import "fmt"

// Limits of the sheet and of the parser. A row or column beyond the sheet makes
// a word a name, not a reference; a formula beyond MaxLength or MaxNesting is an
// error, which keeps the stack and the work of every walk bounded.
const (
	MaxRow     = 1 << 20 // rows of a sheet
	MaxCol     = 1 << 14 // columns of a sheet, XFD
	MaxLength  = 1 << 16 // bytes of a formula; Excel allows 8192 characters
	MaxNesting = 256     // open parentheses and calls; Excel allows 64
)

// SyntaxError reports a text that is not a formula, or one beyond a limit.
type SyntaxError struct {
	Offset int // byte offset into the formula
	Msg    string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("formula: offset %d: %s", e.Offset, e.Msg)
}
