// Package xlsx reads Excel workbooks (.xlsx, .xlsm, .xltx, .xltm, .xlam) for
// test selection: sheets, cells, stored values, formulas, names and tables.
//
// Terms.
//
//   - A part is one file inside the zip archive that a workbook is, for example
//     xl/worksheets/sheet1.xml. Parts are found through relationships, as the
//     Open Packaging Conventions (ECMA-376 part 2) demand, never by guessing.
//   - A cell is present if the sheet's part has a <c> element for it, even when
//     that element holds neither a value nor a formula (Blank).
//   - The value of a cell is the text stored in the file. For a formula cell it
//     is what the last program that saved the file computed, and may be stale.
//   - A group ties cells together that share one formula: a shared formula with
//     its dependents, an array formula with its area, a data table.
//
// Guarantee. Read returns either an error and no workbook, or a workbook in
// which every present cell of every worksheet and macro sheet stands exactly once, in
// row-major order, with its value and formula text as stored. Nothing is
// skipped because it was not understood: markup inside the cell data that is
// unknown to this package is an error. Two cells whose stored value or formula
// differs never read alike, so a caller that compares two workbooks cannot miss
// such a change; only of cells marked ValueMeta a part of the value is not read. Reading the same bytes gives the same workbook, or the same error, every
// time, although sheets are decoded in parallel.
//
// Input is not trusted. Sizes and counts are bounded by Limits while data is
// inflated and scanned, whatever the archive's headers claim, and no input makes
// the package panic or loop. DOCTYPE declarations are refused, so there are no
// entities to expand or files to include.
//
// Text. Entities, character references and CDATA sections are decoded and line
// ends become \n, as XML demands. White space is kept whether or not
// xml:space="preserve" is given. The escapes _xHHHH_ are decoded in string
// items (<si> and <is>) and in the column names of tables; in <f> and <v> they stay as
// stored, which keeps different texts different and agrees with the program
// that calculates.
//
// Irregular files. Rows and cells without a position follow their predecessor.
// Rows and cells out of order are sorted. A cell given twice is an error. A dependent of
// a shared formula that carries formula text of its own follows the master all
// the same (ECMA-376 part 1, 18.3.1.40), and its text is dropped; a group
// without a master, or with two, is an error. A cell that an array formula or a
// data table fills is marked Member if it is present; where such a cell is
// absent, only the group's area tells. An inline string left in a
// cell of another type is ignored.
//
// The package is not a calculator, a formula parser or a writer; it does not
// expand shared formulas, interpret number formats, styles or dates, and does
// not read charts, pivot tables, comments, query tables, the cached values
// of external links, or the code of macros. It does not decrypt. Binary
// workbooks (.xlsb), old workbooks (.xls) and OpenDocument (.ods) are recognised and refused.
package xlsx
