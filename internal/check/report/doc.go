// Package report shows what a campaign found: as text, as JSON and as one page of HTML that needs nothing else.
//
// A summary is made from the entries of a campaign and has every figure that is shown; the three forms show the same ones. The funnel leads from programs to those that were
// compared, to those in which a rule is violated, to groups of violations with a likely common cause (Table V of the paper on RTSCheck); the grid has the programs generated and
// compilable by constraint and operator (Table IV). Times are those of subjects that are processes of their own; a project on which any subject crashes is left out of the cumulative
// times of all of them, and listed.
//
// Guarantee: a figure that was not measured is not shown. Not here: nothing is judged.
package report
