package formula

// BranchKind tells by what rule a call chooses among its branches.
type BranchKind uint8

// Kinds of branching calls.
const (
	BranchIf     BranchKind = iota // selector true: arm 0, false: arm 1
	BranchChoose                   // selector i: arm i-1
	BranchSwitch                   // the first arm whose guard equals the selector, else Else
	BranchIfs                      // the first arm whose guard is true
	BranchError                    // IFERROR: arm 0 if the selector is an error
	BranchNA                       // IFNA: arm 0 if the selector is #N/A
)

// Arm is an alternative of a branching call.
type Arm struct {
	// Guard is evaluated after the guards before it did not match; nil if the
	// selector alone decides.
	Guard Node
	// Body is evaluated only if the arm is chosen.
	Body Node
}

// Branches takes a branching call apart. Every argument of the call occurs in
// it exactly once.
type Branches struct {
	Kind BranchKind
	// Selector is always evaluated; nil for IFS. It is also the value of
	// IFERROR and IFNA if no arm is chosen.
	Selector Node
	Arms     []Arm
	Else     Node // default of SWITCH, or nil
}

// BranchesOf takes a call of IF, IFS, CHOOSE, SWITCH, IFERROR or IFNA apart.
// It reports false for other calls, which evaluate all their arguments (AND and
// OR too, they do not stop early), and for a wrong number of arguments.
func BranchesOf(c *Call) (Branches, bool) {
	n := len(c.Args)
	if c.Prefix != (Prefix{}) {
		return Branches{}, false
	}
	switch {
	case c.Name == "IF" && (n == 2 || n == 3):
		return selected(BranchIf, c.Args), true
	case c.Name == "CHOOSE" && n >= 2:
		return selected(BranchChoose, c.Args), true
	case c.Name == "IFERROR" && n == 2:
		return selected(BranchError, c.Args), true
	case c.Name == "IFNA" && n == 2:
		return selected(BranchNA, c.Args), true
	case c.Name == "IFS" && n >= 2 && n%2 == 0:
		return Branches{Kind: BranchIfs, Arms: guarded(c.Args)}, true
	case c.Name == "SWITCH" && n >= 3:
		return switched(c.Args), true
	}
	return Branches{}, false
}

func selected(k BranchKind, args []Node) Branches {
	b := Branches{Kind: k, Selector: args[0]}
	for _, a := range args[1:] {
		b.Arms = append(b.Arms, Arm{Body: a})
	}
	return b
}

func switched(args []Node) Branches {
	b := Branches{Kind: BranchSwitch, Selector: args[0]}
	rest := args[1:]
	if len(rest)%2 == 1 {
		b.Else = rest[len(rest)-1]
		rest = rest[:len(rest)-1]
	}
	b.Arms = guarded(rest)
	return b
}

func guarded(args []Node) (arms []Arm) {
	for i := 0; i+1 < len(args); i += 2 {
		arms = append(arms, Arm{Guard: args[i], Body: args[i+1]})
	}
	return arms
}
