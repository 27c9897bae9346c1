// Package calc computes the values of spreadsheet cells for spreadsheet tests.
//
// Terms. A Book is a workbook, as package xlsx read it, plus the inputs that a test has set. A cell is computed when its formula has been
// evaluated on the inputs. A form is a way of writing a formula (an operator on a range, an omitted argument); a form or a
// function is refused when no value for it can be vouched for. A function is trusted when its values equal those of LibreOffice
// on testdata/corpus.txt and on random arguments; functions.txt holds the verdicts.
//
// Guarantee. Value returns the value of a formula that uses trusted functions and supported forms only, or an error that names
// the cell and what could not be computed. A refusal is a Go error and never a value, so IFERROR cannot hide it. Results are
// deterministic, and none is kept from one Value to the next.
//
// Trace. A Watcher hears of every cell, area and name that a value was computed from. Whatever it does not hear of may change in
// any way, and the value stays the same; a test does that to random workbooks. A branch that is not taken is not read.
//
// Division of labour. Cells come from package xlsx and syntax trees from package formula, so that what is computed is what is
// compared. The engine behind the package is excelize, used as a library of single functions: every call it receives is
// F(arguments) with typed constants or with cells that hold constants. Operators, conversions, error propagation, branches,
// references and the order of evaluation are done here, because excelize 2.11 gets each of them wrong in some case and does not
// say so; the section [raw] of the corpus lists such cases and a test keeps the list true.
//
// Limits of the judge. LibreOffice has no type for truth values and few kinds of errors. Forms that hang on either are refused,
// but for #NUM! where Excel documents it and LibreOffice has some error. Numbers are compared to 12 digits, so the last bits of
// a result may differ from Excel's; comparisons and differences that hang on them are refused, sums of a range are not.
//
// What the package is not: it is no full spreadsheet. It refuses array formulas, array constants, operators on ranges,
// implicit intersection, spills, unions, intersections, computed ranges, structured, external and 3-D references, volatile
// functions, the 1904 date system, precision as displayed, Lotus 1-2-3 evaluation, rich values, and results on which spreadsheets
// differ in the last bits. It neither reads nor writes files.
//
// A Book is for one goroutine at a time.
package calc
