package mutate

import (
	"fmt"
	"math"
	"strconv"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
)

// load changes the constant that an instruction loads.
func (s *scan) load(in *bytecode.Instruction) {
	p := &s.class.Pool
	old := p.At(uint16(in.Index))
	constants, ok := s.other(uint16(in.Index), math.MinInt32, math.MaxInt32)
	if !ok {
		return
	}
	index, shown := p.Len(), show(p, uint16(in.Index))
	next := showAdded(constants)
	if in.Op == bytecode.Ldc && index > math.MaxUint8 {
		if index, ok = s.neighbour(old.Tag, in.Index); !ok {
			return
		}
		constants, next = nil, show(p, uint16(index))
	}
	changed := *in
	changed.Index = index
	s.patch(in, Constant, fmt.Sprintf("%s %s -> %s", in.Op, shown, next), changed.Append(nil), constants...)
}

// neighbour finds another constant of the same kind and with another value that an ldc can reach: the next one behind it, from the start again after the last.
func (s *scan) neighbour(tag classfile.Tag, index int) (int, bool) {
	p := &s.class.Pool
	last := min(p.Len()-1, math.MaxUint8)
	for n := 1; n < last; n++ {
		i := (index-1+n)%last + 1
		if p.Tag(uint16(i)) == tag && s.differ(uint16(i), uint16(index)) {
			return i, true
		}
	}
	return 0, false
}

// differ tells whether two constants of the same kind have different values.
func (s *scan) differ(i, j uint16) bool {
	p := &s.class.Pool
	a, _ := p.String(i)
	b, _ := p.String(j)
	return a != b || p.At(i).Bits != p.At(j).Bits
}

// other makes a constant of the same kind with another value, an int between two bounds; it gets the next free index of the pool. Not ok: no number and no
// text.
func (s *scan) other(index uint16, least, greatest int32) (constants []classfile.Constant, ok bool) {
	p := &s.class.Pool
	k := p.At(index)
	switch k.Tag {
	case classfile.TagInteger:
		k.Bits = uint64(uint32(otherInt(int32(k.Bits), least, greatest)))
	case classfile.TagLong:
		k.Bits++
	case classfile.TagFloat:
		k.Bits = uint64(math.Float32bits(float32(otherFloat(float64(math.Float32frombits(uint32(k.Bits))), 24))))
	case classfile.TagDouble:
		k.Bits = math.Float64bits(otherFloat(math.Float64frombits(k.Bits), 53))
	case classfile.TagString:
		text, _ := p.String(index)
		return []classfile.Constant{{Tag: classfile.TagString, A: uint16(p.Len() + 1)}, {Tag: classfile.TagUtf8, Text: otherText(text)}}, true
	default:
		return nil, false
	}
	return []classfile.Constant{k}, true
}

func otherInt(v, least, greatest int32) int32 {
	switch {
	case v < least || v >= greatest:
		return greatest - 1
	default:
		return v + 1
	}
}

// otherFloat is 1 more where numbers are close enough for that to be another one, else 0.
func otherFloat(v float64, bits int) float64 {
	if math.Abs(v) < float64(int64(1)<<(bits-1)) {
		return v + 1
	}
	return 0
}

// otherText has one character more. For a long one it is that character alone: code can name a text of 64 KiB thousands of times.
func otherText(text string) string {
	const more, long = "!", 1000
	if len(text) > long {
		return more
	}
	return text + more
}

// show prints the value of a constant.
func show(p *classfile.Pool, index uint16) string {
	k := p.At(index)
	if k.Tag == classfile.TagString {
		text, _ := p.String(index)
		return showText(text)
	}
	return showNumber(k)
}

// showAdded prints the value of what other returned.
func showAdded(constants []classfile.Constant) string {
	if k := constants[0]; k.Tag != classfile.TagString {
		return showNumber(k)
	}
	return showText(constants[1].Text)
}

// showText quotes a text. The end of a long one is what a mutant changes, so the middle is left out.
func showText(text string) string {
	const most = 20
	if len(text) <= 2*most {
		return strconv.Quote(text)
	}
	return strconv.Quote(text[:most]) + "..." + strconv.Quote(text[len(text)-most:])
}

func showNumber(k classfile.Constant) string {
	switch k.Tag {
	case classfile.TagInteger:
		return strconv.Itoa(int(int32(k.Bits)))
	case classfile.TagLong:
		return strconv.FormatInt(int64(k.Bits), 10)
	case classfile.TagFloat:
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(k.Bits))), 'g', -1, 32)
	}
	return strconv.FormatFloat(math.Float64frombits(k.Bits), 'g', -1, 64)
}
