// Package state says what tests of one process owe to one another because of state that outlives a test.
//
// Tests that share a JVM share its static fields and all that they lead to. The first test that needs a cache, a singleton or a memoized value runs the
// code that fills it; later ones find it filled and never enter that code, although they depend on it. This package finds the code that they miss.
//
// Terms:
//
//   - A cell is a field, taken as one for all objects that have it, together with what arrays and objects of the JDK hold to which it leads.
//   - A method reads a cell if its body reads the field. It fills a cell if its body writes the field outside the initializer or constructors of its class, or if it
//     gets hold of an array or an object of the JDK through the field and may change it, or if that object may call code that was made together with it (a
//     function handed to ThreadLocal.withInitial).
//   - A method also fills a static cell if it has a branch, looks at the cell through a call and fills it through another: the form of registries and settings.
//   - The constants of an enum are a cell that every body reads that names the enum, and that values() fills: the JDK keeps them.
//   - A filling is what a method that fills a cell can have entered, among the methods of all footprints that have it. A call of a type of the program leads to every
//     method that some class of the process can give it, and to functions made of its interface. A call of a type of the JDK leads to methods of objects that
//     there are: made on the way, held by fields that were read on the way, or handed to the start by its callers.
//   - A class lasts if an object of it can outlive a test: an initializer, the set-up of a group or the filling of a cell makes one, and a field can hold it.
//   - A node is the union of the fillings of a cell. Only static fields and fields of classes that last have nodes.
//
// The rule: a footprint that reads a cell includes its node, and a node includes the nodes of the cells that its filling reads.
//
// Why that suffices. Let a test read a value in a field that another test put there. The read is in a body that the test entered, so the test reads the cell. The
// other test wrote the value in a method that it entered; this method fills the cell. What ran inside this method is in the filling, since calls are
// over-approximated; and what it took from other cells is included with their nodes. A value that is a parameter of the method that writes comes from its
// callers; if one of them first looked whether there is a value, it is a method of the second form. In what order tests ran does not matter: nodes have the
// fillings of later tests, too.
//
// A body that uses reflection, method handles, services or serialization can have run anything. It leads to all methods that nothing else in the same footprint calls,
// apart from those of test classes. The same holds for a body that is not known.
//
// What is not seen:
//
//   - Values and objects that are handed through more than two methods between a cell and the one that decides about it or makes them.
//   - A method that reflection ran inside a filling and that another method of the same footprint calls as well.
//   - A value that code computes and then puts into a cell without looking at it first, in a method further up than the one that writes: a test that only sets
//     something up for others. Such tests depend on their order; run alone, the later ones fail or take another way.
//   - Code that a test runs alone but no test of the process ran, because an earlier one set a switch. Comparing with a recording of one JVM per test
//     class shows it; see Compare.
//   - State of the test frameworks themselves, except what extensions keep in JUnit's stores; state outside the program: files, system properties,
//     registries of the JDK (security providers, loggers of java.util.logging, default locale).
//   - Objects that native code or Unsafe writes.
//
// The package does not judge whether a cell really outlives a test: an object that one test made and dropped has cells, too. It decides nothing about selection.
package state
