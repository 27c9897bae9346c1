// Package synth is a tiny language whose programs have everything that makes selection hard: bodies with branches and switches whose
// traces are probes inside the body, initialization that runs once per process, containers with shared set-up, files that are read, listed
// or looked for in vain, a tool version, tests that fail, tests that kill their process, and edits while a run is going.
//
// It exists to judge the engine and the techniques: a random program, a random sequence of edits and runs, and after each edit the truth
// from running everything. It is for tests only; nothing in the product imports it.
//
// Printed form of a program: see Program.String. A body is a list of statements over one number, the accumulator:
//
//	add 3            the accumulator plus 3
//	mul 5            the accumulator times 5
//	call f           run function f; if there is none the accumulator changes in another way
//	touch M          run init:M unless this process has done so, then add what it left behind
//	read d/f         add the content of a file, or a constant if there is none
//	list d           add the names in a directory
//	tool             add the tool's version
//	check 4          fail the test if the accumulator is 4 modulo 53
//	kill 7           take the process down if the accumulator is 7 modulo 31
//	native d/f       like read, but recording does not see it and says so
//	secret d/f       like read, but recording never sees it: safe only while the file is declared an input of every test
//	peek             add something that no recording can see: the test is opaque
//	flaky 3          fail the test in every third process
//	odd 4            like add 4, but no technique can read a body that has it
//	if 3 { … } else { … }          take the first branch if the accumulator is not divisible by 3
//	switch { case 1 { … } default { … } }   by the accumulator modulo 4
package synth
