package classfile

// ModuleDescriptor is the content of the Module attribute (JVMS 4.7.25).
type ModuleDescriptor struct {
	Name     uint16 // Module constant
	Access   Flags
	Version  uint16 // Utf8 constant or 0
	Requires []ModuleRequires
	Exports  []ModuleOpening
	Opens    []ModuleOpening
	Uses     []uint16 // Class constants
	Provides []ModuleProvides
}

// ModuleRequires is a dependence on another module.
type ModuleRequires struct {
	Module  uint16 // Module constant
	Access  Flags
	Version uint16 // Utf8 constant or 0
}

// A ModuleOpening is an exported or opened package; without To it is for everyone.
type ModuleOpening struct {
	Package uint16 // Package constant
	Access  Flags
	To      []uint16 // Module constants
}

// ModuleProvides are the implementations of a service.
type ModuleProvides struct {
	Service uint16   // Class constant
	With    []uint16 // Class constants
}

func decodeModule(r *reader, _ *Pool) Value {
	m := &ModuleDescriptor{Name: r.u2(), Access: Flags(r.u2()), Version: r.u2()}
	m.Requires = make([]ModuleRequires, r.table(int(r.u2()), 6))
	for i := range m.Requires {
		m.Requires[i] = ModuleRequires{Module: r.u2(), Access: Flags(r.u2()), Version: r.u2()}
	}
	m.Exports = decodeOpenings(r)
	m.Opens = decodeOpenings(r)
	m.Uses = r.u2s()
	m.Provides = make([]ModuleProvides, r.table(int(r.u2()), 4))
	for i := range m.Provides {
		m.Provides[i] = ModuleProvides{Service: r.u2(), With: r.u2s()}
	}
	return m
}

func decodeOpenings(r *reader) []ModuleOpening {
	out := make([]ModuleOpening, r.table(int(r.u2()), 6))
	for i := range out {
		out[i] = ModuleOpening{Package: r.u2(), Access: Flags(r.u2()), To: r.u2s()}
	}
	return out
}

// Append writes the content.
func (m *ModuleDescriptor) Append(dst []byte) []byte {
	dst = put2(put2(put2(dst, m.Name), uint16(m.Access)), m.Version)
	dst = put2(dst, uint16(len(m.Requires)))
	for _, q := range m.Requires {
		dst = put2(put2(put2(dst, q.Module), uint16(q.Access)), q.Version)
	}
	dst = appendOpenings(dst, m.Exports)
	dst = appendOpenings(dst, m.Opens)
	dst = put2s(dst, m.Uses)
	dst = put2(dst, uint16(len(m.Provides)))
	for _, s := range m.Provides {
		dst = put2s(put2(dst, s.Service), s.With)
	}
	return dst
}

func appendOpenings(dst []byte, openings []ModuleOpening) []byte {
	dst = put2(dst, uint16(len(openings)))
	for _, o := range openings {
		dst = put2s(put2(put2(dst, o.Package), uint16(o.Access)), o.To)
	}
	return dst
}

// ModulePackages are the packages of a module (JVMS 4.7.26).
type ModulePackages struct{ Packages []uint16 } // Package constants

func decodeModulePackages(r *reader, _ *Pool) Value { return &ModulePackages{Packages: r.u2s()} }

// Append writes the content.
func (v *ModulePackages) Append(dst []byte) []byte { return put2s(dst, v.Packages) }

// ModuleMainClass is the class to start a module with (JVMS 4.7.27).
type ModuleMainClass struct{ Class uint16 } // Class constant

func decodeModuleMainClass(r *reader, _ *Pool) Value { return &ModuleMainClass{Class: r.u2()} }

// Append writes the content.
func (v *ModuleMainClass) Append(dst []byte) []byte { return put2(dst, v.Class) }

// ModuleTarget is the platform that a module of the JDK was made for.
type ModuleTarget struct{ Platform uint16 } // Utf8 constant

func decodeModuleTarget(r *reader, _ *Pool) Value { return &ModuleTarget{Platform: r.u2()} }

// Append writes the content.
func (v *ModuleTarget) Append(dst []byte) []byte { return put2(dst, v.Platform) }

// ModuleHashes are the contents of the modules that a module of the JDK belongs together with.
type ModuleHashes struct {
	Algorithm uint16 // Utf8 constant
	Modules   []ModuleHash
}

// A ModuleHash is the hash of one module.
type ModuleHash struct {
	Module uint16 // Module constant
	Hash   []byte
}

func decodeModuleHashes(r *reader, _ *Pool) Value {
	v := &ModuleHashes{Algorithm: r.u2()}
	v.Modules = make([]ModuleHash, r.table(int(r.u2()), 4))
	for i := range v.Modules {
		v.Modules[i] = ModuleHash{Module: r.u2(), Hash: r.bytes(int(r.u2()))}
	}
	return v
}

// Append writes the content.
func (v *ModuleHashes) Append(dst []byte) []byte {
	dst = put2(put2(dst, v.Algorithm), uint16(len(v.Modules)))
	for _, m := range v.Modules {
		dst = append(put2(put2(dst, m.Module), uint16(len(m.Hash))), m.Hash...)
	}
	return dst
}

// ModuleResolution says how the JDK resolves a module.
type ModuleResolution struct{ Access uint16 }

func decodeModuleResolution(r *reader, _ *Pool) Value { return &ModuleResolution{Access: r.u2()} }

// Append writes the content.
func (v *ModuleResolution) Append(dst []byte) []byte { return put2(dst, v.Access) }
