// Package state says what tests of one process owe to one another because of state that outlives a test.
//
// Tests that share a JVM share its static fields and all that they lead to. The first test that needs a cache, a singleton or a memoized value runs the
// code that fills it; later ones find it filled and never enter that code, although they depend on it. This package finds the code that they miss: what a
// test would have entered, had it been the first.
//
// Terms:
//
//   - A cell is a field, taken as one for all objects that have it, together with what arrays and objects of the JDK hold to which it leads.
//   - A method reads a cell if its body reads the field. It fills a cell if its body writes the field outside the initializer or constructors of its class, or if it
//     gets hold of an array or an object of the JDK through the field and may change it, or if that object may call code that was made together with it (a
//     function handed to ThreadLocal.withInitial). A method also fills a static cell if it has a branch, looks at the cell through a call and fills it through
//     another: the form of registries and settings. A filler is near if its own body names the field.
//   - What functions have captured that one method makes is a cell for each type of an array or object of the JDK: the method counts as the constructor, and the bodies of the functions as methods of a class. A method reference to an object that the body itself makes, of a class of the JDK, has no body in the program (Flow says where the object comes from).
//   - The constants of an enum are a cell that every body reads that names the enum, and that values() fills: the JDK keeps them. So are things that the JDK keeps for the
//     whole process and that are changed by calls, such as loggers and security providers, and things that libraries keep: see globals. So is what a container of a library in a static field of the project holds: see containers. So are the stores of Jupiter's extensions. A footprint that uses fields by reflection reads and writes
//     those of all classes of the project that it looked at.
//   - A setter is a near filler that puts something into a static cell, or into one of a class of which at most one footprint besides those of initializers made objects, and
//     that does not only put constants there, and has a parameter or belongs to an object: the value may come from its caller.
//   - What a test has is what it entered itself, what the footprints that it shares entered, and what the initializers of all classes that these touch entered.
//   - A class crosses if some footprint used an object of it and entered none of its constructors: the object was made elsewhere.
//   - A cell lasts for a test if it is static, or if its class crosses, or if the test reads a static field that can hold an object of the class by its type.
//
// The rule, for each test. It starts at the fillers of each lasting cell that a method reads which the test has or inherits: at those that the test has, and at near ones
// that it has not, since the value may come from there (those of an object's field only if the test uses such objects without making one, or an initializer
// made one). From there it goes along calls, through methods that the test has as well as others, among what was entered in the process before the test
// ended. What it meets and the test has not is inherited. A call without a receiver, or with one target, leads to its target. Any other call leads to the
// methods of objects that there are for the test: of classes and functions (lambdas, method references) that what it has or inherits makes, of classes of
// which it entered an instance method, and of those that callers make for a near filler that the test has not. A body that makes a function or an object that
// the JDK can call leads to what these run. Initializers of classes that inherited methods touch belong to the test with all that they entered.
//
// Why that suffices for the ordinary forms. Let a test T read a value in a cell that an earlier test put there. If T got it through an accessor, which looks and fills
// (a lazy field, double-checked locking, get and put, computeIfAbsent, a holder such as AtomicReference, a memoizing object, a registry), then T has the
// accessor, and the accessor would have filled the cell for T: with objects and functions that T's own code, its initializers or the filling itself make, because
// there is nothing else that T could have handed to it. So the calls of the filling lead only to methods of such objects, and restricting them loses nothing. If T
// got it in another way than it was put there, the near filler is inherited with all that it calls. What a filling reads from other cells is followed in the same way.
//
// What a filling gets from the JDK is in no body: the content of a file, a property, an annotation. So if a body is met on that way which asks for such things, the test includes what the footprints asked for that entered
// it, and one of the bodies that call it on the way, before the test ended (Filled): all of them, since it is not known under which key a test finds a value. Of bodies in libraries only files count. What is met only
// because reflection can run anything does not count here.
//
// A value that a setter put into a cell may have been computed in any way by who called the setter. If a test reads the cell and its setter was called in another footprint, before
// the test ended, by code that the test neither has nor inherits, then the test includes that footprint as a whole, with what the test of that footprint shares and with
// all that was handed to that test. A setter that the test has itself counts as well if it returns nothing and has no branch, for the test may have read the cell before, or if it is given a function, which computes the value.
// So does a method that looks at a field of the project, fills it and is given something, or is one of an object of which several footprints made some. For other cells the objects that its callers make are followed, by the types of its parameters. So does, for a static field of the project, a method that the test has not entered, that writes a constant without looking and returns nothing: whether it was called is what the test finds. A caller that the test inherits counts as
// known unless it hands on what it is given.
//
// What a method puts into a cell that it looks at may depend on what was there: then it matters how often it was called, and it counts as a setter, unless it has a branch and returns an object (where a static field holds
// a number as an object, its code must show that it fills it only once). A method of any type does not count as one if it is static, without parameters, the test has entered it, and its code shows that it fills a static field only once (Once): it writes the field only where it just found a constant
// there (null, 0, false, -1), or in a flag, another static field of its class, and then nothing that it or what it calls reads from the field gets to where it writes it; what the field leads to it changes only there. Besides, nobody else
// may write the field, except to put the constant back, or the flag; and nothing else that the test has or inherits may look at them, and nobody by reflection: it could tell whether others have called the method.
//
// What an array or an object of the JDK in a static field of the project holds is changed under many names. So the references of the bodies of the project are followed (Flow): from static fields and
// parameters through local variables, fields, elements, views and wrappers of the JDK, and from method to method as arguments and results, whatever the order in a body. A method that gets hold of what such a cell
// leads to, wherever it got it, and changes it or has it changed, is a near filler of the cell. Two such cells are tied if a body makes them lead to the same object, or keeps what one leads to in the other;
// tied cells have the same fillers. A change counts only if the type of what is changed fits the type of the field, generic arguments included. A filler that takes something out, draws a random number or adds to
// what was there, or that uses the size of it as a number, counts as often as it is called: then the test includes the footprints that called it, as if it were a setter. One that keeps there what it is given and
// returns what is there counts although the test has it: the value may be another caller's.
//
// A static field of the project that holds an object of the project, a function or anything (Object) is followed, too. There a change counts if it is one of objects of the project, of arrays and objects of the JDK in them, which they may give out, or of what a function has captured, and if it
// is not the work of a method that looks and fills with what it makes itself: that one is found as above. A test is no such method. What only leads to the cell, or was got from something that holds the
// cell, does not count, except for arrays and objects of the JDK that a body got from the cell's object itself, by whatever accessors. Such cells are tied only if one is written to the other. A footprint that changes a cell in a test method is handed over as a whole.
// A method that changes nothing but fields of objects of the project, or what they hold, does not count for a test that reads no field of such objects: one that only resets a singleton, say. Reflection on their classes, and bodies
// that are not known or read fields without naming them, count as reading.
// A test hands nothing over through a static field of the project of which the agent saw that it led to the same when the test ended as before, if all tests ran one after the other; a field that led to the same at all
// boundaries is no state.
// What happened before a test of Jupiter began, while its object was made, is a footprint of its own if it is much (TestTrace.Before): it is handed over without what the test itself did, which came later. With the test it counts as one where it matters who made an object.
// A test that is handed something gets what the giving test inherits. Handles of fields and streams of java.lang.System count as the fields that they stand for.
//
// Rows in databases of the process are one cell: who asks one is handed all that the tests before did which wrote to one, unless they only rolled back.
//
// A body that uses reflection, method handles, services or serialization can have run anything. It leads to all methods that nothing else in a footprint which has
// it calls, apart from those of test classes and from initializers of classes that something names; to methods of objects only if there are such objects, unless it can make objects without a
// constructor. The same holds for a body that is not known, which may make any object.
//
// What is not seen:
//
//   - Objects that are handed through more than two methods between a cell and the one that decides about it, or through more than one between the test that makes
//     them and a near filler that only other tests entered.
//   - State of an object that a collection or another object holds, if every footprint in which such objects are used also makes one: the class does not cross.
//   - A method that reflection ran inside a filling and that another method of the same footprint calls as well.
//   - What an object of the project gives out if another object of the project that keeps it changes it, or if it comes from a function in a field; how often others counted with it.
//   - Encoders and decoders of character sets: they are mostly made anew or kept in caches.
//   - One thing that two objects of the project, or two functions, in static fields lead to; functions in fields of objects; iterators that an object of the project gives out and through which something is removed.
//   - A text or number that another caller gave to a method of an object that looks and fills, and that the test calls itself; how often others took from a pool in one of several objects of a class.
//   - A value handed to a setter of a class of which several footprints made objects, unless a static field of the project leads to the object; one handed to code of a library that keeps it elsewhere than in a static field.
//   - Code that a test runs alone but no test of the process ran, because an earlier one set a switch. Comparing with a recording of one JVM per test
//     class shows it; see Compare.
//   - What Mockito looks up to find out that a class or object is none of its mocks.
//   - State of the test frameworks themselves, except what extensions keep in JUnit's stores, by the methods that make it or put it there and not by what these are given; state outside the program that globals does not name.
//   - Objects that native code or Unsafe writes. Whether two static fields lead to one empty collection or to two.
//
// The package decides nothing about selection, and it does not tell methods that a background thread was inside of from those that the test called.
package state
