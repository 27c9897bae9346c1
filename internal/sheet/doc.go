// Package sheet is the front end for spreadsheets: workbooks (.xlsx, .xlsm) with a text file of tests beside each.
//
// # Terms
//
// A suite is the file NAME.tests beside NAME.xlsx (or NAME.xlsm); see ParseSuite for its form. A test sets input cells to values, computes a
// query cell and compares it with an expected value. A module is a workbook with its suite.
//
// A trace names what the evaluation of the query really read: cells, areas with their population (which cells of the area are
// not blank), defined names, the cells that the test sets, settings of the workbook, and the calculator. A blank cell that was read is an
// input too, absent. A branch of IF that was not taken is not in the trace.
//
// # Guarantee
//
// What is computed and what is compared are the same reading of the same bytes. A cell that the calculator cannot vouch for (an unsupported or
// volatile function, an array formula, an external link, INDIRECT, a cycle) ends its test as an error that names the cell;
// such a test is never green and never left out.
//
// # What it is not
//
// Stored values of formula cells are never looked at. Charts, pivot tables, macros, number formats and data validation are not seen. Workbooks that
// are linked to other workbooks can be tested only where the link is not read.
package sheet
