// Package project is the front end for Maven projects: a module whose tests are about to run, as the engine sees it.
//
// A Module is one test execution of a build: its class path, the tests that are known of it, its fingerprint. It is made when Surefire is about to start, so
// the classes are those that the tests will run on. Running it answers Surefire with the agent and the tests to leave out, waits for the end of
// the execution, and turns the agent's logs into results.
//
// Terms:
//
//   - A scope is the part of a project that entities and tests of an execution are named in: the module's directory relative to the root, and the
//     execution if it is not Surefire's usual one. Names are "scope!name"; the scope of the root has no name and no mark.
//   - The name of a test is what people see, the key what the agent knows; each follows from the other.
//   - Discovery is how a framework finds tests. As long as nothing that it can depend on changed, there are no tests but the known ones.
//   - Entities have the kinds class, resource, property and tool besides the general ones (files, directories, variables, external, opaque).
//
// Guarantees:
//
//   - What a test used is in its record or in a shared footprint that the record includes: methods entered, classes that they name with all supertypes,
//     initializers of classes that it touched whenever they ran, set-up of the groups around it, files, properties and the like. What cannot be
//     tracked is a use that never holds.
//   - A test without a record of its own end is reported as killed or not at all; it stays selected.
//   - Values of properties and variables are kept as digests only.
//
// The package decides nothing about selection, and it does not run Maven: package maven does, and the handler of the command line joins the two.
package project
