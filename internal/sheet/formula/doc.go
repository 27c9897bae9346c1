// Package formula reads the cell formulas of .xlsx workbooks (the text of an
// <f> element: no leading "=", en-US, comma separators, A1 references;
// ECMA-376 part 1, section 18.17), says what each formula refers to and gives
// it a form that stays the same when the formula moves with what it reads.
//
// Terms
//
//   - A reference is a place in a formula that names cells: a cell, an area, a
//     3-D or external reference, a defined name, a table reference or a spill.
//   - The normal form of a formula at a cell is its text with every reference
//     written relative to that cell; see [Formula.Normal] for the exact rules.
//   - The skeleton is the normal form with each reference replaced by a
//     numbered hole; hole n stands for the n-th element of [Formula.Refs].
//   - The catalogue is the list of the functions of Excel. A function that is
//     not in it, or that has a prefix, is unknown.
//   - A positional function is one whose value may depend on where the formula
//     or a reference stands, such as ROW and INDIRECT.
//
// # Guarantee
//
//	(1) Refs has every reference that is written in the formula.
//	(2) Two formulas with equal normal forms, each at its own cell, have the
//	    same text but for spelling that does not matter, and the same
//	    references relative to those cells. Formulas with positional or unknown
//	    functions carry their place in their normal form, so that they are
//	    equal only at equal places.
//	(3) Hence they compute the same value from equal values, if their defined
//	    names mean the same and their functions read nothing but their
//	    arguments and the place of the formula.
//
// Whether a function reads more than that (NOW, OFFSET, SUBTOTAL, a macro) is
// not known here: a caller must refuse every function, operator and kind of
// reference that it cannot account for. A text that is not a formula is an
// error, never passed over.
//
// [Parse] builds a tree. [AppendNormalRefs] and [AppendSkeletonRefs] give the
// same normal form and the same references from the tokens alone, without a
// tree and without garbage, for callers with many formulas; the two paths
// accept the same texts and are tested against each other.
//
// # What the package is not
//
// It never computes a value and knows no workbook: defined names, tables,
// sheets, external links and spilled ranges are named, not resolved, and two
// names are taken to be equal when they are spelled alike (ASCII letters in
// either case). It does not check argument counts or types. It does not read
// R1C1 notation, semicolon separators, translated function names or the
// OpenFormula dialect. Array formulas (t="array") and data tables are marked
// outside the formula text; a caller must handle them itself.
package formula
