package classfile

// SyntheticMark says that the compiler made the element (JVMS 4.7.8).
type SyntheticMark struct{}

func decodeSynthetic(*reader, *Pool) Value { return SyntheticMark{} }

// Append writes nothing: the attribute has no content.
func (SyntheticMark) Append(dst []byte) []byte { return dst }

// DeprecatedMark says that the element is deprecated (JVMS 4.7.15).
type DeprecatedMark struct{}

func decodeDeprecated(*reader, *Pool) Value { return DeprecatedMark{} }

// Append writes nothing: the attribute has no content.
func (DeprecatedMark) Append(dst []byte) []byte { return dst }
