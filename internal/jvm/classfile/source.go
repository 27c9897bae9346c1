package classfile

// SourceFile names the source of the class (JVMS 4.7.10).
type SourceFile struct{ Name uint16 } // Utf8 constant

func decodeSourceFile(r *reader, _ *Pool) Value { return &SourceFile{Name: r.u2()} }

// Append writes the content.
func (v *SourceFile) Append(dst []byte) []byte { return put2(dst, v.Name) }

// SourceDebugExtension is text for debuggers (JVMS 4.7.11).
type SourceDebugExtension struct{ Text []byte }

func decodeSourceDebugExtension(r *reader, _ *Pool) Value {
	return &SourceDebugExtension{Text: r.bytes(r.left())}
}

// Append writes the content.
func (v *SourceDebugExtension) Append(dst []byte) []byte { return append(dst, v.Text...) }

// LineNumberTable maps code to lines of the source (JVMS 4.7.12).
type LineNumberTable struct{ Lines []Line }

// A Line says where the code of a line starts.
type Line struct{ Start, Number uint16 }

func decodeLineNumberTable(r *reader, _ *Pool) Value {
	b := r.rows(int(r.u2()), 4)
	v := r.slabs.lineTables.one()
	v.Lines = r.slabs.lines.take(len(b) / 4)
	for i := range v.Lines {
		d := b[4*i : 4*i+4]
		v.Lines[i] = Line{Start: be2(d), Number: be2(d[2:])}
	}
	return v
}

// Append writes the content.
func (v *LineNumberTable) Append(dst []byte) []byte {
	dst = put2(dst, uint16(len(v.Lines)))
	for _, l := range v.Lines {
		dst = put2(put2(dst, l.Start), l.Number)
	}
	return dst
}

// LocalVariableTable names local variables (JVMS 4.7.13).
type LocalVariableTable struct{ Variables []LocalVariable }

// LocalVariableTypeTable gives the generic types of local variables (JVMS 4.7.14).
type LocalVariableTypeTable struct{ Variables []LocalVariable }

// A LocalVariable is the name and type of a local during a range of code.
type LocalVariable struct {
	Start, Length uint16
	Name, Type    uint16 // Utf8 constants; Type is a descriptor or a signature
	Index         uint16
}

func decodeLocalVariableTable(r *reader, _ *Pool) Value {
	v := r.slabs.varTables.one()
	v.Variables = decodeVariables(r)
	return v
}

func decodeLocalVariableTypeTable(r *reader, _ *Pool) Value {
	return &LocalVariableTypeTable{Variables: decodeVariables(r)}
}

func decodeVariables(r *reader) []LocalVariable {
	b := r.rows(int(r.u2()), 10)
	out := r.slabs.variables.take(len(b) / 10)
	for i := range out {
		d := b[10*i : 10*i+10]
		out[i] = LocalVariable{Start: be2(d), Length: be2(d[2:]), Name: be2(d[4:]), Type: be2(d[6:]), Index: be2(d[8:])}
	}
	return out
}

// Append writes the content.
func (v *LocalVariableTable) Append(dst []byte) []byte { return appendVariables(dst, v.Variables) }

// Append writes the content.
func (v *LocalVariableTypeTable) Append(dst []byte) []byte {
	return appendVariables(dst, v.Variables)
}

func appendVariables(dst []byte, variables []LocalVariable) []byte {
	dst = put2(dst, uint16(len(variables)))
	for _, v := range variables {
		dst = put2(put2(put2(put2(put2(dst, v.Start), v.Length), v.Name), v.Type), v.Index)
	}
	return dst
}

// CharacterRangeTable maps code to ranges of the source; javac writes it with -Xjcov.
type CharacterRangeTable struct{ Ranges []CharacterRange }

// A CharacterRange says which piece of source a range of code comes from.
type CharacterRange struct {
	Start, End           uint16
	RangeStart, RangeEnd uint32
	Flags                uint16
}

func decodeCharacterRangeTable(r *reader, _ *Pool) Value {
	v := &CharacterRangeTable{Ranges: make([]CharacterRange, r.table(int(r.u2()), 14))}
	for i := range v.Ranges {
		v.Ranges[i] = CharacterRange{Start: r.u2(), End: r.u2(), RangeStart: r.u4(), RangeEnd: r.u4(), Flags: r.u2()}
	}
	return v
}

// Append writes the content.
func (v *CharacterRangeTable) Append(dst []byte) []byte {
	dst = put2(dst, uint16(len(v.Ranges)))
	for _, c := range v.Ranges {
		dst = put2(put4(put4(put2(put2(dst, c.Start), c.End), c.RangeStart), c.RangeEnd), c.Flags)
	}
	return dst
}

// CompilationID tells when the class was compiled; javac writes it with -Xjcov.
type CompilationID struct{ Text uint16 } // Utf8 constant

func decodeCompilationID(r *reader, _ *Pool) Value { return &CompilationID{Text: r.u2()} }

// Append writes the content.
func (v *CompilationID) Append(dst []byte) []byte { return put2(dst, v.Text) }

// SourceID tells when the source was changed; javac writes it with -Xjcov.
type SourceID struct{ Text uint16 } // Utf8 constant

func decodeSourceID(r *reader, _ *Pool) Value { return &SourceID{Text: r.u2()} }

// Append writes the content.
func (v *SourceID) Append(dst []byte) []byte { return put2(dst, v.Text) }
