package bytecode

// An Op is an operation code (JVMS 6.5).
type Op uint8

// The operation codes, in their order.
const (
	Nop Op = iota
	AconstNull
	IconstM1
	Iconst0
	Iconst1
	Iconst2
	Iconst3
	Iconst4
	Iconst5
	Lconst0
	Lconst1
	Fconst0
	Fconst1
	Fconst2
	Dconst0
	Dconst1
	Bipush
	Sipush
	Ldc
	LdcW
	Ldc2W
	Iload
	Lload
	Fload
	Dload
	Aload
	Iload0
	Iload1
	Iload2
	Iload3
	Lload0
	Lload1
	Lload2
	Lload3
	Fload0
	Fload1
	Fload2
	Fload3
	Dload0
	Dload1
	Dload2
	Dload3
	Aload0
	Aload1
	Aload2
	Aload3
	Iaload
	Laload
	Faload
	Daload
	Aaload
	Baload
	Caload
	Saload
	Istore
	Lstore
	Fstore
	Dstore
	Astore
	Istore0
	Istore1
	Istore2
	Istore3
	Lstore0
	Lstore1
	Lstore2
	Lstore3
	Fstore0
	Fstore1
	Fstore2
	Fstore3
	Dstore0
	Dstore1
	Dstore2
	Dstore3
	Astore0
	Astore1
	Astore2
	Astore3
	Iastore
	Lastore
	Fastore
	Dastore
	Aastore
	Bastore
	Castore
	Sastore
	Pop
	Pop2
	Dup
	DupX1
	DupX2
	Dup2
	Dup2X1
	Dup2X2
	Swap
	Iadd
	Ladd
	Fadd
	Dadd
	Isub
	Lsub
	Fsub
	Dsub
	Imul
	Lmul
	Fmul
	Dmul
	Idiv
	Ldiv
	Fdiv
	Ddiv
	Irem
	Lrem
	Frem
	Drem
	Ineg
	Lneg
	Fneg
	Dneg
	Ishl
	Lshl
	Ishr
	Lshr
	Iushr
	Lushr
	Iand
	Land
	Ior
	Lor
	Ixor
	Lxor
	Iinc
	I2l
	I2f
	I2d
	L2i
	L2f
	L2d
	F2i
	F2l
	F2d
	D2i
	D2l
	D2f
	I2b
	I2c
	I2s
	Lcmp
	Fcmpl
	Fcmpg
	Dcmpl
	Dcmpg
	Ifeq
	Ifne
	Iflt
	Ifge
	Ifgt
	Ifle
	IfIcmpeq
	IfIcmpne
	IfIcmplt
	IfIcmpge
	IfIcmpgt
	IfIcmple
	IfAcmpeq
	IfAcmpne
	Goto
	Jsr
	Ret
	Tableswitch
	Lookupswitch
	Ireturn
	Lreturn
	Freturn
	Dreturn
	Areturn
	Return
	Getstatic
	Putstatic
	Getfield
	Putfield
	Invokevirtual
	Invokespecial
	Invokestatic
	Invokeinterface
	Invokedynamic
	New
	Newarray
	Anewarray
	Arraylength
	Athrow
	Checkcast
	Instanceof
	Monitorenter
	Monitorexit
	Wide
	Multianewarray
	Ifnull
	Ifnonnull
	GotoW
	JsrW
)

