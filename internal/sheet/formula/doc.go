// Package formula reads the cell formulas of .xlsx workbooks (the text of an
// <f> element: no leading "=", en-US, comma separators, A1 references;
// ECMA-376 part 1, section 18.17) and says what each formula reads and whether
// that answer can be trusted.
//
// Terms
//
//   - A reference is a place in a formula that names cells: a cell, an area, a
//     3-D or external reference, a defined name, a table reference or a spill.
//   - The normal form of a formula at a cell is its text with every reference
//     written relative to that cell; see [Formula.Normal] for the exact rules.
//   - The skeleton is the normal form with each reference replaced by a
//     numbered hole; hole n stands for the n-th element of [Formula.Refs].
//   - A hazard is anything in a formula that lets it read cells that are not
//     among its references, or lets its value depend on something other than
//     its text and the values it reads. See [Hazards].
//   - A branch is an argument that a call evaluates only under a condition,
//     such as the second and third argument of IF. See [BranchesOf].
//
// # Guarantee
//
// For a formula without hazards, with its defined names resolved by the caller:
//
//	(1) its value depends on nothing but its text and the cells in Refs;
//	(2) two formulas with equal normal forms, each at its own cell, read the
//	    same cells relative to those cells and compute the same value from
//	    equal values. Formulas whose value depends on where they stand (ROW(),
//	    INDIRECT, an unknown function ...) carry that place in their normal
//	    form, so that they are equal only at equal places;
//	(3) [Trace] reports every reference that the evaluation used, and may
//	    report more, never fewer.
//
// Whatever the package does not know is reported as a hazard or as an error,
// never passed over.
//
// [Parse] builds a tree. [AppendNormal] and its relatives give the same normal
// form and the same references from the tokens alone, without a tree and
// without garbage, for callers with many formulas; the two paths accept the
// same texts and are tested against each other.
//
// # What the package is not
//
// It never computes a value and knows no workbook: defined names, tables,
// sheets, external links and spilled ranges are named, not resolved, and two
// names are taken to be equal when they are spelled alike (ASCII letters in
// either case). It does not check argument counts or types. It does not read
// R1C1 notation, semicolon separators, translated function names or the
// OpenFormula dialect. Array formulas (t="array") and data tables are marked
// outside the formula text; a caller must treat them as hazards itself.
package formula
