package bytecode_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"

	"winnow/internal/jvm/bytecode"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// printed gives what Decode found out, without zeros.
func printed(in *bytecode.Instruction) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d+%d %s", in.PC, in.Len, in.Op)
	if in.Wide {
		b.WriteString(" wide")
	}
	for _, f := range []struct {
		name  string
		value int
	}{{"index", in.Index}, {"value", in.Value}, {"target", in.Target}, {"low", in.Low}} {
		if f.value != 0 {
			fmt.Fprintf(&b, " %s=%d", f.name, f.value)
		}
	}
	for i := range in.Cases {
		key, target := in.Case(i)
		fmt.Fprintf(&b, " %d:%d", key, target)
	}
	return b.String()
}

// TestDecode has an example of each format, with the largest and the most negative operands.
func TestDecode(t *testing.T) {
	tests := []struct {
		pc         int
		code, want string
	}{
		{0, "00", "0+1 nop"},
		{1, "00 b1", "1+1 return"},
		{0, "10 ff", "0+2 bipush value=-1"},
		{0, "10 7f", "0+2 bipush value=127"},
		{0, "11 8000", "0+3 sipush value=-32768"},
		{0, "12 ff", "0+2 ldc index=255"},
		{0, "13 ffff", "0+3 ldc_w index=65535"},
		{0, "14 0102", "0+3 ldc2_w index=258"},
		{0, "15 ff", "0+2 iload index=255"},
		{0, "84 ff 80", "0+3 iinc index=255 value=-128"},
		{0, "a9 07", "0+2 ret index=7"},
		{2, "00 00 a7 ffff", "2+3 goto target=1"},
		{0, "a8 7fff", "0+3 jsr target=32767"},
		{1, "00 c8 80000000", "1+5 goto_w target=-2147483647"},
		{0, "c9 00000005", "0+5 jsr_w target=5"},
		{0, "b2 0102", "0+3 getstatic index=258"},
		{0, "b9 0102 03 00", "0+5 invokeinterface index=258 value=3"},
		{0, "ba 0102 0000", "0+5 invokedynamic index=258"},
		{0, "bc 0a", "0+2 newarray value=10"},
		{0, "c5 0102 ff", "0+4 multianewarray index=258 value=255"},
		{0, "c4 15 0102", "0+4 iload wide index=258"},
		{0, "c4 a9 0102", "0+4 ret wide index=258"},
		{0, "c4 84 0102 8000", "0+6 iinc wide index=258 value=-32768"},
		{0, "aa 000000 00000001 ffffffff 00000001 00000002 00000003 fffffffc", "0+28 tableswitch target=1 low=-1 -1:2 0:3 1:-4"},
		{3, "000000 aa 00000001 7fffffff 7fffffff 00000002", "3+17 tableswitch target=4 low=2147483647 2147483647:5"},
		{2, "0000 ab ab 00000001 00000002 80000000 00000003 00000005 00000004", "2+26 lookupswitch target=3 -2147483648:5 5:6"},
		{1, "00 ab 0102 00000001 00000000", "1+11 lookupswitch target=2"},
		{0, "aa 000000 00000001 00000001 00000000", "0+16 tableswitch target=1 low=1"},
	}
	for _, test := range tests {
		code := unhex(t, test.code)
		in := bytecode.Instruction{Wide: true, Index: 9, Value: 9, Target: 9, Low: 9} // Decode must leave nothing of an earlier instruction
		if err := in.Decode(code, test.pc); err != nil {
			t.Errorf("%s: %v", test.code, err)
			continue
		}
		if got := printed(&in); got != test.want {
			t.Errorf("%s: %s, want %s", test.code, got, test.want)
		}
		if got := in.Append([]byte("x")); !bytes.Equal(got[1:], code[test.pc:]) || got[0] != 'x' {
			t.Errorf("%s: written as %x", test.code, got[1:])
		}
		for n := test.pc; n < len(code); n++ {
			if err := in.Decode(code[:n], test.pc); err == nil {
				t.Errorf("%s: %d bytes of it give %s", test.code, n, printed(&in))
			}
		}
	}
}

