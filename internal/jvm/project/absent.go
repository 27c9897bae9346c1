package project

import (
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"winnow/internal/digest"
	"winnow/internal/jvm/agent"
	"winnow/internal/jvm/state"
	"winnow/internal/jvm/table"
	"winnow/internal/rts"
	"winnow/internal/safety"
)

// Notes about static fields of the project are kept as uses that always hold: they say which tests meet in a field (S8.11, S8.12). See package state.
const (
	// StateRead is a field that a test reads: "class.field"; see state.Notes.
	StateRead rts.Kind = "state read"
	// StatePut is a change of what a field leads to; see state.Put.
	StatePut rts.Kind = "state put"
)

// noted is the digest of every note.
var noted = digest.OfString("noted")

// What takes the place of a field in notes about the rest of the process: a system property or a file with its name behind it, whose readers are known by the property, or by the file, its path or its directory; and the locale
// or time zone, which any test may read.
const (
	propertyField = "the system property "
	fileField     = "the file "
	contentField  = "what is in the file " // for those who read it and not for those who only ask for it
	defaultField  = "a default of the process"
)

// atFirst stands in front of the name of what is read before the first test, while tests are looked for: only changes that come then, too, are found there.
const atFirst = "at first, "

// notes are the notes of a footprint. What happens while tests are looked for happens in every process; only if it belongs to some of them can it begin without the others.
func (r *recorder) notes(f *agent.Footprint) []rts.Use {
	if discovers(f) || !r.rules.Hold(safety.StateCounts) {
		return nil
	}
	var out []rts.Use
	first, when := starts(f), ""
	if first {
		when = atFirst
	}
	put := func(p state.Put) {
		p.First = first
		out = append(out, rts.Use{Entity: r.scope.entity(StatePut, p.String()), Digest: noted})
	}
	if n := r.noted[f]; n != nil {
		for _, field := range n.Reads {
			out = append(out, rts.Use{Entity: r.scope.entity(StateRead, when+field), Digest: noted})
		}
		for _, p := range n.Puts {
			put(p)
		}
	}
	for _, e := range f.Events {
		switch e.Kind {
		case agent.PropertyWritten:
			if !initsFramework(f) { // Surefire writes its properties while another of its threads initializes a class
				put(state.Put{Field: propertyField + e.Text, Again: true})
			}
		case agent.DefaultSet:
			put(state.Put{Field: defaultField, Again: true})
		case agent.FileWritten:
			if name, ok := r.events.lasting(e.Text); ok {
				put(state.Put{Field: fileField + name, Again: true})
			}
		case agent.FileAppended:
			if name, ok := r.events.lasting(e.Text); ok && !slices.Contains(f.Events, agent.NamedEvent{Kind: agent.FileWritten, Text: e.Text}) {
				put(state.Put{Field: contentField + name, Again: true})
			}
		case agent.FileRead, agent.FileAsked, agent.DirectoryListed:
			if name, ok := r.events.lasting(e.Text); ok && e.Kind == agent.FileRead && len(r.events.appenders[r.events.path(e.Text)]) > 0 {
				out = append(out, rts.Use{Entity: r.scope.entity(StateRead, when+contentField+name), Digest: noted})
			}
			for _, name := range r.events.products(e.Text) {
				out = append(out, rts.Use{Entity: r.scope.entity(StateRead, when+fileField+name), Digest: noted})
			}
		}
	}
	return out
}

// lasting is the portable name of a file that a test writes and another may find. Those outside of the project that are gone after the run are nobody else's.
func (ev *events) lasting(text string) (string, bool) {
	file := ev.path(text)
	name := ev.snap.files.Roots().Portable(file)
	if ev.ignored(file) || strings.ContainsAny(name, "\t\n\uFFFD") {
		return "", false
	}
	if !strings.HasPrefix(name, inProject) {
		if _, err := os.Lstat(file); err != nil {
			return "", false
		}
	}
	return name, true
}

