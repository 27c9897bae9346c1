package safespace

import "cmp"

// Options says how two graphs are compared. The zero value is safe and
// useless: without Equal no two nodes are known to be equal, so that every
// test is selected.
type Options[L cmp.Ordered] struct {
	// Equal is the equivalence machine: it reports whether the words of an old
	// and a new node are certain to act alike. It may answer false for words
	// that do, never true for words that do not. It must be deterministic.
	Equal func(old, new int32) bool

	// Reentrant says what happens when a walk comes back to an old node
	// together with another new node than before.
	Reentrant Reentrant

	// NewLabel says what a label means that only the new node of a pair has.
	NewLabel NewLabel

	// Default is the label ("*") of an edge that is taken by every value that
	// no other label of its node names. It counts only if HasDefault is set.
	Default    L
	HasDefault bool

	// MaxPairs bounds the pairs that are compared, hence time and memory. An
	// edge that would lead beyond the bound is dangerous, and Result.Truncated
	// is set. Zero or less means the number of old nodes plus 1<<22. At worst a
	// Result then keeps about 110 MB for pairs beyond the first of each node,
	// and the walk needs about four times as much while it runs.
	MaxPairs int
}

// Reentrant is a solution of the reentrant trace problem, see (C7).
type Reentrant uint8

const (
	// Select makes the edge dangerous; the signature graph then has the nodes
	// of the old graph. The basic solution, and what an unknown value means.
	Select Reentrant = iota
	// CrossSafeSpace goes on with the new pair; the signature graph has pairs
	// as nodes. The most precise when whole traces are walked.
	CrossSafeSpace
	// DangerousEdges goes on with the new pair too, builds no signature graph
	// and selects by the edges that a test covers.
	DangerousEdges
)

func (r Reentrant) String() string {
	switch r {
	case CrossSafeSpace:
		return "cross-safe-space"
	case DangerousEdges:
		return "dangerous-edges"
	default:
		return "select"
	}
}

// NewLabel is the meaning of a label that only the new node of a pair has.
type NewLabel uint8

const (
	// Redirect condemns every edge into the pair (C4). It needs no assumption,
	// and it is what an unknown value means.
	Redirect NewLabel = iota
	// Default matches the new edge with the default edge of the old node, and
	// ignores it if there is none (C5). It needs assumption (A4).
	Default
)

func (n NewLabel) String() string {
	if n == Default {
		return "default"
	}
	return "redirect"
}

// Kind is the kind of difference that makes an edge dangerous.
type Kind uint8

const (
	// WordDiffers: the words of the two nodes are not known to be equal.
	WordDiffers Kind = iota + 1
	// LabelMissing: the new node has neither the label nor a default edge.
	LabelMissing
	// NewEdge: the new node has a label that the old node lacks.
	NewEdge
	// SplitDefault: a label that only the new node has takes some values of
	// the old default edge to another new node than the rest.
	SplitDefault
	// Reentry: the old node was already compared with another new node.
	Reentry
	// Truncated: the pair lies beyond Options.MaxPairs.
	Truncated
	// NotInGraph: a trace takes an edge that the old graph does not have.
	NotInGraph
)

func (k Kind) String() string {
	switch k {
	case WordDiffers:
		return "word differs"
	case LabelMissing:
		return "label missing in the new node"
	case NewEdge:
		return "new label in the new node"
	case SplitDefault:
		return "new label splits the default edge"
	case Reentry:
		return "old node reentered with another new node"
	case Truncated:
		return "beyond the bound on pairs"
	case NotInGraph:
		return "trace leaves the old graph"
	default:
		return "no difference"
	}
}