func TestBroken(t *testing.T) {
	tests := []struct {
		pc         int
		code, want string
	}{
		{-1, "00", "code at -1: no instruction"},
		{1, "00", "code at 1: no instruction"},
		{0, "ca", "code at 0: unknown operation code 202"},
		{1, "00 fe", "code at 1: unknown operation code 254"},
		{0, "ff", "code at 0: unknown operation code 255"},
		{1, "00 11 00", "code at 1: sipush is cut off"},
		{0, "b9 0001 01 01", "code at 0: the last byte of invokeinterface is not 0"},
		{0, "ba 0001 0100", "code at 0: the last bytes of invokedynamic are not 0"},
		{0, "ba 0001 0001", "code at 0: the last bytes of invokedynamic are not 0"},
		{0, "c4 00 0001", "code at 0: wide before nop"},
		{0, "c4 c4 0001", "code at 0: wide before wide"},
		{0, "c4 ca 0001", "code at 0: wide before op_202"},
		{0, "c4 84 0001 00", "code at 0: wide iinc is cut off"},
		{0, "aa 000000", "code at 0: tableswitch is cut off"},
		{0, "aa", "code at 0: tableswitch is cut off"},
		{0, "aa 000000 00000000 80000000 7fffffff 00000000", "code at 0: tableswitch with 4294967296 cases is cut off"},
		{0, "aa 000000 00000000 00000002 00000000 00000000", "code at 0: tableswitch with -1 cases is cut off"},
		{0, "ab 000000 00000000 ffffffff", "code at 0: lookupswitch with -1 cases is cut off"},
		{0, "ab 000000 00000000 7fffffff 00000000 00000000", "code at 0: lookupswitch with 2147483647 cases is cut off"},
	}
	for _, test := range tests {
		in := bytecode.Instruction{PC: 5, Len: 7}
		err := in.Decode(unhex(t, test.code), test.pc)
		var bad *bytecode.Error
		if !errors.As(err, &bad) || err.Error() != test.want {
			t.Errorf("%s: %v, want %s", test.code, err, test.want)
		}
		if got := printed(&in); got != "0+0 nop" {
			t.Errorf("%s: an error leaves %s", test.code, got)
		}
	}
}

// TestAppendCopies checks that writing a switch does not write into the code it was read from.
func TestAppendCopies(t *testing.T) {
	code := unhex(t, "aa 000000 00000001 00000000 00000000 00000002 00 00 00 00")
	var in bytecode.Instruction
	if err := in.Decode(code, 0); err != nil {
		t.Fatal(err)
	}
	before := bytes.Clone(code)
	in.Target = 77
	if got, want := in.Append(nil), unhex(t, "aa 000000 0000004d 00000000 00000000 00000002"); !bytes.Equal(got, want) {
		t.Errorf("written as %x, want %x", got, want)
	}
	if !bytes.Equal(code, before) {
		t.Errorf("the code is now %x", code)
	}
}

func TestOps(t *testing.T) {
	var ends, returns []string
	for i := range 256 {
		op := bytecode.Op(i)
		if op.Known() != (i <= 201) {
			t.Errorf("%s: Known is %v", op, op.Known())
		}
		if op.Known() == strings.HasPrefix(op.String(), "op_") {
			t.Errorf("operation %d is called %s", i, op)
		}
		if op.Ends() {
			ends = append(ends, op.String())
		}
		if op.IsReturn() {
			returns = append(returns, op.String())
		}
	}
	if got, want := strings.Join(returns, " "), "ireturn lreturn freturn dreturn areturn return"; got != want {
		t.Errorf("return: %s, want %s", got, want)
	}
	if got, want := strings.Join(ends, " "), "goto ret tableswitch lookupswitch ireturn lreturn freturn dreturn areturn return athrow goto_w"; got != want {
		t.Errorf("end: %s, want %s", got, want)
	}
}

func FuzzInstruction(f *testing.F) {
	for _, seed := range []string{"00", "10 ff", "b9 0102 03 00", "ba 0102 0000", "c4 15 0102", "c4 84 0102 8000", "c5 0102 ff", "c8 80000000",
		"aa 000000 00000001 ffffffff 00000001 00000002 00000003 fffffffc", "00 ab ab01 00000001 00000002 80000000 00000003 00000005 00000004"} {
		f.Add(unhex(f, seed), 0)
		f.Add(unhex(f, "000000"+seed), 3)
	}
	f.Fuzz(func(t *testing.T, code []byte, pc int) {
		var in bytecode.Instruction
		if err := in.Decode(code, pc); err != nil {
			var bad *bytecode.Error
			if !errors.As(err, &bad) || bad.PC != pc || bad.Problem == "" {
				t.Errorf("error %#v", err)
			}
			if got := printed(&in); got != "0+0 nop" {
				t.Errorf("an error leaves %s", got)
			}
			return
		}
		if in.PC != pc || in.Len < 1 || in.Len > len(code)-pc {
			t.Fatalf("%s in %d bytes at %d", printed(&in), len(code), pc)
		}
		for i := range in.Cases {
			in.Case(i)
		}
		if got := in.Append(nil); !bytes.Equal(got, code[pc:pc+in.Len]) {
			t.Errorf("%s is written as %x, want %x", printed(&in), got, code[pc:pc+in.Len])
		}
	})
}
