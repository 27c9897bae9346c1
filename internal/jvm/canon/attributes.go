package canon

import "winnow/internal/jvm/classfile"

// A Meaning is what becomes of an attribute.
type Meaning string

// The meanings. docs/safety.md lists every attribute with its meaning, and a test holds the two against each other.
const (
	// Body: part of the bodies of methods.
	Body Meaning = "body"
	// Link: part of the shape that running code can notice.
	Link Meaning = "link"
	// Reflect: part of the shape that only reflection can notice.
	Reflect Meaning = "reflect"
	// Debug: left out, because only debuggers and stack traces show it.
	Debug Meaning = "debug"
	// Derived: left out, because it follows from the code.
	Derived Meaning = "derived"
	// Compiler: left out, because only compilers read it, from the class file.
	Compiler Meaning = "compiler"
)

// Attributes gives each attribute its meaning; nothing else is left out of the digests (S6.4). An attribute that is not here makes its class opaque (S6.2).
var Attributes = map[string]Meaning{
	"Code":             Body,
	"BootstrapMethods": Body,

	"ConstantValue":       Link,
	"Synthetic":           Link,
	"NestHost":            Link,
	"PermittedSubclasses": Link,
	"Module":              Link,
	"ModulePackages":      Link,
	"ModuleMainClass":     Link,
	"ModuleTarget":        Link,
	"ModuleHashes":        Link,
	"ModuleResolution":    Link,

	"Exceptions":                           Reflect,
	"InnerClasses":                         Reflect,
	"EnclosingMethod":                      Reflect,
	"NestMembers":                          Reflect,
	"Signature":                            Reflect,
	"Record":                               Reflect,
	"MethodParameters":                     Reflect,
	"AnnotationDefault":                    Reflect,
	"RuntimeVisibleAnnotations":            Reflect,
	"RuntimeInvisibleAnnotations":          Reflect,
	"RuntimeVisibleParameterAnnotations":   Reflect,
	"RuntimeInvisibleParameterAnnotations": Reflect,
	"RuntimeVisibleTypeAnnotations":        Reflect,
	"RuntimeInvisibleTypeAnnotations":      Reflect,

	"SourceFile":             Debug,
	"SourceDebugExtension":   Debug,
	"LineNumberTable":        Debug,
	"LocalVariableTable":     Debug,
	"LocalVariableTypeTable": Debug,
	"CharacterRangeTable":    Debug,
	"SourceID":               Debug,
	"CompilationID":          Debug,

	"StackMapTable": Derived,
	"StackMap":      Derived,

	"Deprecated":      Compiler,
	"Scala":           Compiler,
	"ScalaSig":        Compiler,
	"ScalaInlineInfo": Compiler,
	"TASTY":           Compiler,
}

// An attribute is what is known about the attributes of one name of a file. A file has few such names and many attributes, so each name is looked
// up once.
type attribute struct {
	use    use
	places classfile.Place // where it has a meaning
}

// A use is where an attribute of some meaning is digested.
type use uint8

const (
	notLooked   use = iota
	unlisted        // on no list
	leftOut         // debug, derived, compiler
	ownPart         // in a body or a part of its own
	declaration     // with the declaration that it belongs to
	synthetic       // as a flag
)

func (u *Unit) attribute(f *form, name uint16) attribute {
	a := f.attributes[name]
	if a.use == notLooked {
		text, _ := u.class.Pool.UTF8(name)
		a = attribute{use: useOf(text), places: classfile.Places(text)}
		f.attributes[name] = a
	}
	return a
}

func useOf(name string) use {
	switch name {
	case "Synthetic":
		return synthetic
	case "InnerClasses", "EnclosingMethod", "NestMembers":
		return ownPart
	}
	switch Attributes[name] {
	case Body, Link:
		return ownPart
	case Reflect:
		return declaration
	case Debug, Derived, Compiler:
		return leftOut
	}
	return unlisted
}
