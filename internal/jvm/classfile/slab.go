package classfile

// A slab hands out small slices of one type cut from larger ones: a class has thousands of small tables, and one allocation for each would take most
// of the time. What one class has handed out stays in memory as long as any of it is used.
type slab[T any] struct {
	free []T
	size int // of the piece that free was cut from
}

// maxSlab bounds what a slab allocates ahead.
const maxSlab = 256

// take returns n zero elements, nil for none. Appending to them copies them. The first piece has exactly the size that was asked for; each
// further one is twice the one before.
func (s *slab[T]) take(n int) []T {
	if n == 0 {
		return nil
	}
	if n > len(s.free) {
		s.size = max(n, min(2*s.size, maxSlab))
		s.free = make([]T, s.size)
	}
	out := s.free[:n:n]
	s.free = s.free[n:]
	return out
}

// one returns a zero element.
func (s *slab[T]) one() *T { return &s.take(1)[0] }

// slabs are the slabs of a reader, for what is frequent in class files.
type slabs struct {
	attributes slab[Attribute]
	codes      slab[Code]
	exceptions slab[Exception]
	maps       slab[StackMapTable]
	frames     slab[Frame]
	types      slab[VerificationType]
	lineTables slab[LineNumberTable]
	lines      slab[Line]
	varTables  slab[LocalVariableTable]
	variables  slab[LocalVariable]
	signatures slab[Signature]
	numbers    slab[uint16]
	uses       slab[AnnotationUse]
	pairs      slab[ElementPair]
	values     slab[ElementValue]
}