// ops gives each operation code its mnemonic and the format of its operands.
var ops = [256]struct {
	name   string
	format Format
}{
	Nop:             {"nop", None},
	AconstNull:      {"aconst_null", None},
	IconstM1:        {"iconst_m1", None},
	Iconst0:         {"iconst_0", None},
	Iconst1:         {"iconst_1", None},
	Iconst2:         {"iconst_2", None},
	Iconst3:         {"iconst_3", None},
	Iconst4:         {"iconst_4", None},
	Iconst5:         {"iconst_5", None},
	Lconst0:         {"lconst_0", None},
	Lconst1:         {"lconst_1", None},
	Fconst0:         {"fconst_0", None},
	Fconst1:         {"fconst_1", None},
	Fconst2:         {"fconst_2", None},
	Dconst0:         {"dconst_0", None},
	Dconst1:         {"dconst_1", None},
	Bipush:          {"bipush", Byte},
	Sipush:          {"sipush", Short},
	Ldc:             {"ldc", Pool1},
	LdcW:            {"ldc_w", Pool2},
	Ldc2W:           {"ldc2_w", Pool2},
	Iload:           {"iload", Local},
	Lload:           {"lload", Local},
	Fload:           {"fload", Local},
	Dload:           {"dload", Local},
	Aload:           {"aload", Local},
	Iload0:          {"iload_0", None},
	Iload1:          {"iload_1", None},
	Iload2:          {"iload_2", None},
	Iload3:          {"iload_3", None},
	Lload0:          {"lload_0", None},
	Lload1:          {"lload_1", None},
	Lload2:          {"lload_2", None},
	Lload3:          {"lload_3", None},
	Fload0:          {"fload_0", None},
	Fload1:          {"fload_1", None},
	Fload2:          {"fload_2", None},
	Fload3:          {"fload_3", None},
	Dload0:          {"dload_0", None},
	Dload1:          {"dload_1", None},
	Dload2:          {"dload_2", None},
	Dload3:          {"dload_3", None},
	Aload0:          {"aload_0", None},
	Aload1:          {"aload_1", None},
	Aload2:          {"aload_2", None},
	Aload3:          {"aload_3", None},
	Iaload:          {"iaload", None},
	Laload:          {"laload", None},
	Faload:          {"faload", None},
	Daload:          {"daload", None},
	Aaload:          {"aaload", None},
	Baload:          {"baload", None},
	Caload:          {"caload", None},
	Saload:          {"saload", None},
	Istore:          {"istore", Local},
	Lstore:          {"lstore", Local},
	Fstore:          {"fstore", Local},
	Dstore:          {"dstore", Local},
	Astore:          {"astore", Local},
	Istore0:         {"istore_0", None},
	Istore1:         {"istore_1", None},
	Istore2:         {"istore_2", None},
	Istore3:         {"istore_3", None},
	Lstore0:         {"lstore_0", None},
	Lstore1:         {"lstore_1", None},
	Lstore2:         {"lstore_2", None},
	Lstore3:         {"lstore_3", None},
	Fstore0:         {"fstore_0", None},
	Fstore1:         {"fstore_1", None},
	Fstore2:         {"fstore_2", None},
	Fstore3:         {"fstore_3", None},
	Dstore0:         {"dstore_0", None},
	Dstore1:         {"dstore_1", None},
	Dstore2:         {"dstore_2", None},
	Dstore3:         {"dstore_3", None},
	Astore0:         {"astore_0", None},
	Astore1:         {"astore_1", None},
	Astore2:         {"astore_2", None},
	Astore3:         {"astore_3", None},
	Iastore:         {"iastore", None},
	Lastore:         {"lastore", None},
	Fastore:         {"fastore", None},
	Dastore:         {"dastore", None},
	Aastore:         {"aastore", None},
	Bastore:         {"bastore", None},
	Castore:         {"castore", None},
	Sastore:         {"sastore", None},
	Pop:             {"pop", None},
	Pop2:            {"pop2", None},
	Dup:             {"dup", None},
	DupX1:           {"dup_x1", None},
	DupX2:           {"dup_x2", None},
	Dup2:            {"dup2", None},
	Dup2X1:          {"dup2_x1", None},
	Dup2X2:          {"dup2_x2", None},
	Swap:            {"swap", None},
	Iadd:            {"iadd", None},
	Ladd:            {"ladd", None},
	Fadd:            {"fadd", None},
	Dadd:            {"dadd", None},
	Isub:            {"isub", None},
	Lsub:            {"lsub", None},
	Fsub:            {"fsub", None},
	Dsub:            {"dsub", None},
	Imul:            {"imul", None},
	Lmul:            {"lmul", None},
	Fmul:            {"fmul", None},
	Dmul:            {"dmul", None},
	Idiv:            {"idiv", None},
	Ldiv:            {"ldiv", None},
	Fdiv:            {"fdiv", None},
	Ddiv:            {"ddiv", None},
	Irem:            {"irem", None},
	Lrem:            {"lrem", None},
	Frem:            {"frem", None},
	Drem:            {"drem", None},
	Ineg:            {"ineg", None},
	Lneg:            {"lneg", None},
	Fneg:            {"fneg", None},
	Dneg:            {"dneg", None},
	Ishl:            {"ishl", None},
	Lshl:            {"lshl", None},
	Ishr:            {"ishr", None},
	Lshr:            {"lshr", None},
	Iushr:           {"iushr", None},
	Lushr:           {"lushr", None},
	Iand:            {"iand", None},
	Land:            {"land", None},
	Ior:             {"ior", None},
	Lor:             {"lor", None},
	Ixor:            {"ixor", None},
	Lxor:            {"lxor", None},
	Iinc:            {"iinc", Increment},
	I2l:             {"i2l", None},
	I2f:             {"i2f", None},
	I2d:             {"i2d", None},
	L2i:             {"l2i", None},
	L2f:             {"l2f", None},
	L2d:             {"l2d", None},
	F2i:             {"f2i", None},
	F2l:             {"f2l", None},
	F2d:             {"f2d", None},
	D2i:             {"d2i", None},
	D2l:             {"d2l", None},
	D2f:             {"d2f", None},
	I2b:             {"i2b", None},
	I2c:             {"i2c", None},
	I2s:             {"i2s", None},
	Lcmp:            {"lcmp", None},
	Fcmpl:           {"fcmpl", None},
	Fcmpg:           {"fcmpg", None},
	Dcmpl:           {"dcmpl", None},
	Dcmpg:           {"dcmpg", None},
	Ifeq:            {"ifeq", Branch2},
	Ifne:            {"ifne", Branch2},
	Iflt:            {"iflt", Branch2},
	Ifge:            {"ifge", Branch2},
	Ifgt:            {"ifgt", Branch2},
	Ifle:            {"ifle", Branch2},
	IfIcmpeq:        {"if_icmpeq", Branch2},
	IfIcmpne:        {"if_icmpne", Branch2},
	IfIcmplt:        {"if_icmplt", Branch2},
	IfIcmpge:        {"if_icmpge", Branch2},
	IfIcmpgt:        {"if_icmpgt", Branch2},
	IfIcmple:        {"if_icmple", Branch2},
	IfAcmpeq:        {"if_acmpeq", Branch2},
	IfAcmpne:        {"if_acmpne", Branch2},
	Goto:            {"goto", Branch2},
	Jsr:             {"jsr", Branch2},
	Ret:             {"ret", Local},
	Tableswitch:     {"tableswitch", TableSwitch},
	Lookupswitch:    {"lookupswitch", LookupSwitch},
	Ireturn:         {"ireturn", None},
	Lreturn:         {"lreturn", None},
	Freturn:         {"freturn", None},
	Dreturn:         {"dreturn", None},
	Areturn:         {"areturn", None},
	Return:          {"return", None},
	Getstatic:       {"getstatic", Pool2},
	Putstatic:       {"putstatic", Pool2},
	Getfield:        {"getfield", Pool2},
	Putfield:        {"putfield", Pool2},
	Invokevirtual:   {"invokevirtual", Pool2},
	Invokespecial:   {"invokespecial", Pool2},
	Invokestatic:    {"invokestatic", Pool2},
	Invokeinterface: {"invokeinterface", Interface},
	Invokedynamic:   {"invokedynamic", Dynamic},
	New:             {"new", Pool2},
	Newarray:        {"newarray", ArrayType},
	Anewarray:       {"anewarray", Pool2},
	Arraylength:     {"arraylength", None},
	Athrow:          {"athrow", None},
	Checkcast:       {"checkcast", Pool2},
	Instanceof:      {"instanceof", Pool2},
	Monitorenter:    {"monitorenter", None},
	Monitorexit:     {"monitorexit", None},
	Wide:            {"wide", Prefix},
	Multianewarray:  {"multianewarray", MultiArray},
	Ifnull:          {"ifnull", Branch2},
	Ifnonnull:       {"ifnonnull", Branch2},
	GotoW:           {"goto_w", Branch4},
	JsrW:            {"jsr_w", Branch4},
}
