// Package agent records what the tests of a JVM do: it has the agent that runs inside, tells it what to do, and reads what it wrote.
//
// Terms:
//
//   - The agent is a jar of small Java classes (java, java9), started with -javaagent. It replaces classes by their instrumented form and notes what happens.
//   - A plan is what the agent is told, a log what one process writes. Packs are files with instrumented classes, one for each place of a class path.
//   - A node is a test or a group of tests (a class, a template, an engine). It begins and ends, or is skipped.
//   - A boundary is the begin or the end of a node. A segment is the time between two boundaries; a hit is a method that was entered in it.
//   - A window is the time in which a class initializer runs; see package instrument.
//   - An event is something that the program asked the JDK for: a file, a property, a class that is not there, what a class declares.
//   - A class is coarse if it was defined without probes: the plan does not have it, or not with these bytes.
//   - The harness is the classes, in jars, of Surefire and of test frameworks that run tests, and those of the frameworks' own assertions. They have probes in their initializers and where there is a hook, and no others: whoever uses a trace takes each of them that was
//     defined for used as a whole, by all tests.
//   - A footprint is what a node, a class initializer or the process did.
//   - A static field of the project's own classes is watched if everything that it leads to can be looked at: collections of the JDK by their elements, the project's objects by their fields. No code of the program is run for that.
//   - Details are what only studies need, of the project's own classes: edges of the control flow, classes of receivers, calls by reflection with their callers. They are off unless Options.Detail.
//
// Guarantees:
//
//   - A class is replaced only if its bytes are those that the plan was made from (by xxHash64 and length), and only by bytes whose checksum holds. Every other class
//     of the program runs as it is and is in the log as coarse.
//   - A method that is entered during a test is in the test's own footprint or in one that it shares, unless its class is coarse or of the harness, or the plan lists it as unprobed. With several
//     threads or tests at once, everything belongs to all that run; Attribute has the rules.
//   - A block of the log is written by one call at a boundary, before the program goes on. Whatever kills the process, what was written before is readable, and
//     a test whose end is not in the log is Unfinished.
//   - Nothing is thrown into the program, and nothing is written to its output. A failure of the agent is in the log (Trace.Incomplete), or there is no log at all;
//     both mean that nothing is proven.
//   - Only tests whose key is in Plan.Exclude are taken out of a run, and each of them is in the log. A group is left out only if no test is left in it. Where leaving a test
//     out could change how others end, everything runs, and the log says so (NotExcluded).
//   - Invocations of a template of Jupiter that follow one another in one thread and pass are one test, under the key of the first, until one does not pass; that one is told, and so are all of the template from then on.
//   - A class file that one of the JDK's own loaders loads, from the class path or from a module, is no event. Whatever else reads it has one: a test that takes it for data, a loader of the
//     program's own.
//   - A field in Trace.Watched that leads to something else at a boundary than at the one before is in Changed of the footprints that the stretch between them belongs to; so is one that cannot be looked at as a whole at one of the two. Nothing is said about fields of classes that
//     several loaders define, or without an initializer, or which take too much time to look at. Texts, numbers and empty collections are not told from others that equal them.
//   - With details: an edge that is taken is in Footprint.Edges, or its method is in Detail.Edgeless; a method that is entered on an object has the object's class in Receivers, unless it is a
//     constructor or there was no room for the call; a call by Method.invoke, Constructor.newInstance or Class.newInstance is in Reflective. A plan without details has the bytes that it had before there were any.
//   - A test that looks at what a class of the program declares, or uses a member of it by reflection, has a ClassReflected event of that class and of its supertypes, also if
//     the JDK had kept the answer from an earlier test.
//
// What a program can see of the agent: the class java.lang.$Winnow, the jar at the end of the system class path with its package winnow.agent, the option in the list of JVM
// arguments, and that java.lang is open to a module that nobody can name. With details, an instance method needs room on the stack for one call more, so a stack overflows a little earlier.
//
// Not here: which tests are due, the digests of files and of methods, how Maven is told. Not seen: native code, and classes that it finds by name;
// java.util.Properties objects that were fetched before (that they were fetched is seen); method handles and annotations' values that the program kept, but for the
// methods that are entered and the types of the annotations; which packages a module has and, if it is a jar, which files; names of files that cannot be decoded (their text has U+FFFD, and the
// test cannot be trusted); classes that a boot class path option adds and the plan does not have, which count as the JDK. What running code can ask a class at any
// time, such as its superclass and its flags, is no event: a class at hand counts as touched; reflectionHooks has the list. Hooks into the JDK are for Linux. An agent
// that comes first and changes classes makes them coarse; one that comes after us sees instrumented bytes, which tools that compare classes with those on disk, such as JaCoCo,
// do not recognise.
//
// A test framework looks at all test classes before it runs the first test. These events are the process's, as everything is that happens while no node runs.
//
// # Keys
//
// The key of a test names it in Plan.Exclude and in a log. TestTrace.Group is the key of its method, which is what can be excluded.
//
//	JUnit Platform    the unique id: [engine:junit-jupiter]/[class:p.A]/[nested-class:B]/[method:m(int)]; in a suite of the platform with the suite's before it. A template or
//	                  factory has one key for all its invocations: …/[test-template:m(int)]; so has a test of a class template, …/[class-template:p.A]/[method:m()]. Engines but Jupiter, Vintage and TestNG are never excluded from.
//	Vintage           the unique id; its Group, and what is excluded, is that of JUnit 4
//	TestNG engine     the unique id; its Group, and what is excluded, is that of TestNG
//	JUnit 4           junit4:m(p.A), and junit4:m[0](p.A) for a parameter set, whose Group is the former; a group of tests is junit4: and its display name
//	JUnit 3           junit3:m(p.A); also junit4:m(p.A) excludes it, and the other way round in Vintage
//	TestNG            testng:m(p.A) for all overloads, instances and rows of data; a class is testng:p.A
//
// The class is the one that runs, not one that it inherits the test from. Tests of the same key are one test to whoever excludes it.
//
// Excluded from are hierarchies of Jupiter; runners of Vintage that can be filtered; ParentRunner of JUnit 4 with all that extend it; TestSuite of JUnit 3; TestNG 6 and later,
// on Java 9 and later, if no test that stays depends on others. Other runners run all their tests, and so does Surefire's own runner for classes without a framework, whose tests are
// not in the log. JUnit 3, and JUnit 4 before 4.13, do not report groups; a class that Surefire's providers for them run is one.
// Elsewhere, as with several classes at once, what runs between their tests belongs to all tests of the process.
//
// # Plan
//
// Numbers are big-endian; u4 and u8 have 4 and 8 bytes; a text is a u4 length and UTF-8.
//
//	"WNPLAN1\n", u4 CRC-32 of all that follows, u8 xxHash64 of all that follows it: the digest
//	texts: directory for logs, home and version of the JVM
//	u4 number of all ids
//	u4 count, texts: packs
//	u4 count, each a text and a class record without ids: classes of the JDK with hooks
//	u4 count, texts, sorted: excluded tests
//	u4 count, class records sorted by hash: u8 hash, u4 length, u4 pack, u8 offset, u4 size (0: nothing to replace), u4 CRC-32, u4 offset of the first id, u4 ids
//	u4 count, u8 each, sorted: xxHash64 of the names of all classes
//	only for details: u4 count, u8 each, sorted: xxHash64 of the names of the project's own classes
//
// The agent gives a class its ids when it is first defined, in the order of definition, so that the ids in use are always the lowest ones and finding hits is
// cheap. It patches them into the bytes as instrument.Result.Rebase does.
//
// # Log
//
// Numbers have seven bits a byte, the lowest first; a text is a length and UTF-8; a rising list is a count and the gaps; a set of ids is a byte 0 and a rising list, or a
// byte 1, a length and a bitmap, whichever is shorter.
//
//	"WNLOG1\n\n"
//	blocks: u4 length, u4 CRC-32, records: a byte and
//	 1 start     pid, milliseconds, texts home, version, class path, directory; u8 digest of the plan; byte: all hooks in place
//	 2 text      text; numbered from 0
//	 3 define    class of the plan, first id, loader
//	 4 coarse    text name, byte reason, loader
//	 5 loader    text class; numbered from 1
//	 6 node      id, parent, bytes framework, kind, flags; texts key, class, method
//	 7 begin     node, nanoseconds, thread
//	 8 end       node, nanoseconds, thread, byte outcome, text class of what was thrown
//	 9 segment   nanoseconds at its end, rising list of running nodes, ids, events, rising list of texts: methods that other threads were inside of
//	10 init      id of the initializer, byte 1 if its end was not seen, ids, events, rising list of initializers inside
//	11 excluded  text key
//	12 problem   byte code, text
//	13 finish    nanoseconds
//
// Events are a count and for each a byte kind and a text, in this order. A directory that was listed through java.nio is a file that was read. A resource bundle is
// sought by the names of its files, for the locale and for the default one.
// Receivers and reflective calls are events, too: the id of the method and the class of the object, with a space between; caller, a line break, and what was called.
// Values of properties and variables are never written, and of a process only its program.
package agent
