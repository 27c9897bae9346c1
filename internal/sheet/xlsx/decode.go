package xlsx

import (
	"cmp"
	"errors"
	"slices"
	"sync"
)

// decodeWorkbook follows the relationships from the workbook part to
// everything that is read.
func decodeWorkbook(p *pack) (*Workbook, error) {
	main, err := p.mainPart()
	if err != nil {
		return nil, err
	}
	rels, err := p.rels(main)
	if err != nil {
		return nil, err
	}
	b, err := readBookPart(p, main)
	if err != nil {
		return nil, err
	}
	w := b.book
	if w.Sheets, err = makeSheets(main, b.sheets, rels); err != nil {
		return nil, err
	}
	if w.External, err = readLinks(p, main, b.external, rels); err != nil {
		return nil, err
	}
	readers, err := readCells(p, w.Sheets, rels)
	if err != nil {
		return nil, err
	}
	if w.Tables, err = readTables(p, readers); err != nil {
		return nil, err
	}
	w.HasMacros = len(rels.ofKind("vbaProject")) > 0 || slices.ContainsFunc(w.Sheets, func(s *Sheet) bool { return s.Kind == MacroSheet })
	slices.SortFunc(p.read, func(a, b Part) int { return cmp.Compare(a.Name, b.Name) })
	w.Parts = p.read
	return w, nil
}

var sheetKinds = map[string]SheetKind{
	"worksheet":        Worksheet,
	"chartsheet":       ChartSheet,
	"dialogsheet":      DialogSheet,
	"xlMacrosheet":     MacroSheet,
	"xlIntlMacrosheet": MacroSheet,
}

var sheetStates = map[string]State{"": Visible, "visible": Visible, "hidden": Hidden, "veryHidden": VeryHidden}

// makeSheets finds the parts of the sheets.
func makeSheets(main string, entries []sheetEntry, rels relationships) ([]*Sheet, error) {
	sheets := make([]*Sheet, len(entries))
	owner := map[string]string{}
	for i, e := range entries {
		rel, ok := rels.byID[e.relID]
		if !ok || rel.external {
			return nil, fault(ErrDamaged, main, "sheet %.60q has no part: relationship %.40q is missing", e.name, e.relID)
		}
		kind, ok := sheetKinds[rel.kind]
		if !ok {
			return nil, fault(ErrUnsupported, main, "sheet %.60q is of the unknown kind %.40q", e.name, rel.kind)
		}
		state, ok := sheetStates[e.state]
		if !ok {
			return nil, fault(ErrDamaged, main, "sheet %.60q has the unknown state %.40q", e.name, e.state)
		}
		key := foldPart(rel.target)
		if other, twice := owner[key]; twice {
			return nil, fault(ErrDamaged, main, "sheets %.60q and %.60q have the same part", other, e.name)
		}
		owner[key] = e.name
		sheets[i] = &Sheet{Name: e.name, State: state, Kind: kind, Part: rel.target}
	}
	return sheets, nil
}

func readLinks(p *pack, main string, ids []string, rels relationships) ([]string, error) {
	var out []string
	for _, id := range ids {
		rel, ok := rels.byID[id]
		if !ok || rel.external {
			return nil, fault(ErrDamaged, main, "external reference %.40q has no part", id)
		}
		target, err := readExternal(p, rel.target)
		if err != nil {
			return nil, err
		}
		out = append(out, target)
	}
	return out, nil
}

// readCells decodes the shared strings and all sheets, two parts at a time.
func readCells(p *pack, sheets []*Sheet, rels relationships) ([]*sheetReader, error) {
	part, err := stringsPart(rels)
	if err != nil {
		return nil, err
	}
	table := &stringTable{}
	readers := make([]*sheetReader, len(sheets))
	var jobs []job
	if part != "" {
		jobs = append(jobs, job{p.sizeHint(part), func() (err error) {
			table, err = readStrings(p, part)
			return err
		}})
	}
	for i, sheet := range sheets {
		jobs = append(jobs, job{p.sizeHint(sheet.Part), func() (err error) {
			readers[i], err = readSheet(p, sheet)
			return err
		}})
	}
	if err := runJobs(jobs); err != nil {
		return nil, err
	}
	for _, r := range readers {
		if err := r.useStrings(table); err != nil {
			return nil, err
		}
	}
	return readers, nil
}

func stringsPart(rels relationships) (string, error) {
	switch found := rels.ofKind("sharedStrings"); {
	case len(found) == 0:
		return "", nil
	case len(found) > 1 || found[0].external:
		return "", fault(ErrDamaged, "", "does not have exactly one part of shared strings")
	default:
		return found[0].target, nil
	}
}

// useStrings connects the sheet to the shared strings.
func (r *sheetReader) useStrings(t *stringTable) error {
	if r.strings > int64(len(t.items)) {
		e := fault(ErrDamaged, r.part, "refers to shared string %d, but there are %d", r.strings-1, len(t.items))
		e.Cell = r.stringsAt
		return e
	}
	r.sheet.strings = t
	return nil
}

// job decodes one part; large ones are begun first.
type job struct {
	size uint64
	run  func() error
}

// runJobs runs jobs on two goroutines: more would make a reader that is meant
// to run beside a build hog the machine. All jobs run even if one fails,
// so that the error returned does not depend on timing.
func runJobs(jobs []job) error {
	errs := make([]error, len(jobs))
	order := make([]int, len(jobs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(jobs[b].size, jobs[a].size) })
	next := make(chan int, len(jobs))
	for _, i := range order {
		next <- i
	}
	close(next)
	var wg sync.WaitGroup
	for range min(2, len(jobs)) {
		wg.Go(func() {
			for i := range next {
				errs[i] = jobs[i].run()
			}
		})
	}
	wg.Wait()
	return firstError(errs)
}

// firstError returns the error of the first job that failed; but a budget that
// is spent, which may hit any job, comes first.
func firstError(errs []error) error {
	var first error
	for _, err := range errs {
		if e := (*Error)(nil); errors.As(err, &e) && e.Kind == ErrLimit && e.Part == "" {
			return err
		}
		if first == nil {
			first = err
		}
	}
	return first
}

func readTables(p *pack, readers []*sheetReader) ([]Table, error) {
	var out []Table
	for i, r := range readers {
		if len(r.tableRels) == 0 {
			continue
		}
		rels, err := p.rels(r.part)
		if err != nil {
			return nil, err
		}
		for _, id := range r.tableRels {
			rel, ok := rels.byID[id]
			if !ok || rel.external {
				return nil, fault(ErrDamaged, r.part, "table %.40q has no part", id)
			}
			t, err := readTable(p, rel.target, i)
			if err != nil {
				return nil, err
			}
			out = append(out, t)
		}
	}
	return out, nil
}
