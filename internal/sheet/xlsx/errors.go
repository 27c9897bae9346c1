package xlsx

import (
	"errors"
	"fmt"
	"strings"
)

// The kinds of failure. Every error of this package is an *Error for which
// errors.Is holds with exactly one of these.
var (
	// ErrNotWorkbook: the file is something else altogether.
	ErrNotWorkbook = errors.New("not a workbook")
	// ErrPassword: the file is encrypted.
	ErrPassword = errors.New("password-protected")
	// ErrDamaged: the file is meant to be a workbook but breaks its format.
	ErrDamaged = errors.New("damaged workbook")
	// ErrLimit: reading would cost more than Limits allow.
	ErrLimit = errors.New("over a limit")
	// ErrUnsupported: a workbook in a form that this package does not read.
	ErrUnsupported = errors.New("unsupported workbook")
	// ErrRead: the bytes could not be had from the operating system.
	ErrRead = errors.New("unreadable file")
)

const (
	remedySave  = "open it in a spreadsheet program and save it again as .xlsx"
	remedyLimit = "raise the limit if the workbook is trusted"
)

// Error says which file and part is at fault, what is wrong and what helps.
//
// Printed form:
//
//	book.xlsx: xl/worksheets/sheet1.xml: cell B7: is defined twice (damaged workbook); open it in a ...
type Error struct {
	Kind    error  // one of the sentinels above
	File    string // as given to Open; empty for Read
	Part    string // empty if the fault is not in one part
	Cell    string // for example B7; empty if unknown
	Offset  int64  // byte offset in the part's UTF-8 text; 0 if unknown
	Problem string // what is wrong
	Remedy  string // what the user can do; may be empty
	Err     error  // the cause, if another package reported it
}

// Error returns the printed form.
func (e *Error) Error() string {
	var b strings.Builder
	for _, s := range []string{e.File, e.Part} {
		if s != "" {
			b.WriteString(s + ": ")
		}
	}
	if e.Cell != "" {
		b.WriteString("cell " + e.Cell + ": ")
	}
	if e.Offset > 0 {
		fmt.Fprintf(&b, "offset %d: ", e.Offset)
	}
	b.WriteString(e.Problem)
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	fmt.Fprintf(&b, " (%v)", e.Kind)
	if e.Remedy != "" {
		b.WriteString("; " + e.Remedy)
	}
	return b.String()
}

// Unwrap makes errors.Is work for the kind and for the cause.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Err}
}

// fault returns an error of the given kind with the usual remedy for it.
func fault(kind error, part, format string, args ...any) *Error {
	e := &Error{Kind: kind, Part: part, Problem: fmt.Sprintf(format, args...)}
	switch kind {
	case ErrDamaged, ErrUnsupported:
		e.Remedy = remedySave
	case ErrLimit:
		e.Remedy = remedyLimit
	}
	return e
}

// because adds the cause.
func (e *Error) because(err error) *Error {
	e.Err = err
	return e
}

// at adds the cell.
func (e *Error) at(row, col int) *Error {
	e.Cell = CellName(row, col)
	return e
}

// advise replaces the usual remedy.
func (e *Error) advise(remedy string) *Error {
	e.Remedy = remedy
	return e
}