// products lists the files of this run that a test reads or asks for, or finds in a directory. Of other files the use itself tells who reads them.
func (ev *events) products(text string) []string {
	at := ev.path(text)
	files := slices.Clone(ev.within[at])
	if len(ev.writersOf(at)) > 0 {
		files = append(files, at)
	}
	var out []string
	for _, file := range files {
		if name, ok := ev.lasting(file); ok {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// outsideFields lists the puts of absent tests to properties, files and defaults that a test would have found.
func (a *absent) outsideFields(ev *events, t *agent.TestTrace) []int {
	if len(a.puts) == 0 {
		return nil
	}
	reads, paths, contents, all := map[string]bool{}, map[string]bool{}, map[string]bool{}, false
	for _, f := range append([]*agent.Footprint{t.Own}, t.Shared...) {
		for _, e := range f.Events {
			reads[e.Text] = reads[e.Text] || e.Kind == agent.PropertyRead
			all = all || e.Kind == agent.PropertiesRead && !starts(f)
			if (e.Kind == agent.FileRead || e.Kind == agent.FileAsked || e.Kind == agent.DirectoryListed) && !starts(f) {
				name := ev.snap.files.Roots().Portable(ev.path(e.Text))
				paths[name], contents[name] = true, contents[name] || e.Kind == agent.FileRead
			}
		}
	}
	var out []int
	for i, p := range a.puts {
		name, property := strings.CutPrefix(p.Field, propertyField)
		file, isFile := strings.CutPrefix(p.Field, fileField)
		inside, isContent := strings.CutPrefix(p.Field, contentField)
		if p.Field == defaultField || property && (all || reads[name]) || isFile && (paths[file] || paths[path.Dir(file)]) || isContent && contents[inside] {
			out = append(out, i)
		}
	}
	return out
}

// Absence knows the tests that are left out.
type Absence interface {
	// Puts are the notes of the kind StatePut that records of tests have which are left out, each with these tests.
	Puts() (map[rts.Entity][]rts.TestID, error)
	// Reader returns a function that finds the footprints of the newest records of such tests that prove something. It calls add once for each of them and for each that these include, with the bodies that its uses are
	// narrowed by; what is included comes first, and Includes are what add returned for it. So does the function for the records themselves.
	Reader(add func(f rts.Footprint, bodies map[digest.Digest][]byte) int) func(tests []rts.TestID) ([]int, error)
}

// Without tells a module before it runs who knows the tests that are left out.
func (m *Module) Without(a Absence) { m.others = a }

// absent is what tests that are left out would have put into static fields.
type absent struct {
	m     *Module
	from  Absence
	notes []rts.Entity
	puts  []state.Put
	tests [][]rts.TestID // by put
	lacks map[rts.TestID][]Lack
	made  map[digest.Digest]int // by label and tests: the footprint
	sink  rts.Sink
	// read makes what absent tests used known to the sink.
	read func(tests []rts.TestID) ([]int, error)
	// bodies are those that the sink has.
	bodies map[digest.Digest]bool
}

func (m *Module) absent(sink rts.Sink) (*absent, error) {
	a := &absent{m: m, from: m.others, made: map[digest.Digest]int{}, sink: sink, bodies: map[digest.Digest]bool{}, lacks: map[rts.TestID][]Lack{}}
	if m.others == nil || !m.options.Rules.Hold(safety.AbsentCounts) {
		return a, nil
	}
	a.read = m.others.Reader(a.present)
	puts, err := m.others.Puts()
	if err != nil {
		return nil, err
	}
	for _, e := range slices.SortedFunc(maps.Keys(puts), rts.Entity.Compare) {
		local, ok := m.scope.local(e.Name)
		if !ok {
			continue
		}
		p, err := state.ParsePut(local)
		if err != nil {
			return nil, fmt.Errorf("the store: %w", err)
		}
		a.notes, a.puts, a.tests = append(a.notes, e), append(a.puts, p), append(a.tests, puts[e])
	}
	return a, nil
}

// SharesJVM tells whether test classes share a JVM.
func (m *Module) SharesJVM() bool { return m.shares }

// Meet tells whether a test can find what another one changes, by a note of the kind StatePut: they meet in the same room.
func (m *Module) Meet(put rts.Entity, one, other rts.TestID) bool {
	return m.room(put, one) == m.room(put, other)
}

// room is where tests find what a test changes. Files and a JVM that test classes share are one room for all, ""; other JVMs are one for each outermost class.
func (m *Module) room(put rts.Entity, test rts.TestID) string {
	if m.shares {
		return ""
	}
	if local, _ := m.scope.local(put.Name); strings.HasPrefix(local, fileField) || strings.HasPrefix(local, contentField) {
		return ""
	}
	class, _ := m.MethodOf(test)
	return topClass(class)
}

// rooms are those of tests.
func (m *Module) rooms(put rts.Entity, tests []rts.TestID) []string {
	if m.shares && len(tests) > 0 {
		return []string{""}
	}
	var out []string
	for _, id := range tests {
		if room := m.room(put, id); !slices.Contains(out, room) {
			out = append(out, room)
		}
	}
	return out
}

// include adds to a test all that the absent tests used whose puts it would have found, numbers of a list, under the names of the fields: as if they had run before it (S8.11).
func (a *absent) include(res *rts.Result, found []int) error {
	if len(found) == 0 {
		return nil
	}
	fields, givers := map[string]bool{}, map[rts.TestID]bool{}
	for _, i := range found {
		lack := Lack{Put: a.notes[i], Tests: a.tests[i]} // mostly all of them, and the same for each test that ran
		meets := func(id rts.TestID) bool { return id != res.Record.Test && a.m.Meet(a.notes[i], id, res.Record.Test) }
		if slices.ContainsFunc(lack.Tests, func(id rts.TestID) bool { return !meets(id) }) {
			lack.Tests = slices.DeleteFunc(slices.Clone(lack.Tests), func(id rts.TestID) bool { return !meets(id) })
		}
		if len(lack.Tests) > 0 {
			for _, id := range lack.Tests {
				givers[id] = true
			}
			fields[a.puts[i].Field] = true
			a.lacks[res.Record.Test] = append(a.lacks[res.Record.Test], lack)
		}
	}
	if len(givers) == 0 {
		return nil
	}
	ids := slices.Sorted(maps.Keys(givers))
	label := keptIn + strings.Join(slices.Sorted(maps.Keys(fields)), and)
	var of digest.Builder
	of.AddString(label)
	for _, id := range ids {
		of.AddString(string(id))
	}
	key := of.Sum()
	n, ok := a.made[key]
	if !ok {
		of, err := a.read(ids)
		if err != nil {
			return err
		}
		n = a.sink.Shared(rts.Footprint{Label: label, Includes: of})
		a.made[key] = n
	}
	res.Own.Includes = append(res.Own.Includes, n)
	return nil
}

// present makes a footprint of absent tests known to the sink as it would be recorded now, without notes. The tests were left out, so that what differs since does not matter.
func (a *absent) present(f rts.Footprint, bodies map[digest.Digest][]byte) int {
	uses := make([]rts.Use, 0, len(f.Uses))
	for _, u := range f.Uses {
		if u.Entity.Kind != StateRead && u.Entity.Kind != StatePut {
			uses = append(uses, a.use(u, bodies[u.Digest]))
		}
	}
	f.Uses = uses
	return a.sink.Shared(f)
}

func (a *absent) use(u rts.Use, recorded []byte) rts.Use {
	now := a.m.Digest(u.Entity)
	if now == u.Digest {
		a.body(now, recorded)
		return u
	}
	out := rts.Use{Entity: u.Entity, Digest: now}
	local, _ := a.m.scope.local(u.Entity.Name)
	old, err := table.Decode(recorded)
	if u.Entity.Kind != Class || u.Entries == nil || err != nil {
		return out
	}
	t, err := a.m.program.Table(local)
	if err != nil || t == nil {
		return out
	}
	for _, e := range u.Entries {
		if e >= table.FirstMethod {
			of := &old.Methods[e-table.FirstMethod]
			_, at, known := t.Method(of.Name, of.Descriptor)
			if !known {
				return out // as a whole
			}
			e = at
		}
		out.Entries = append(out.Entries, e)
	}
	slices.Sort(out.Entries)
	if !a.bodies[now] {
		a.body(now, t.Append(nil))
	}
	return out
}

// body gives the sink a body: that from the store may be forgotten with the record that it came with.
func (a *absent) body(d digest.Digest, body []byte) {
	if len(body) > 0 && !a.bodies[d] {
		a.bodies[d] = true
		a.sink.Body(d, body)
	}
}

// A Lack is a change that a test would have found, had the tests run that make it.
type Lack struct {
	Put   rts.Entity // the note
	Tests []rts.TestID
}

// Lacks lists what the tests that ran would have found of those that were left out.
func (m *Module) Lacks() map[rts.TestID][]Lack {
	if m.trace == nil || m.trace.absent == nil {
		return nil
	}
	return m.trace.absent.lacks
}

// MethodOf is the class of a test, in internal form, and the name of its method; "" for what its name does not tell.
func (m *Module) MethodOf(test rts.TestID) (class, method string) {
	name, _ := m.scope.local(string(test))
	return classOf(name)
}

// Untried tells whether a class has a test method with another name than some.
func (m *Module) Untried(class string, known map[string]bool) bool {
	t, err := m.program.Table(class)
	return err == nil && t != nil && slices.ContainsFunc(t.Methods, func(of table.Method) bool { return of.IsTest() && !known[of.FileName] })
}

// Started tells whether anything of the tests of the module happened in this run.
func (m *Module) Started() bool { return m.trace != nil }

// Puts lists the notes of the kind StatePut of the tests that ran, each with the tests that have it, sorted.
func (m *Module) Puts() map[rts.Entity][]rts.TestID {
	out := map[rts.Entity][]rts.TestID{}
	if m.trace == nil {
		return out
	}
	byID := map[rts.TestID]string{}
	for _, key := range m.trace.order {
		byID[m.testID(key)] = key
	}
	ids := slices.Sorted(maps.Keys(byID))
	// Tests share most of what they reach, so it is told once who has which footprint, and not for each test what is in it.
	having, makers := map[*agent.Footprint][]int{}, map[rts.Entity][]*agent.Footprint{}
	for n, id := range ids {
		for _, run := range m.trace.runs[byID[id]] {
			for _, f := range reached(run.traces...) {
				if having[f] == nil {
					for _, u := range run.in.notes(f) {
						if u.Entity.Kind == StatePut {
							makers[u.Entity] = append(makers[u.Entity], f)
						}
					}
				}
				having[f] = append(having[f], n)
			}
		}
	}
	made := make([]bool, len(ids))
	for e, by := range makers {
		clear(made)
		for _, f := range by {
			for _, n := range having[f] {
				made[n] = true
			}
		}
		for n, makes := range made {
			if makes {
				out[e] = append(out[e], ids[n])
			}
		}
	}
	return out
}

// Begin lists the puts of tests that tell of a change of which those of before say nothing, each with the tests that it is new for. A change is known if any test made it before in the same way. What a
// process shows of it depends on the tests that ran there: fewer callers are known if fewer ran, and other fields. So it is also known if the test itself made it before, as far as it concerns the same tests or more.
// But who left the field as it was until now begins to change it, whoever else does. Who leaves it as it is begins nothing, unless others change the field and nobody ran this before: with them it might change it back.
// All lists are sorted.
func (m *Module) Begin(puts, before map[rts.Entity][]rts.TestID) (map[rts.Entity][]rts.TestID, error) {
	h := &history{m: m, by: map[string][]noticed{}, changing: map[string]bool{}}
	for e, tests := range before {
		if err := h.add(e, tests); err != nil {
			return nil, fmt.Errorf("the store: %w", err)
		}
	}
	out := map[rts.Entity][]rts.TestID{}
	for e, tests := range puts {
		if slices.Equal(tests, before[e]) { // as most are, and most tests
			continue
		}
		p, err := m.parsePut(e)
		if err != nil {
			return nil, err
		}
		if begins := slices.DeleteFunc(slices.Clone(tests), func(id rts.TestID) bool {
			_, made := slices.BinarySearch(before[e], id)
			return made || !h.begins(p, e, id)
		}); len(begins) > 0 {
			out[e] = begins
		}
	}
	return out, nil
}

// Outdated lists tests of which records tell of a change before the first test that no longer comes, each with the field: a process of this run found these tests, whether it left them out or not, and did not make the change.
func (m *Module) Outdated(before map[rts.Entity][]rts.TestID) (map[rts.TestID]string, error) {
	now, err := m.madeFirst()
	if err != nil {
		return nil, err
	}
	out := map[rts.TestID]string{}
	for e, tests := range before {
		p, err := m.parsePut(e)
		if err != nil {
			return nil, fmt.Errorf("the store: %w", err)
		}
		for _, id := range tests {
			if made := now[id]; p.First && !p.Left && made != nil && !made[p.Change()] {
				out[id] = strings.ReplaceAll(p.Field, "/", ".")
			}
		}
	}
	return out, nil
}

// madeFirst are the changes that processes of this run made as they found tests, by test; of a test that is not there no process says anything.
func (m *Module) madeFirst() (map[rts.TestID]map[string]bool, error) {
	out := map[rts.TestID]map[string]bool{}
	if m.trace == nil {
		return out, nil
	}
	for _, in := range m.recorders() {
		by := map[*agent.Footprint][]string{}
		for _, f := range in.trace.Found {
			for _, u := range in.notes(f) {
				if u.Entity.Kind != StatePut {
					continue
				}
				p, err := m.parsePut(u.Entity)
				if err != nil {
					return nil, err
				}
				if p.Left {
					continue
				}
				by[f] = append(by[f], p.Change())
			}
		}
		add := func(id rts.TestID, found []*agent.Footprint) {
			for _, f := range found {
				if out[id] == nil {
					out[id] = map[string]bool{}
				}
				for _, change := range by[f] {
					out[id][change] = true
				}
			}
		}
		found := in.trace.FoundOf()
		for _, key := range in.trace.Excluded {
			add(m.testID(key), found(key))
		}
		for _, t := range in.trace.Tests {
			add(m.testID(t.Group), found(t.Key))
		}
	}
	return out, nil
}

func (m *Module) parsePut(e rts.Entity) (state.Put, error) {
	local, _ := m.scope.local(e.Name)
	return state.ParsePut(local)
}

// A history is what is known of changes from before a run.
type history struct {
	m        *Module
	by       map[string][]noticed // by change
	changing map[string]bool      // fields that somebody changed
}

// A noticed is a put with the tests that made it, sorted, and their rooms.
type noticed struct {
	state.Put
	tests []rts.TestID
	rooms []string
}

func (h *history) add(e rts.Entity, tests []rts.TestID) error {
	p, err := h.m.parsePut(e)
	if err != nil {
		return err
	}
	h.changing[p.Field] = h.changing[p.Field] || !p.Left
	h.by[p.Change()] = append(h.by[p.Change()], noticed{p, tests, h.m.rooms(e, tests)})
	return nil
}

// begins tells whether a put is new for a test.
func (h *history) begins(p state.Put, e rts.Entity, id rts.TestID) bool {
	room := h.m.room(e, id)
	var ever, own []state.Put // of the room, and of the test itself
	for _, q := range h.by[p.Change()] {
		if slices.Contains(q.rooms, room) {
			ever = append(ever, q.Put)
		}
		if _, made := slices.BinarySearch(q.tests, id); made {
			own = append(own, q.Put)
		}
	}
	otherTime := func(q state.Put) bool { return q.First != p.First }
	ever, own = slices.DeleteFunc(ever, otherTime), slices.DeleteFunc(own, otherTime)
	isLeft := func(q state.Put) bool { return q.Left }
	if p.Left {
		return h.changing[p.Field] && !p.Among(sameWay(ever, p)) && !p.Among(own)
	}
	changed := slices.DeleteFunc(slices.Clone(own), isLeft)
	if len(own) > 0 && len(changed) == 0 {
		return true
	}
	return !p.Among(slices.DeleteFunc(sameWay(ever, p), isLeft)) && !p.Among(changed)
}

// sameWay are the puts that were made in the way of another.
func sameWay(all []state.Put, as state.Put) []state.Put {
	return slices.DeleteFunc(slices.Clone(all), func(q state.Put) bool { return q.Again != as.Again || !slices.Equal(q.Callers, as.Callers) })
}

// reached lists the footprints of tests: their own, those around them, and the initializers that these needed.
func reached(tests ...*agent.TestTrace) []*agent.Footprint {
	var out []*agent.Footprint
	seen := map[*agent.Footprint]bool{}
	add := func(all []*agent.Footprint) {
		for _, f := range all {
			if !seen[f] {
				seen[f] = true
				out = append(out, f)
			}
		}
	}
	for _, t := range tests {
		add([]*agent.Footprint{t.Own})
		add(t.Shared)
	}
	for i := 0; i < len(out); i++ {
		add(out[i].Inits)
	}
	return out
}

// A Method is a method of a class as records know it.
type Method struct {
	Class            rts.Entity
	name, descriptor string
}

// Entry is the entry of the method in a recorded body of the class; false if there is none, or it cannot be told.
func (m *Method) Entry(recorded []byte) (uint32, bool) {
	t, err := table.Decode(recorded)
	if err != nil {
		return 0, false
	}
	return t.Entry(m.name, m.descriptor)
}

// A Meeting is a field that one test changes and others read.
type Meeting struct {
	Field string       // for people
	Reads []rts.Entity // the others have one of these
	// Within: and one of these, unless there are none.
	Within []rts.Entity
	All    bool // any test may read it
	Left   bool // the field led to the same afterwards
	First  bool // the change comes before the first test, in every process
	// Method changes the field. A test that has it is not concerned; if it counts Again, unless it lacks one of the Callers.
	Method  Method
	Again   bool
	Callers []Method
}

// IsField tells whether the note is about a field, and not about something else of the process.
func (m *Meeting) IsField() bool {
	return !m.All && len(m.Reads) == 1 && m.Reads[0].Kind == StateRead
}

// Meeting reads a note of the kind StatePut.
func (m *Module) Meeting(put rts.Entity) (Meeting, error) {
	p, err := m.parsePut(put)
	out := Meeting{Left: p.Left, First: p.First, Field: strings.ReplaceAll(p.Field, "/", "."), Reads: []rts.Entity{m.scope.entity(StateRead, p.Field)}, Method: m.methodNamed(p.Method), Again: p.Again, All: p.Field == defaultField}
	if name, ok := strings.CutPrefix(p.Field, propertyField); ok {
		out.Reads = []rts.Entity{m.scope.entity(rts.KindProperty, name), m.scope.entity(rts.KindProperty, everyProperty)}
	}
	if name, ok := strings.CutPrefix(p.Field, fileField); ok {
		out.Reads = append(out.Reads, rts.Entity{Kind: rts.KindFile, Name: name}, rts.Entity{Kind: rts.KindPath, Name: name}, rts.Entity{Kind: rts.KindExistence, Name: name}, rts.Entity{Kind: rts.KindDir, Name: path.Dir(name)})
		out.Field = p.Field
	}
	if name, ok := strings.CutPrefix(p.Field, contentField); ok {
		out.Reads = append(out.Reads, rts.Entity{Kind: rts.KindFile, Name: name})
		out.Field = p.Field
	}
	var within []string
	for _, class := range p.Within {
		within = append(within, state.FieldsOf(class))
	}
	if len(within) > 0 {
		within = append(within, state.AnyFields)
	}
	for _, fields := range within {
		out.Within = append(out.Within, m.scope.entity(StateRead, fields))
	}
	if p.First {
		out.Reads = append(out.Reads, m.scope.entity(StateRead, atFirst+p.Field))
		for _, fields := range within {
			out.Within = append(out.Within, m.scope.entity(StateRead, atFirst+fields))
		}
	}
	for _, name := range p.Callers {
		out.Callers = append(out.Callers, m.methodNamed(name))
	}
	return out, err
}

// methodNamed is the method with a name as plans have it: class.name(parameters)result.
func (m *Module) methodNamed(text string) Method {
	class, rest, _ := strings.Cut(text, ".")
	end := max(strings.IndexByte(rest, '('), 0)
	return Method{m.scope.entity(Class, class), rest[:end], rest[end:]}
}
