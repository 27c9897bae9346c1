package calc

import (
	"errors"
	"strings"
)

// Sentinels, to be used with errors.Is.
var (
	// ErrRefused: the formula uses a function or a form whose value cannot be vouched for.
	ErrRefused = errors.New("refused")
	// ErrCycle: the cell depends on itself.
	ErrCycle = errors.New("circular reference")
	// ErrTimeout: the evaluation did not end within the limit.
	ErrTimeout = errors.New("evaluation took too long")
	// ErrEngine: excelize panicked or answered in a way that is not understood.
	ErrEngine = errors.New("calculation engine failed")
	// ErrNoSheet: the workbook has no such worksheet.
	ErrNoSheet = errors.New("no such worksheet")
	// ErrWorkbook: the workbook as a whole cannot be computed.
	ErrWorkbook = errors.New("workbook cannot be computed")
)

// CellError says which cell could not be computed and why. It wraps one of the sentinels.
//
// Printed form: cannot compute OFFSET in Sheet1!A1: moves its reference at run time
type CellError struct {
	Sheet, Cell string
	What        string // the function or form, "" where none is to blame
	Why         string
	Err         error
}

// Error returns the printed form.
func (e *CellError) Error() string {
	var s strings.Builder
	s.WriteString("cannot compute ")
	if e.What != "" {
		s.WriteString(e.What + " in ")
	}
	s.WriteString(e.Sheet + "!" + e.Cell)
	why := e.Why
	if why == "" && e.Err != nil {
		why = e.Err.Error()
	}
	return s.String() + ": " + why
}

// Unwrap returns the sentinel.
func (e *CellError) Unwrap() error { return e.Err }

// CycleError lists the cells of a circular reference in the order of evaluation. The list may leave out cells of cycles that
// are longer than the depth of recursion (see maxDepth); First is always part of the cycle.
type CycleError struct {
	First string
	Cells []string
}

// Error returns the message, with at most eight cells.
func (e *CycleError) Error() string {
	cells, more := e.Cells, ""
	if len(cells) > 8 {
		cells, more = cells[:8], " -> ..."
	}
	return "circular reference: " + strings.Join(cells, " -> ") + more + " -> " + e.First
}

// Unwrap returns ErrCycle.
func (e *CycleError) Unwrap() error { return ErrCycle }

// refusal is a refusal before the cell is known; the evaluator adds the cell.
type refusal struct{ what, why string }

func (r *refusal) Error() string { return r.what + ": " + r.why }

func refuse(what, why string) error { return &refusal{what, why} }
