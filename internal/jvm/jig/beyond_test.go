package jig

import "testing"

// testBeyondThePaper: changes that a graph by the paper's words does not show, and this one does.
func testBeyondThePaper(t *testing.T) {
	m := "class M { public int hashCode() { return 1; } public static void main(String[] a) { System.out.println(new S()); System.out.println(S.x); S.f(a); } }"
	s := "class S { static int x; static int f(String[] a) { int r = 0; try { r = 1; } catch (RuntimeException e) { return 2; } r += a.length; return r; } }"
	for name, c := range map[string]struct{ text, want string }{
		"the first override of an external method": {
			"class S { static int x; public String toString() { return null; } static int f(String[] a) { int r = 0; try { r = 1; } catch (RuntimeException e) { return 2; } r += a.length; return r; } }",
			"S class entry -*-> S default: word differs"},
		"the first initializer": {
			"class S { static int x = 3; static int f(String[] a) { int r = 0; try { r = 1; } catch (RuntimeException e) { return 2; } r += a.length; return r; } }",
			"start -init S-> S without initializer: word differs"},
		"a statement that moves into a try block": {
			"class S { static int x; static int f(String[] a) { int r = 0; try { r = 1; r += a.length; } catch (RuntimeException e) { return 2; } return r; } }",
			"S.f([Ljava/lang/String;)I@3 --> S.f([Ljava/lang/String;)I@10 try: word differs"},
	} {
		t.Run(name, func(t *testing.T) {
			before, after := revisions(t, nil, map[string]string{"M.java": m, "S.java": s}, map[string]string{"M.java": m, "S.java": c.text})
			_, got := dangers(t, &Builder{Roots: Main}, before, after)
			check(t, got, c.want)
			_, got = dangers(t, &Builder{Roots: Main, literal: true}, before, after)
			check(t, got)
		})
	}
}
