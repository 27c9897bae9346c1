// Package classfile reads and writes Java class files: every structure of chapter 4 of the Java Virtual Machine
// Specification up to Java 25 (class file version 69), and the attributes that the JDK itself adds.
//
// A class is read in two depths. Read checks the outer structure (constant pool, members, the envelopes of attributes) and leaves the contents
// of attributes alone; Attribute values are decoded when someone asks with Value. Decode decodes everything.
//
// Guarantees:
//
//   - Append of what Decode returned gives the same bytes, for every input that Decode accepts.
//   - An attribute that is not known, or stands where the specification gives it no meaning, is kept verbatim as Unknown.
//   - Every length is bounded by the bytes that are left before anything is allocated; an error is a *FormatError with
//     the structure and the offset, and comes with a nil result.
//   - Every constant-pool reference inside the constant pool has been checked by Read. References from elsewhere are
//     checked where they are followed.
//
// A Class aliases the bytes it was read from: they must not change afterwards. Names and descriptors are strings of
// modified UTF-8 as they stand in the file; Text makes them readable. Decoding attributes changes the Class, so one goroutine at a time may ask for values.
//
// The package is not a verifier: it does not check code, flags, the bytes of texts or the meaning of names, nor that a structure was already
// specified in the version of the file. A class that it accepts may still be refused by a JVM. Not supported: the layout that Code had before version 45.3, with
// shorter numbers; JDK 17 and 25 do not know it either and read such files like newer ones.
package classfile
