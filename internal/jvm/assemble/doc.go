// Package assemble builds class files from Go values, for programs that are generated rather than compiled.
//
// A Class collects constants (each once), members and attributes; a Code collects the instructions of one method, with labels for what branches,
// exception handlers and frames refer to. Bytes writes the class file. The first mistake is kept and returned by Bytes, so that building needs no
// error handling; nothing is written after a mistake.
//
// max_stack and max_locals are computed unless they are given. Frames (StackMapTable) are not computed: code with branches in a class of version 51
// or later must state them with Frame, as JVMS 4.10.1 demands.
//
// The package is not a verifier: types, flags and the existence of what is referred to are not checked, because ill-formed programs are wanted too.
// It assembles no text and optimizes nothing: an instruction comes out as it was given, except that a local variable beyond 255 gets the prefix
// wide and Constant chooses between the three forms of ldc.
package assemble
