// Package hierarchy links class files as a Java virtual machine does: it finds supertypes, resolves references to fields and methods, selects the
// method that a call runs, and tells for which calls that differs between two versions of a program.
//
// Terms, as the Java Virtual Machine Specification (JVMS) uses them:
//
//   - A reference is what an instruction names: a class, a member's name and its descriptor. Resolution (5.4.3) finds the declaration that it means,
//     for a class that must be allowed to use it (5.4.4).
//   - Selection (5.4.6) finds the method that a resolved method means for an object of a class, by the rules of overriding (5.4.5) and of default
//     methods.
//   - A World is a set of classes that see each other. Dispatch is resolution and selection together; its result is a Target.
//   - A Linkage is an answer that is an error of the JVM, such as NoSuchMethodError. Unreadable is the only kind that no JVM knows: the caller's
//     Lookup failed, so nothing can be said. Diff and ResolutionDiff count it as a difference.
//
// The guarantee: Link, Invoke, Load and Diff say what HotSpot of JDK 17 and 25 does, error or not. It is tested by generated programs that a real
// JVM runs (TestJudgedByJVM, TestDiffJudgedByJVM). Where HotSpot departs from the words of the specification the answer is HotSpot's. TestSpecification
// has a second implementation by the words, and TestDeviations has an example of each departure:
//
//   - Below class file version 51 a method does not override what a method in between overrides.
//   - A class whose superclass inherits a default method has no method for calls through the interface if the class or a superclass declares a private
//     one of the same signature.
//   - JDK 17 throws AbstractMethodError where calls through an interface find conflicting default methods. This package answers
//     IncompatibleClassChangeError, as the specification and JDK 25 do, in order to keep the two cases apart.
//   - If a class has a static method, and conflicting or only abstract interface methods of the same signature, HotSpot's answer depends on the layout of its
//     memory. This package answers by the specification; the tests leave such programs out. No compiler writes them.
//   - ACC_SUPER is taken as set (as the specification allows since Java 8).
//
// What the package is not, and does not know:
//
//   - One class loader is assumed: a package is its name, loading constraints are not checked, and a class has one definition.
//   - Modules are not considered: a public class is accessible to all.
//   - It is not a verifier. Receivers are taken to be of the right type; a receiver that no verified program can have gets Verify.
//   - HotSpot omits access checks between classes below version 52 of the application class loader unless it is told to verify; answers with
//     IllegalAccess therefore keep the Owner that would be used.
//   - Signature polymorphic methods resolve with every descriptor; that the classes in it exist is not checked.
//   - Reflection, method handles and java/lang/reflect/Proxy have rules of their own.
//   - Duplicate fields and other format errors are found only as far as they matter for linking.
package hierarchy
