package classfile

// A Place is where an attribute stands. An attribute has a meaning only in its places (JVMS 4.7, table 4.7-C).
type Place uint8

// The places, as a set.
const (
	InClass Place = 1 << iota
	InField
	InMethod
	InCode
	InRecord // a component of a Record attribute
)

// An Attribute is a named piece of data (JVMS 4.7).
type Attribute struct {
	Name   uint16 // Utf8 constant
	Offset int    // of Info in the file, for errors
	Info   []byte // the contents as read; not used for writing once the attribute was decoded
	value  Value
}

// A Value is the decoded content of an attribute.
type Value interface {
	// Append writes the content, without name and length.
	Append(dst []byte) []byte
}

// Unknown is the content of an attribute that has no meaning to this package where it stands.
type Unknown []byte

// Append writes the bytes as they were read.
func (u Unknown) Append(dst []byte) []byte { return append(dst, u...) }

// A kind is what is known about the attributes of one name.
type kind struct {
	places Place
	decode func(r *reader, p *Pool) Value
}

// everywhere is where the attributes stand that have a meaning wherever a name is declared.
const everywhere = InClass | InField | InMethod | InRecord

// kinds lists the attributes that this package knows: those of the specification, then those that only the JDK's own tools write.
var kinds = map[string]kind{
	"ConstantValue":                        {InField, decodeConstantValue},
	"Code":                                 {InMethod, decodeCode},
	"StackMapTable":                        {InCode, decodeStackMapTable},
	"Exceptions":                           {InMethod, decodeExceptions},
	"InnerClasses":                         {InClass, decodeInnerClasses},
	"EnclosingMethod":                      {InClass, decodeEnclosingMethod},
	"Synthetic":                            {InClass | InField | InMethod, decodeSynthetic},
	"Signature":                            {everywhere, decodeSignature},
	"SourceFile":                           {InClass, decodeSourceFile},
	"SourceDebugExtension":                 {InClass, decodeSourceDebugExtension},
	"LineNumberTable":                      {InCode, decodeLineNumberTable},
	"LocalVariableTable":                   {InCode, decodeLocalVariableTable},
	"LocalVariableTypeTable":               {InCode, decodeLocalVariableTypeTable},
	"Deprecated":                           {InClass | InField | InMethod, decodeDeprecated},
	"RuntimeVisibleAnnotations":            {everywhere, decodeAnnotations},
	"RuntimeInvisibleAnnotations":          {everywhere, decodeAnnotations},
	"RuntimeVisibleParameterAnnotations":   {InMethod, decodeParameterAnnotations},
	"RuntimeInvisibleParameterAnnotations": {InMethod, decodeParameterAnnotations},
	"RuntimeVisibleTypeAnnotations":        {everywhere | InCode, decodeTypeAnnotations},
	"RuntimeInvisibleTypeAnnotations":      {everywhere | InCode, decodeTypeAnnotations},
	"AnnotationDefault":                    {InMethod, decodeAnnotationDefault},
	"BootstrapMethods":                     {InClass, decodeBootstrapMethods},
	"MethodParameters":                     {InMethod, decodeMethodParameters},
	"Module":                               {InClass, decodeModule},
	"ModulePackages":                       {InClass, decodeModulePackages},
	"ModuleMainClass":                      {InClass, decodeModuleMainClass},
	"NestHost":                             {InClass, decodeNestHost},
	"NestMembers":                          {InClass, decodeNestMembers},
	"Record":                               {InClass, decodeRecord},
	"PermittedSubclasses":                  {InClass, decodePermittedSubclasses},

	"ModuleTarget":        {InClass, decodeModuleTarget},
	"ModuleHashes":        {InClass, decodeModuleHashes},
	"ModuleResolution":    {InClass, decodeModuleResolution},
	"CharacterRangeTable": {InCode, decodeCharacterRangeTable},
	"CompilationID":       {InClass, decodeCompilationID},
	"SourceID":            {InClass, decodeSourceID},
}

// codeKind is the kind of Code.
var codeKind = kinds["Code"]

// Known lists the names of the attributes that this package decodes, with their places.
func Known() map[string]Place {
	out := make(map[string]Place, len(kinds))
	for name, k := range kinds {
		out[name] = k.places
	}
	return out
}

// Value returns the decoded content. The content is decoded once. The pool is that of the class, the place where the attribute stands in it.
func (a *Attribute) Value(p *Pool, place Place) (Value, error) {
	if a.value != nil {
		return a.value, nil
	}
	name, ok := p.UTF8(a.Name)
	k := codeKind // by far the most frequent one that is asked for
	if name != "Code" {
		k = kinds[name]
	}
	if !ok || k.places&place == 0 {
		a.value = Unknown(a.Info)
		return a.value, nil
	}
	r := p.scratch()
	r.reset(a.Info, a.Offset, name)
	v := k.decode(r, p)
	r.end()
	if r.err != nil {
		if r.err.Structure == name {
			r.err.Structure += "_attribute"
		}
		return nil, r.err
	}
	a.value = v
	return v, nil
}

// ValueOf finds an attribute by name and decodes it; the zero value if there is none, or if it has no meaning where it stands.
func ValueOf[V Value](c *Class, attributes []Attribute, name string, place Place) (V, error) {
	var none V
	a := c.Find(attributes, name)
	if a == nil {
		return none, nil
	}
	v, err := a.Value(&c.Pool, place)
	if err != nil {
		return none, err
	}
	out, _ := v.(V)
	return out, nil
}

// Set replaces the content; nil brings back what was read.
func (a *Attribute) Set(v Value) { a.value = v }

// decodeAll decodes attributes and what is inside them.
func decodeAll(attributes []Attribute, p *Pool, place Place) error {
	for i := range attributes {
		v, err := attributes[i].Value(p, place)
		if err != nil {
			return err
		}
		switch v := v.(type) {
		case *Code:
			err = decodeAll(v.Attributes, p, InCode)
		case *Record:
			for j := range v.Components {
				if err = decodeAll(v.Components[j].Attributes, p, InRecord); err != nil {
					return err
				}
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func appendAttributes(dst []byte, attributes []Attribute) []byte {
	dst = put2(dst, uint16(len(attributes)))
	for i := range attributes {
		a := &attributes[i]
		dst = put2(dst, a.Name)
		if a.value == nil {
			dst = put4(dst, uint32(len(a.Info)))
			dst = append(dst, a.Info...)
			continue
		}
		at := len(dst)
		dst = a.value.Append(put4(dst, 0))
		put4(dst[:at], uint32(len(dst)-at-4))
	}
	return dst
}

// Places tells where the attribute of a name has a meaning; 0 if the name is not known.
func Places(name string) Place { return kinds[name].places }
