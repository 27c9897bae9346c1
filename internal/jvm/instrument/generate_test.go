package instrument

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A program is a random Java class whose run() ends: branches, loops, switches, handlers, finally, locks, and values of two slots on the stack when control branches.
type program struct {
	name  string
	r     *rand.Rand
	out   strings.Builder
	loops int // around the statement, which break and continue may leave
	next  int // for names of variables
	spent int // statements so far
	most  int // compound statements, more or less: javac copies what is in finally, so they must stay few
}

// usual is how large programs are when they are not being shrunk.
const usual = 20

func newProgram(name string, seed uint64, most int) *program {
	return &program{name: name, r: rand.New(rand.NewPCG(seed, 7)), most: most}
}

func (p *program) text() string {
	fmt.Fprintf(&p.out, `class %[1]s {
static int fuel, s;
static int f(int x) { if (x > 3) throw new E1(x); if (x < -7) throw new E2(x); return x * 2; }
static int m(int a, int b) { long l = a; double d = b; int[] v = new int[3];
`, p.name)
	p.block(4)
	fmt.Fprintf(&p.out, `return a + b + (int) l + v[1]; }
static int all() { int r = 0; for (int i = -4; i < 6; i++) { fuel = 30; try { r = r * 31 + m(i, 3 - i); } catch (E1 e) { r += e.v; } catch (RuntimeException e) { r += 7; } } return r + s; }
public static String run() { return String.valueOf(all()); } }`)
	return p.out.String()
}

func (p *program) put(format string, args ...any) { fmt.Fprintf(&p.out, format, args...) }

func (p *program) pick(all ...string) string { return all[p.r.IntN(len(all))] }

func (p *program) block(depth int) {
	for range 1 + p.r.IntN(3) {
		p.statement(depth)
	}
}

func (p *program) braces(depth int) {
	p.put("{ ")
	p.block(depth)
	p.put("} ")
}

func (p *program) statement(depth int) {
	if p.spent++; depth == 0 || p.spent > p.most {
		p.simple()
		return
	}
	switch p.r.IntN(9) {
	case 0, 1:
		p.put("if (%s) ", p.condition(2))
		p.braces(depth - 1)
		if p.r.IntN(2) == 0 {
			p.put("else ")
			p.braces(depth - 1)
		}
	case 2:
		p.loops++
		p.put("while (fuel-- > 0 && %s) ", p.condition(1))
		p.braces(depth - 1)
		p.loops--
	case 3:
		p.loops++
		p.put("do ")
		p.braces(depth - 1)
		p.put("while (fuel-- > 0 && %s); ", p.condition(1))
		p.loops--
	case 4:
		p.choice(depth)
	case 5, 6:
		p.protected(depth)
	case 7:
		p.put("synchronized (v) ")
		p.braces(depth - 1)
	default:
		p.simple()
	}
}

// choice is a switch, with cases that fall through and keys that are far apart or not.
func (p *program) choice(depth int) {
	p.put("switch (%s) { ", p.number(1))
	step := 1 + 1000*p.r.IntN(2)
	for i := range 1 + p.r.IntN(4) {
		p.put("case %d: ", i*step)
		if p.r.IntN(3) == 0 {
			p.put("case %d: ", -1-i*step)
		}
		if p.r.IntN(3) > 0 {
			p.put("if (fuel > 0) ")
			p.braces(depth - 1)
			if p.r.IntN(2) == 0 {
				p.put("break; ")
			}
		}
	}
	if p.r.IntN(2) == 0 {
		p.put("default: if (fuel > 0) ")
		p.braces(depth - 1)
	}
	p.put("} ")
}

func (p *program) protected(depth int) {
	p.put("try ")
	p.braces(depth - 1)
	catches := p.r.IntN(3)
	if catches > 1 {
		p.next++
		p.put("catch (E2 e%d) ", p.next)
		p.braces(depth - 1)
	}
	if catches > 0 {
		p.next++
		p.put("catch (%s e%d) ", p.pick("E1", "RuntimeException", "ArithmeticException | E1", "Throwable"), p.next)
		p.braces(depth - 1)
	}
	if catches == 0 || p.r.IntN(3) == 0 {
		p.put("finally ")
		p.braces(depth - 1)
	}
}

// simple statements that end a block stand behind an if, because javac refuses what cannot be reached.
func (p *program) simple() {
	switch p.r.IntN(10) {
	case 0:
		p.put("if (%s) throw new %s(%s); ", p.condition(1), p.pick("E1", "E2"), p.number(1))
	case 1:
		if p.loops > 0 {
			p.put("if (%s) %s; ", p.condition(1), p.pick("break", "continue"))
		}
	case 2:
		p.put("if (%s) return %s; ", p.condition(1), p.number(1))
	case 3:
		p.put("l = %s; ", p.long(2))
	case 4:
		p.put("d = d * 0.5 + (%s ? %s : d - 1); ", p.condition(1), p.number(1))
	case 5:
		p.put("v[%s] = %s; ", p.number(0), p.number(2))
	case 6:
		p.put("l = new Box(%s, %s ? d : 2.5).v; ", p.long(1), p.condition(1))
	default:
		p.put("%s = %s; ", p.pick("a", "b", "s"), p.number(2))
	}
}

func (p *program) number(depth int) string {
	if depth == 0 {
		return p.pick("a", "b", "s", "0", "1", "2", "-1", "100")
	}
	x, y := p.number(depth-1), p.number(depth-1)
	switch p.r.IntN(7) {
	case 0:
		return fmt.Sprintf("(%s / %s)", x, p.pick("a", "b", "3"))
	case 1:
		return fmt.Sprintf("f(%s %% 9)", x)
	case 2:
		return fmt.Sprintf("(%s ? %s : %s)", p.condition(depth-1), x, y)
	case 3:
		return fmt.Sprintf("v[(%s) & 3]", x)
	case 4:
		return fmt.Sprintf("(int) (%s)", p.long(depth-1))
	}
	return fmt.Sprintf("(%s %s %s)", x, p.pick("+", "-", "*"), y)
}

// long leaves a long below on the stack while the right side branches.
func (p *program) long(depth int) string {
	if depth == 0 {
		return p.pick("l", "7L", "1L")
	}
	return fmt.Sprintf("(l %s (%s ? %s : %s))", p.pick("+", "-", "/"), p.condition(depth-1), p.long(depth-1), p.number(depth-1))
}

func (p *program) condition(depth int) string {
	if depth > 0 && p.r.IntN(3) == 0 {
		return fmt.Sprintf("(%s %s %s)", p.condition(depth-1), p.pick("&&", "||"), p.condition(depth-1))
	}
	switch p.r.IntN(5) {
	case 0:
		return fmt.Sprintf("l %s %s", p.pick("<", ">=", "=="), p.pick("3L", "0L", "b"))
	case 1:
		return fmt.Sprintf("d %s %s", p.pick("<", ">", ">="), p.pick("1.5", "a", "0.25"))
	}
	return fmt.Sprintf("%s %s %s", p.number(depth/2), p.pick("<", ">", "==", "!=", "<=", ">="), p.number(0))
}
