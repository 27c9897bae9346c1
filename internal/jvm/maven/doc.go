// Package maven runs a Maven build and takes part in it at the moment before tests run, without a change to any file of the project.
//
// The extension is a small jar that Maven loads because of one more argument on its command line (maven.ext.class.path). An execution is one run of a
// goal of a plug-in in one module; a test execution is one that runs tests: Surefire's test, Failsafe's integration-test, Tycho's. Before a test
// execution starts, when test classes are compiled and dependencies are resolved, the extension describes it in a Request and waits for an Answer:
// run it with options put before the JVM options of the tests, run it unchanged, skip it, or fail the build. A Handler gives the answers and is told
// every event of the build in order. The provider is the part of Surefire that runs in the tests' JVM and knows the test framework.
//
// What is guaranteed:
//
//   - A set-up that is not known is never edited: Unsupported names it, its tests run as without Winnow, and Maven's output says why.
//   - What a Request says of the tests' JVM is what Surefire will do, by the rules of its versions 2.12.4 to 3.6: the class path, the jars that Surefire itself
//     adds (found through Maven, with the user's repositories and offline mode), the program, its options, the system properties. What could not
//     be found out is named in the Request.
//   - With Options.NoTests no test execution runs a test: what cannot be skipped fails the build.
//   - The tests get the user's JVM options, system properties and environment. The argument that brings the extension in is taken out of the user
//     properties, which Surefire hands to the tests, and out of the variable MAVEN_CMD_LINE_ARGS of their JVM.
//   - A build is called Succeeded only if Maven's exit code, its result and every event say so; see Outcome.Verdict. A build in which the extension
//     was never heard is not one of them.
//   - When the context ends, Maven and every process in its group end, the directory of the exchange is removed, and the handler is told. When this
//     process is killed, the extension ends Maven and removes the directory.
//
// # The exchange
//
// The two sides talk through two named pipes in a private directory, beside the jar: requests, in which every thread of Maven writes whole
// messages, and answers, which one thread of Maven reads. A pipe was chosen because the kernel tells each side that the other is gone, which files
// do not; because it needs no network and no port, which a socket would (Java 8 has no other kind); because the process that answers is the one
// that started Maven and has its state, which a program started for each question would not; and because several threads of a parallel build
// can wait for their answers at the same time. The file named taken makes a second Maven process, started by the build with the same
// argument, stay out of the conversation.
//
// # What it is not
//
// It knows nothing of agents, recordings or selection: the options to put in front come from the handler. It reads no test report. It does not see tests that
// other plug-ins run, such as PIT's. Surefire leaves out an execution that is configured like an earlier one of the module; options that differ
// make it run both. Surefire 2 keeps the provider of the first module for a whole build, which a parallel build can meet before it was told here. It has no
// named pipes outside Unix; there Run fails with errors.ErrUnsupported. The variable JDK_JAVA_OPTIONS, if the user has it, still comes before all options
// that Maven gives to a JVM. MAVEN_CMD_LINE_ARGS keeps the extra argument if it contains a dollar sign, and in executions that are not edited.
package maven
