package classfile_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/classpath"
	"winnow/internal/jvm/jvmtest"
)

// TestJavap compares with the JDK's own reader: the names of all attributes, and the numbers of the tables of code.
func TestJavap(t *testing.T) {
	jdk := jvmtest.JDK(t, 25)
	classes := map[string][]byte{}
	for name, data := range everyClass(t) {
		classes["every/"+name] = data
	}
	for i, s := range jdkClasses(t, 25) {
		if i%400 == 0 || strings.HasPrefix(s.name, "java.base/module-info") {
			classes["jdk/"+strings.TrimSuffix(s.name, ".class")] = s.data
		}
	}
	classes["ops/Ops"] = everyOp(t)
	ops := judge(t, jdk, classes)
	for op := range 256 {
		if o := bytecode.Op(op); o.Known() && !ops[o] {
			t.Errorf("%s is in none of the %d classes", o, len(classes))
		}
	}
}

// everyOp is a class whose one method has each operation once, those with local variables also after wide. It makes no sense to a verifier.
func everyOp(t *testing.T) []byte {
	t.Helper()
	c := &classfile.Class{Major: 60, Access: classfile.Super, This: 2, Super: 2}
	for i, k := range []classfile.Constant{{Tag: classfile.TagUtf8, Text: "Ops"}, {Tag: classfile.TagClass, A: 1}, {Tag: classfile.TagUtf8, Text: "m"},
		{Tag: classfile.TagUtf8, Text: "()V"}, {Tag: classfile.TagUtf8, Text: "Code"}, {Tag: classfile.TagNameAndType, A: 3, B: 4},
		{Tag: classfile.TagUtf8, Text: "I"}, {Tag: classfile.TagNameAndType, A: 3, B: 7}, {Tag: classfile.TagFieldref, A: 2, B: 8},
		{Tag: classfile.TagMethodref, A: 2, B: 6}, {Tag: classfile.TagInterfaceMethodref, A: 2, B: 6}, {Tag: classfile.TagInvokeDynamic, A: 0, B: 6},
		{Tag: classfile.TagInteger}, {Tag: classfile.TagMethodHandle, A: 6, B: 10}, {Tag: classfile.TagUtf8, Text: "BootstrapMethods"}, {Tag: classfile.TagLong}} {
		if got, err := c.Pool.Add(k); err != nil || int(got) != i+1 {
			t.Fatalf("constant %d: %d, %v", i+1, got, err)
		}
	}
	c.Methods = []classfile.Member{{Access: classfile.Static, Name: 3, Descriptor: 4, Attributes: []classfile.Attribute{{Name: 5}}}}
	c.Methods[0].Attributes[0].Set(&classfile.Code{MaxStack: 9, MaxLocals: 9, Bytes: everyInstruction()})
	c.Attributes = []classfile.Attribute{{Name: 15}}
	c.Attributes[0].Set(&classfile.BootstrapMethods{Methods: []classfile.BootstrapMethod{{Handle: 14}}})
	return c.Append(nil)
}

func everyInstruction() (code []byte) {
	constants := map[bytecode.Op]int{bytecode.Ldc2W: 16, bytecode.Getstatic: 9, bytecode.Putstatic: 9, bytecode.Getfield: 9, bytecode.Putfield: 9,
		bytecode.Invokevirtual: 10, bytecode.Invokespecial: 10, bytecode.Invokestatic: 10, bytecode.Invokeinterface: 11, bytecode.Invokedynamic: 12,
		bytecode.New: 2, bytecode.Anewarray: 2, bytecode.Checkcast: 2, bytecode.Instanceof: 2, bytecode.Multianewarray: 2, bytecode.Ldc: 13, bytecode.LdcW: 13}
	for i := range 256 {
		op := bytecode.Op(i)
		in := bytecode.Instruction{PC: len(code), Op: op, Index: constants[op], Target: len(code), Value: 1}
		switch op.Format() {
		case bytecode.Local, bytecode.Increment:
			in.Index = 300
			in.Wide = true
			code = in.Append(code)
			in.Index, in.Wide = 3, false
		case bytecode.ArrayType:
			in.Value = 10 // int
		case bytecode.Prefix:
			continue
		case bytecode.TableSwitch, bytecode.LookupSwitch:
			code = append(code, byte(op))
			code = append(code, make([]byte, (4-len(code)%4)%4+8)...)
			if op == bytecode.Tableswitch {
				code = append(code, make([]byte, 8)...) // from 0 to 0: one case
			}
			continue
		}
		if op.Known() {
			code = in.Append(code)
		}
	}
	return code
}

// TestJavapOld does the same for a jar of 1998, whose code has subroutines.
func TestJavapOld(t *testing.T) {
	src, err := classpath.Open(jvmtest.Jar(t, "junit-3.8"))
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	samples, err := readSource(src)
	if err != nil {
		t.Fatal(err)
	}
	classes := map[string][]byte{}
	for _, s := range samples {
		classes["old"+strings.TrimSuffix(s.name, ".class")] = s.data
	}
	ops := judge(t, jvmtest.JDK(t, 25), classes)
	if len(classes) < 50 || !ops[bytecode.Jsr] || !ops[bytecode.Ret] {
		t.Errorf("%d classes, jsr %v, ret %v", len(classes), ops[bytecode.Jsr], ops[bytecode.Ret])
	}
}

// judge compares facts about classes and returns the operations that occurred.
func judge(t *testing.T, jdk string, classes map[string][]byte) map[bytecode.Op]bool {
	t.Helper()
	dir := t.TempDir()
	jvmtest.WriteClasses(t, dir, classes)
	said := javap(t, jdk, dir, classes)
	ops := map[bytecode.Op]bool{}
	for name, data := range classes {
		ours := facts(t, name, data, ops)
		theirs := parseJavap(said[name])
		slices.Sort(ours)
		slices.Sort(theirs)
		if slices.Equal(ours, theirs) {
			continue
		}
		t.Errorf("%s: only we say %q, only javap says %q", name, without(ours, theirs), without(theirs, ours))
	}
	return ops
}

