// Package bytecode reads and writes the instructions of a method body (JVMS chapter 6).
//
// An instruction is decoded at an offset of the code; its operands are numbers: indices of constants and local variables, immediate values, and branch targets
// as absolute offsets. Guarantees: nothing is read beyond the code; what Decode accepts, Append writes back byte for byte.
//
// The package knows neither constant pools nor control flow, and checks no types; targets may lie anywhere.
package bytecode
