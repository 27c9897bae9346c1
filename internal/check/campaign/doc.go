// Package campaign says what is to be checked, and keeps what came of it.
//
// Terms:
//
//   - A campaign is a text file: which evolving programs, which subjects, which rules, how much of it. Every line is a word and its values; the words are listed at
//     Campaign. A file that cannot be read is refused with the line and what is wanted there.
//   - A component makes evolving programs: AutoEP generates them, cases are written by hand, DefectsEP takes bugs from a database, EvoEP takes revisions or releases of a
//     real project.
//   - An entry is what came of one evolving program: whether it could be compared, and what each subject did.
//   - A log is a file of entries that is only appended to. Each line has its own checksum, so after a kill the log ends with the last whole entry, and a campaign goes on from
//     there.
//
// Guarantees: a log belongs to one campaign and one program that checks, and says so; damage in it is an error, except for a torn last line. Nothing compiled, nothing compared
// and a subject that never worked are told apart (Verdict), and none of them is a success.
//
// Not here: nothing is run. Packages that run things hand entries over.
package campaign
