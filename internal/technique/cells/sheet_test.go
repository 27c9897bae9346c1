package cells

import (
	"errors"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"
	"testing"

	"winnow/internal/digest"
	"winnow/internal/rts"
	"winnow/internal/safety"
	"winnow/internal/technique"
)

// A table is a spreadsheet of one sheet with columns A to Z and rows 1 to 9: the contents of its cells by name, and under a lower-case
// name the cell that the name stands for. A content that starts with "=" is a formula.
type table map[string]string

const (
	kindCell  rts.Kind = "cell"
	kindArea  rts.Kind = "area"
	kindQuery rts.Kind = "query"
	kindSet   rts.Kind = "set"
)

func cell(name string) rts.Entity { return rts.Entity{Kind: kindCell, Name: name} }
func area(name string) rts.Entity { return rts.Entity{Kind: kindArea, Name: name} }

// inArea returns the cells of an area like A1:A3.
func inArea(name string) []string {
	var all []string
	for col := name[0]; col <= name[3]; col++ {
		for row := name[1]; row <= name[4]; row++ {
			all = append(all, string([]byte{col, row}))
		}
	}
	return all
}

// body returns the encoding of an entity, "" if it does not exist.
func (tb table) body(e rts.Entity) string {
	if e.Kind != kindArea {
		return tb[e.Name]
	}
	population := "population"
	for i, c := range inArea(e.Name) {
		if tb[c] != "" {
			population += fmt.Sprint(" ", i)
		}
	}
	return population
}

var reference = regexp.MustCompile(`[A-Z][1-9](:[A-Z][1-9])?`)

// readNode reads an encoding.
func readNode(e rts.Entity, body string) Node {
	n := Node{Word: body}
	switch {
	case e.Kind == kindArea:
		for _, place := range strings.Fields(body)[1:] {
			var i int
			if _, err := fmt.Sscan(place, &i); err != nil {
				panic(err)
			}
			n.Reads = append(n.Reads, Read{int64(i), cell(inArea(e.Name)[i])})
		}
	case strings.HasPrefix(body, "="):
		for i, ref := range reference.FindAllString(body, -1) {
			to := cell(ref)
			if strings.Contains(ref, ":") {
				to = area(ref)
			}
			n.Reads = append(n.Reads, Read{int64(i), to})
		}
		n.Word = reference.ReplaceAllString(body, "#")
	}
	return n
}

// locate returns the cell that a reference stands for, "" if there is none.
func (tb table) locate(ref string) string {
	if reference.MatchString(ref) {
		return ref
	}
	return tb[ref]
}

// A program is a table as the technique sees it; broken makes it fail at that entity.
type program struct {
	now    table
	broken string
}

var errBroken = errors.New("broken")

func (p *program) Graphed(k rts.Kind) bool { return k != rts.KindFile }

// Areas of this table are read as wholes.
func (p *program) Index(iter.Seq[rts.Entity]) Index        { return noIndex{} }
func (p *program) At(rts.Entity, int64) (rts.Entity, bool) { return rts.Entity{}, false }
func (p *program) Leads(k rts.Kind) bool                   { return k == kindQuery || k == kindSet }

func (p *program) Old(u rts.Use, body []byte) (Node, error) {
	if p.broken == "old "+u.Entity.Name {
		return Node{}, errBroken
	}
	return readNode(u.Entity, string(body)), nil
}

func (p *program) New(e rts.Entity) (Node, error) {
	if p.broken == "new "+e.Name {
		return Node{}, errBroken
	}
	return readNode(e, p.now.body(e)), nil
}

func (p *program) Starts(uses []rts.Use) (starts, set []Start, err error) {
	for _, u := range uses {
		ref, was, ok := strings.Cut(u.Entity.Name, " → ")
		if !ok {
			continue
		}
		s := Start{Label: ref, Old: cell(was)}
		if now := p.now.locate(ref); now != "" {
			s.New = cell(now)
		}
		if u.Entity.Kind == kindQuery {
			starts = append(starts, s)
		} else {
			set = append(set, s)
		}
	}
	if len(starts) == 0 {
		return nil, nil, errors.New("no query")
	}
	return starts, set, nil
}

func (p *program) Inside(e rts.Entity, set map[rts.Entity]string) string {
	if e.Kind != kindArea {
		return ""
	}
	var inside []string
	for i, c := range inArea(e.Name) {
		if label, ok := set[cell(c)]; ok {
			inside = append(inside, fmt.Sprintf(" %d=%s", i, label))
		}
	}
	return strings.Join(inside, "")
}

