// Package jcgeks selects test classes in two steps: as Ekstazi does, by the checksums of the classes that they used; then, of these, only those from which a static call graph leads to a changed method.
//
// Terms, with the letters of the paper:
//
//   - D: for each test class the classes that it used when it last ran, with their checksums; collected as package ekstazi collects.
//   - H: for each class the digests of its method bodies.
//   - R: for each test class the calls by reflection that were seen.
//   - S: for each class of which an instance was made its direct supertypes, those of libraries included.
//   - M': the changed methods, which are bodies that differ and new methods, of the classes in D that differ.
//   - AM: the methods from which a way in the call graph, R included, leads to M'. AC: the classes of AM and their ancestors by S.
//
// A test class is preliminarily selected if a class in its D differs. If M' is empty, as when only a library is another one, that is the selection. Else the call graph is walked from the methods of each such test
// class, inherited ones and those of its member classes included, into internal classes of its D. The test class is selected if the walk comes to a method of AM, or to a call of a library method that may call
// back: its class, or that of a parameter, is in AC. The checksums of a test class that is filtered out are those of the new revision from then on. The call graph is that of class hierarchy analysis (package callgraph), with
// an edge from a call to every override below, and to initializers; it is kept from revision to revision.
//
// java/lang/Object is an ancestor of everything, and a call of its constructor is in every constructor. Taken literally every test class that makes an object would be selected, T1 of the paper's example among them. So
// Object as the class of a call is no reason, and as a parameter it is one only if AM has a method that overrides one of Object.
//
// JcgEks-NE, the paper's own variation, does not look at library calls; it misses what libraries call back.
//
// Misses, by design, besides those of Ekstazi: removed methods and removed overrides do not count as changes; nor do changes of a class that no body shows, such as an annotation or a supertype, unless nothing else
// changed; a library that is another one is not noticed in a revision that changes methods too; a library that casts what it gets as Object, as a sorted set does to Comparable, calls back unseen; extensions that only a test
// framework calls.
//
// Where recording has no calls by reflection, they are guessed: methods that a test class entered and no entered body calls statically are taken as called by those entered bodies that call
// Method.invoke, Constructor.newInstance or Class.newInstance.
//
// Where this is not the tool, whose source is not public: a failed test is selected again.
//
// Citation: G. Zhang, L. Liu, Z. Chen, J. Wang, "Hybrid regression test selection by integrating file and method dependences", ASE 2024.
package jcgeks
