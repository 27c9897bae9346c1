// Package safespace compares two versions of a labelled graph and says which
// tests of the old version could behave differently on the new one.
//
// # Terms
//
// A graph (package graph) has nodes, a start node, and edges with labels. The
// caller knows a word for each node, and whether an old and a new word are
// certain to act alike (Options.Equal). A run begins at the start node; at a
// node it executes the word, which yields a value, and takes the edge labelled
// with the value, else the edge with the default label "*", else it ends.
//
// A pair is an old node with a new node that some run may be at after the same
// words. The signature graph (SIG) is the part of the old graph that is proven
// to act as before, and one more node, SELECT. An edge is dangerous if in SIG
// it leads to SELECT from at least one pair. A trace is what is known of a run
// on the old graph: its edges in order, or the set of its edges.
//
// A comparison is safe if each test whose run on the new graph executes other
// words than on the old one is selected. It is the more precise, the fewer
// others it selects.
//
// # The algorithm
//
// It is SafeSpace of Bible and Rothermel, "A unifying framework supporting the
// analysis and development of safe regression test selection techniques"
// (technical report, Oregon State University), with the matching of new labels
// of Harrold et al., "Regression test selection for Java software" (OOPSLA
// 2001), as an alternative. The rules:
//
//	(C1)  The start nodes are the first pair. If it is not admitted, every test
//	      is selected.
//	(C2)  A pair is admitted only if Equal holds for it.
//	(C3)  At an admitted pair (N, N') each edge of N is matched with the edge
//	      of N' with the same label, else with the default edge of N'. An edge
//	      without a match is dangerous. Else the targets make a pair, and the
//	      edge is dangerous if that pair is not admitted.
//	(C4)  Redirect: a pair is not admitted if N' has a label, the default being
//	      one, that N lacks.
//	(C5)  Default: an edge of N' with a label that N lacks is matched with the
//	      default edge of N as well. That edge is dangerous if one of its pairs
//	      is not admitted. Without a default edge in N the new edge is ignored.
//	(C6)  Default: a pair is not admitted if N has no edge and N' has one. Runs
//	      end at N, and (C5) alone would let them go on at N' unseen.
//	(C7)  An edge into a pair that was admitted before is safe, and there is
//	      nothing more to do. If the old node was admitted with another new
//	      node only (reentry), then
//	        Select:         the pair is not admitted;
//	        CrossSafeSpace: it is admitted as a node of its own in SIG;
//	        DangerousEdges: it is admitted, and there is no SIG.
//	(C8)  Where (C5) gives an edge two new targets, Select and CrossSafeSpace
//	      make it dangerous, since their SIG has one target for an edge.
//	      DangerousEdges admits both pairs.
//	(C9)  When Options.MaxPairs pairs are admitted, no further one is.
//	(C10) A set of edges is selected if one of them is dangerous.
//	(C11) A whole trace is selected if an edge leads to SELECT: for
//	      CrossSafeSpace from the pair where the trace is, for the others if it
//	      is dangerous. A trace that is no path of the old graph is selected.
//
// The walk is depth first, with its own stack, in the order of the labels;
// each edge of each admitted pair is decided once.
//
// # Assumptions
//
//	(A1) Equal errs to one side only: where it holds, the words act alike.
//	(A2) The value that a word yields is a function of the words executed
//	     before and of the test.
//	(A3) The trace has every edge that the run on the old graph took.
//	(A4) Only for Default: at a node that has edges but no default edge, no
//	     value occurs that is not the label of one of them. (In a graph of
//	     calls: no object of a new type exists unless the place that creates it
//	     changed, and the change shows there.)
//
// # Why it is safe
//
// Claim. If a test is not selected, its run on the new graph executes the same
// words as on the old one.
//
// Let the run on the old graph be at N0, N1, …. By induction on i the run on the
// new graph is at Ni' with (Ni, Ni') an admitted pair; so by (C2) and (A1) the
// words are equal. For i = 0 this is (C1). In the step, (A2) gives both runs the
// same value v at (N, N'). Cases:
//
//   - N has an edge labelled v. The old run takes it, and the new run takes v of
//     N', else the default edge: the match of (C3). The edge is not dangerous,
//     so there is a match, and the target pair is admitted.
//   - N has no edge v, but a default edge, which the old run takes. If N' has no
//     edge v, the new run takes its default edge, which is the match of (C3).
//     If N' has one, Redirect did not admit (N, N') by (C4); with Default the
//     target is among those of (C5), all of which are admitted.
//   - N has no edge for v: the old run ends. With Redirect N' has no label that
//     N lacks, so the new run ends too. With Default either N has no edge at
//     all, and by (C6) neither has N', or (A4) excludes the case.
//
// What "the edge is not dangerous" means depends on the solution. Select: each
// old node is in one admitted pair, so an edge is decided once, and the trace
// meets it at that pair. DangerousEdges: an edge that is not dangerous is safe
// from every admitted pair of its node, also from the one at hand.
// CrossSafeSpace by whole traces: the walk follows the pair at hand, and by (C8)
// an edge has one target. CrossSafeSpace by sets: as DangerousEdges. Bounded by
// (C9), fewer pairs are admitted, and edges into the others are dangerous: the
// induction does not ask why a pair was not admitted.
//
// Partial orders. Where an edge leads to a node whose value is read (data
// dependence, acyclic, no default label), a trace is the set of edges read for
// the start node's value. The claim "the value of N is that of N' for each
// admitted pair (N, N') whose node N the trace evaluates" follows in the same
// way by induction from the leaves: the word reads the same labels in the same
// order on both sides, a label that N lacks is lacked by N' with Redirect, and
// each edge read leads to an admitted pair. No step uses the order in which
// nodes are evaluated. Default is safe there only where equal words have the
// same labels, as formulas do.
//
// # Precision
//
// On a whole trace CrossSafeSpace selects no test that Select leaves out and,
// with Redirect, none that DangerousEdges leaves out. Where all pairs that the
// trace meets have the same labels it is exact for the new graph: it selects
// those traces that the new graph, as an automaton on words and labels, rejects.
// With Redirect CrossSafeSpace and DangerousEdges have the same dangerous edges.
//
// Select and DangerousEdges are equal where no old node is in two pairs. Else
// neither is always the better: Select condemns every reentry, DangerousEdges
// condemns an edge for all tests if it differs in one of its pairs.
//
// A label that only the new start node has makes Redirect select every test. A
// graph whose start leads to each entity by name should use Default, for which
// the start needs (A4) only: a test asks for names that the old graph has.
//
// # Cost
//
// Let d be the greatest number of edges of a node. On graphs in which no old
// node is in two pairs, time is O(nodes + edges), with a factor log d at pairs
// whose labels differ, and memory is 12 bytes for each old node and a stack;
// no hash table is used. CrossSafeSpace and DangerousEdges may compare
// |old| x |new| pairs, bounded by Options.MaxPairs. Nothing is allocated per
// edge but the list of dangerous ones.
//
// # What it is not
//
// It knows graphs, not programs: it reads no source, parses no word, and does
// not know what a test is beyond its trace. It does not check the contract of
// the graphs (graph.Check does), nor (A1) to (A4): whoever builds the graphs
// must establish them. It does not minimise, rank or run tests, and it says
// nothing of runs that depend on time, chance or anything else outside (A2).
package safespace