// A test is what one test of a table asks, sets and read.
type test struct {
	query string
	sets  []string
	reads string // names of cells and areas
}

// uses records a test on a table.
func (x test) uses(tb table) []rts.Use {
	lead := func(k rts.Kind, ref string) rts.Use {
		e := rts.Entity{Kind: k, Name: ref + " → " + tb.locate(ref)}
		return rts.Use{Entity: e, Digest: tb.digest(e)}
	}
	all := []rts.Use{lead(kindQuery, x.query)}
	for _, ref := range x.sets {
		all = append(all, lead(kindSet, ref))
	}
	for _, name := range strings.Fields(x.reads) {
		e := cell(name)
		if strings.Contains(name, ":") {
			e = area(name)
		}
		all = append(all, rts.Use{Entity: e, Digest: tb.digest(e)})
	}
	return rts.SortUses(all)
}

func (tb table) digest(e rts.Entity) digest.Digest {
	body := tb.body(e)
	if ref, was, ok := strings.Cut(e.Name, " → "); ok {
		if body = ""; tb.locate(ref) == was {
			body = "there"
		}
	}
	if body == "" {
		return digest.Absent
	}
	return digest.OfString(body)
}

// bodies are the encodings of a table, without the one that was lost.
type bodies struct {
	table table
	uses  []rts.Use
	lost  string
	err   error
}

func (b bodies) Body(d digest.Digest) ([]byte, bool, error) {
	for _, u := range b.uses {
		if u.Digest == d && u.Entity.Name != b.lost {
			return []byte(b.table.body(u.Entity)), true, b.err
		}
	}
	return nil, false, b.err
}

// trace compares what a test used with the present table.
func trace(uses []rts.Use, now table) technique.Trace {
	tr := technique.Trace{All: func() ([]rts.Use, error) { return uses, nil }}
	for _, u := range uses {
		if d := now.digest(u.Entity); !u.Digest.Same(d) {
			tr.Stale = append(tr.Stale, technique.Stale{Use: u, Now: d})
		}
	}
	return tr
}

// judged records a test on one table and judges it on another, printing the reasons, or the differences that do not matter. Where
// nothing differs there is nothing to judge.
func judged(t *testing.T, x test, before, after table, rules safety.Rules) string {
	t.Helper()
	uses := x.uses(before)
	tr := trace(uses, after)
	if len(tr.Stale) == 0 {
		return "the same"
	}
	reasons, harmless, err := New(&program{now: after}, bodies{table: before, uses: uses}, rules).Judge(tr)
	if err != nil {
		t.Fatal(err)
	}
	if len(reasons) == 0 {
		var names []string
		for _, d := range harmless {
			names = append(names, d.Entity.Name)
		}
		return "harmless: " + strings.Join(names, ", ")
	}
	if len(harmless) != 0 {
		t.Errorf("reasons and harmless differences %v at once", harmless)
	}
	var all []string
	for _, r := range reasons {
		s := r.String()
		if len(r.Path) > 0 {
			s += ": " + strings.Join(r.Path, " ")
		}
		all = append(all, s)
	}
	return strings.Join(all, "; ")
}

// with returns the table with some contents replaced; an empty content makes a cell blank.
func (tb table) with(changes ...string) table {
	next := table{}
	for k, v := range tb {
		next[k] = v
	}
	for i := 0; i < len(changes); i += 2 {
		if next[changes[i]] = changes[i+1]; changes[i+1] == "" {
			delete(next, changes[i])
		}
	}
	return next
}

// TestTableIsRead checks the made-up front end itself.
func TestTableIsRead(t *testing.T) {
	n := readNode(cell("B1"), "=IF(A1,SUM(A2:B3),A1)")
	want := []Read{{0, cell("A1")}, {1, area("A2:B3")}, {2, cell("A1")}}
	if n.Word != "=IF(#,SUM(#),#)" || !slices.Equal(n.Reads, want) {
		t.Errorf("%+v", n)
	}
	tb := table{"A2": "1", "B3": "2"}
	if got := tb.body(area("A2:B3")); got != "population 0 3" {
		t.Errorf("%q", got)
	}
	if n := readNode(area("A2:B3"), "population 0 3"); !slices.Equal(n.Reads, []Read{{0, cell("A2")}, {3, cell("B3")}}) {
		t.Errorf("%+v", n)
	}
}

type noIndex struct{}

func (noIndex) Inside(rts.Entity, func(int64, rts.Entity)) {}