// without returns elements of a that are not in b, up to ten. An element that b has less often is not noticed.
func without(a, b []string) (out []string) {
	for _, s := range a {
		if _, found := slices.BinarySearch(b, s); !found && len(out) < 10 {
			out = append(out, s)
		}
	}
	return out
}

// javap returns its words by class.
func javap(t *testing.T, jdk, dir string, classes map[string][]byte) map[string]string {
	t.Helper()
	args := []string{"-J-XX:+UseSerialGC", "-J-XX:TieredStopAtLevel=1", "-v", "-p"}
	for name := range classes {
		args = append(args, filepath.FromSlash(name)+".class")
	}
	cmd := jvmtest.Command(jdk, "javap", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("javap: %v\n%s", err, out)
	}
	said := map[string]string{}
	starts := classLine.FindAllSubmatchIndex(out, -1)
	for i, s := range starts {
		end := len(out)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		for name := range classes {
			if strings.HasSuffix(string(out[s[2]:s[3]]), filepath.FromSlash("/"+name)) {
				said[name] = string(out[s[1]:end])
			}
		}
	}
	for name := range classes {
		if said[name] == "" {
			t.Fatalf("javap is silent about %s", name)
		}
	}
	return said
}

var (
	classLine   = regexp.MustCompile(`Classfile (.*)\.class\n`) // not always at the start of a line
	headLine    = regexp.MustCompile(`^ *([A-Z][A-Za-z]+):`)
	opLine      = regexp.MustCompile(`^ +(\d+): ([a-z][a-z0-9_]*)`)
	sourceLine  = regexp.MustCompile(`^ +line (\d+): (\d+)$`)
	rowLine     = regexp.MustCompile(`^ +(\d+) +(\d+) +(\d+) +\S`)
	frameLine   = regexp.MustCompile(`^ +frame_type = (\d+)`)
	deltaLine   = regexp.MustCompile(`^ +offset_delta = (\d+)`)
	handlerLine = regexp.MustCompile(`^ +Exception table:`)
)

// parseJavap finds facts in what javap says about one class.
func parseJavap(text string) (out []string) {
	known := classfile.Known()
	row := ""
	for line := range strings.SplitSeq(text, "\n") {
		if m := headLine.FindStringSubmatch(line); m != nil && known[m[1]] != 0 {
			out = append(out, m[1])
			row = m[1]
		} else if handlerLine.MatchString(line) {
			row = "handler"
		} else if m := opLine.FindStringSubmatch(line); m != nil {
			out = append(out, m[1]+": "+m[2])
		} else if m := sourceLine.FindStringSubmatch(line); m != nil {
			out = append(out, "line "+m[2]+" "+m[1])
		} else if m := rowLine.FindStringSubmatch(line); m != nil && (row == "handler" || strings.HasPrefix(row, "LocalVariable")) {
			out = append(out, fmt.Sprintf("%s %s %s %s", row, m[1], m[2], m[3]))
		} else if m := frameLine.FindStringSubmatch(line); m != nil {
			out = append(out, "frame "+m[1])
		} else if m := deltaLine.FindStringSubmatch(line); m != nil {
			out = append(out, "delta "+m[1])
		}
	}
	return out
}

// facts gives the facts that parseJavap finds, from our own reading.
func facts(t *testing.T, name string, data []byte, ops map[bytecode.Op]bool) (out []string) {
	t.Helper()
	c, err := classfile.Decode(data)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	eachAttribute(c, func(_ classfile.Place, name string, v classfile.Value) {
		if _, unknown := v.(classfile.Unknown); !unknown && name != "CompilationID" && name != "SourceID" { // which javap does not print
			out = append(out, name)
		}
		switch v := v.(type) {
		case *classfile.Code:
			out = append(out, codeFacts(t, v, ops)...)
		case *classfile.LineNumberTable:
			for _, l := range v.Lines {
				out = append(out, fmt.Sprintf("line %d %d", l.Start, l.Number))
			}
		case *classfile.LocalVariableTable:
			out = append(out, variableFacts(name, v.Variables)...)
		case *classfile.LocalVariableTypeTable:
			out = append(out, variableFacts(name, v.Variables)...)
		case *classfile.StackMapTable:
			for _, f := range v.Frames {
				out = append(out, fmt.Sprintf("frame %d", f.Kind))
				if f.Kind >= classfile.SameLocals1Extended {
					out = append(out, fmt.Sprintf("delta %d", f.Delta))
				}
			}
		}
	})
	return out
}

func variableFacts(table string, variables []classfile.LocalVariable) (out []string) {
	for _, v := range variables {
		out = append(out, fmt.Sprintf("%s %d %d %d", table, v.Start, v.Length, v.Index))
	}
	return out
}

func codeFacts(t *testing.T, code *classfile.Code, ops map[bytecode.Op]bool) (out []string) {
	t.Helper()
	for _, e := range code.Exceptions {
		out = append(out, fmt.Sprintf("handler %d %d %d", e.Start, e.End, e.Handler))
	}
	var in bytecode.Instruction
	for pc := 0; pc < len(code.Bytes); pc += in.Len {
		if err := in.Decode(code.Bytes, pc); err != nil {
			t.Fatal(err)
		}
		word := in.Op.String()
		if in.Wide {
			word += "_w"
			ops[bytecode.Wide] = true
		}
		ops[in.Op] = true
		out = append(out, fmt.Sprintf("%d: %s", pc, word))
	}
	return out
}
