package state

import (
	"maps"
	"math/bits"
	"slices"
	"strings"
)

func (s set) each(do func(i int)) {
	for w, word := range s {
		for ; word != 0; word &= word - 1 {
			do(w*64 + bits.TrailingZeros64(word))
		}
	}
}

// call does what a called method does to what it is given.
func (s *solution) call(st *Step) error {
	m := st.Member
	values := s.values(st)
	if platform(m.Class) && !slices.ContainsFunc(values, func(v Value) bool { return !v.none() }) {
		return nil
	}
	if stream, ok := m.setsStream(); ok {
		return s.setStream(stream, values)
	}
	if m.Class[0] == '[' { // clone
		s.become(st.Result, values[0].part(""))
		return nil
	}
	if s.inJDK(m) {
		class := m.Class
		if len(st.Values) > 0 && st.Values[0].From != "" && !m.Static {
			class = st.Values[0].From
		}
		of, err := s.typeOf(class)
		if err != nil {
			return err
		}
		return s.callJDK(st, of, values)
	}
	if class, err := s.typeOf(m.Class); err != nil {
		return err
	} else if !s.types[class].ours {
		return s.callLibrary(st, values)
	}
	if m.Static || m.Special {
		to, err := s.follower.call(m)
		for _, n := range to {
			s.want(n, values)
			s.apply(&s.sums[n], values, st.Result)
		}
		return err
	}
	return s.callTargets(st, values)
}

// callTargets does what the methods do that a virtual call can run.
func (s *solution) callTargets(st *Step, values []Value) error {
	if err := s.callFunctions(st.Member, values[0]); err != nil {
		return err
	}
	to, err := s.virtual(st.Member)
	for _, p := range to {
		if p.of >= 0 {
			s.want(p.to, values)
			continue
		}
		given := s.captured(p.to, values) // a function: what it has captured comes first, and is kept in the object
		s.want(p.to, given)
		s.apply(&s.sums[p.to], given, st.Result)
	}
	if err == nil && len(to) > 0 {
		s.apply(s.together(st.Member, to), values, st.Result)
	}
	return err
}

// together is what the methods do that a virtual call can run, functions aside. It grows with what they do.
func (f *follower) together(m Member, to []perhaps) *summary {
	if sum, ok := f.joined[m]; ok {
		return sum
	}
	sum := &summary{}
	for _, p := range to {
		if p.of >= 0 {
			sum.join(&f.sums[p.to])
			f.partOf[p.to] = append(f.partOf[p.to], sum)
		}
	}
	f.joined[m] = sum
	return sum
}

// captured makes the arguments of a method of those of a function that calls it.
func (s *solution) captured(n int32, values []Value) []Value {
	b := s.methods[n].body
	if b == nil {
		return values
	}
	count := len(parameterTypes(b.Descriptor))
	if !b.Static {
		count++
	}
	own := Value{In: s.inside(values[0].all())}
	var out []Value
	for i := range count {
		if at := len(values) - count + i; at >= 1 {
			out = append(out, values[at])
		} else {
			out = append(out, own)
		}
	}
	return out
}

// apply does what a summary says.
func (s *solution) apply(sum *summary, values []Value, result int) {
	maps.Copy(s.asks, sum.asks)
	if len(sum.gets) == 0 && !slices.ContainsFunc(values, func(v Value) bool { return !v.none() }) {
		return
	}
	at := func(i int) Value {
		if i < len(values) {
			return values[i]
		}
		return Value{}
	}
	within := make([]set, len(values)) // made when asked for
	inside := func(i int, of bool) Value {
		if at(i).none() {
			return Value{}
		}
		if within[i].empty() {
			within[i] = s.inside(values[i].all())
		}
		if of {
			return Value{In: within[i], Of: values[i].from()}
		}
		return Value{In: within[i]}
	}
	given := !s.lazy || s.given(values[min(1, len(values)):])
	for e, v := range sum.changes {
		e.sets = e.sets && given
		v.Is.each(func(i int) { s.effect(e, at(i)) })
		v.In.each(func(i int) { s.effect(e, inside(i, v.Of.has(i))) })
	}
	sum.steps.each(func(i int) { s.grow(&s.advanced, at(i).Is) })
	sum.sizes.each(func(i int) { s.grow(&s.sized, at(i).Is) })
	for i, kept := range sum.held {
		kept.each(func(k int) { s.hold(at(i).all(), at(k).all()) })
	}
	for cell, of := range sum.keeps {
		of.each(func(k int) {
			if !at(k).none() {
				s.keep(cell, inside(k, false).In)
			}
		})
	}
	if result < 0 {
		return
	}
	sum.returns.Is.each(func(i int) { s.become(result, at(i)) })
	sum.returns.In.each(func(i int) { s.become(result, inside(i, sum.returns.Of.has(i))) })
	for cell, how := range sum.gets {
		var v Value
		switch root := s.rootOf(cell); how {
		case itself:
			v.Is.add(root)
		case part:
			v.In.add(root)
			v.Of.add(root)
		case vaguely:
			v.In.add(root)
			s.grow(&s.vague, v.In)
		}
		s.become(result, v)
	}
}

// function: what a function is called with, besides what it has captured, may come from whatever it is handed to.
func (s *solution) function(st *Step) error {
	values := s.values(st)
	var self Value
	self.Is.add(st.Result)
	for _, v := range values {
		s.hold(self.Is, v.all())
	}
	if st.Member.Class == "" || st.Member.Class[0] == '[' {
		return nil
	}
	class, err := s.typeOf(st.Member.Class)
	if err != nil {
		return err
	}
	if !s.types[class].ours {
		return s.foreign(st.Member, class, values, s.resolve(self))
	}
	to, err := s.follower.call(st.Member)
	for _, n := range to {
		given := slices.Clone(values)
		b := s.methods[n].body
		for b != nil && len(given) < len(parameterTypes(b.Descriptor))+1 {
			given = append(given, s.resolve(self))
		}
		s.want(n, given)
		sum := s.sums[n]
		s.apply(&sum, given, -1)
		sum.returns.all().each(func(i int) {
			if i < len(given) {
				s.hold(self.Is, given[i].all())
			}
		})
		for cell := range sum.gets {
			var v set
			v.add(s.rootOf(cell))
			s.hold(self.Is, v)
		}
	}
	return err
}

// foreign: a function that calls a method of the JDK or of a library may do so at any time.
func (s *solution) foreign(m Member, class int32, captured []Value, self Value) error {
	count := len(parameterTypes(m.Descriptor))
	if !m.Static {
		count++
	}
	if m.Name == "<init>" || count == 0 {
		return nil
	}
	given := slices.Clone(captured)
	for len(given) < count {
		given = append(given, self)
	}
	st := &Step{Kind: Calls, Member: m, Values: given[:count], Result: -1}
	if s.inJDK(m) {
		return s.callJDK(st, class, given[:count])
	}
	return s.callLibrary(st, given[:count])
}

// callFunctions: a call of an object that may be a function which calls a method of the JDK changes what the function has captured.
func (s *solution) callFunctions(m Member, of Value) error {
	if of.none() {
		return nil
	}
	owner, err := s.typeOf(m.Class)
	if err != nil {
		return err
	}
	for _, f := range s.lambdas[m.Name] {
		if f.Interface != s.types[owner].name || len(f.Captures) == 0 || !s.inJDK(f.Target) || f.Target.only("L"+f.Target.Class+";") || asks(f.Target) {
			continue
		}
		class, err := s.typeOf(f.Target.Class)
		if err != nil {
			return err
		}
		s.effect(effect{class, true}, Value{In: s.inside(of.all())})
	}
	return nil
}

// callBacks: what a call of the JDK is given may be called by it.
func (s *solution) callBacks(m Member, values []Value) error {
	types, values := m.parameters(values)
	for i, t := range types {
		if values[i].none() || t[0] != 'L' || t == "Ljava/lang/Object;" {
			continue
		}
		of, err := s.typeOf(fieldClass(t))
		if err != nil {
			return err
		}
		if !s.types[of].jdk {
			continue
		}
		backs, err := s.callbacksBelow(of)
		if err != nil {
			return err
		}
		for _, n := range backs {
			given := []Value{values[i]}
			s.want(n, given)
			s.apply(&s.sums[n], given, -1)
		}
	}
	return nil
}

// setStream: System.setOut and the like write a field.
func (s *solution) setStream(stream Member, values []Value) error {
	at, _, err := s.follower.field(stream)
	if err == nil && at < len(s.tied) {
		s.keep(at, s.inside(values[0].all()))
	}
	return err
}

// setsStream is the stream of java.lang.System that a method replaces.
func (m Member) setsStream() (stream Member, ok bool) {
	name, ok := strings.CutPrefix(m.Name, "set")
	name = strings.ToLower(name)
	return Member{Class: m.Class, Name: name, Descriptor: parameters(m.Descriptor), Static: true}, ok && standardStream(m.Class, name)
}

// standardStream tells whether a field is one of the streams of java.lang.System.
func standardStream(class, field string) bool {
	return class == "java/lang/System" && slices.Contains([]string{"in", "out", "err"}, field)
}

// standardOutput tells whether a cell is a stream to which programs write: who writes to it does not read what others wrote.
func standardOutput(label string) bool {
	return label == "java/lang/System.out" || label == "java/lang/System.err"
}

// callLibrary: what a library does is not followed. It may change what it is given by types that it knows, unless it is known for looking only.
func (s *solution) callLibrary(st *Step, values []Value) error {
	looks := framework(st.Member.Class) || slices.ContainsFunc(asserting, func(p string) bool { return strings.HasPrefix(st.Member.Class, p) })
	for _, v := range values {
		s.become(st.Result, Value{Is: v.Is, In: s.inside(v.all()), Of: v.Of})
	}
	if looks {
		return nil
	}
	if !st.Member.Static {
		class, err := s.typeOf(st.Member.Class)
		if err != nil {
			return err
		}
		s.change(class, values[0], values[1:]...)
	}
	return s.changeArguments(st.Member, values)
}

// changeArguments changes the arguments of a call as far as their types are arrays or of the JDK.
func (s *solution) changeArguments(m Member, values []Value) error {
	types, values := m.parameters(values)
	for i, t := range types {
		if values[i].none() || !holdsMore(t) {
			continue
		}
		of, err := s.changedType(fieldClass(t))
		if err != nil {
			return err
		}
		s.change(of, values[i])
	}
	return nil
}

// parameters are the types of a method's parameters, and what a call gives for them: the object that it is called on comes before.
func (m Member) parameters(values []Value) ([]string, []Value) {
	types := parameterTypes(m.Descriptor)
	return types, values[len(values)-len(types):]
}

// asserting are libraries that look at what they are given.
var asserting = []string{"org/assertj/", "org/hamcrest/", "com/google/common/truth/", "kotlin/test/", "kotlin/jvm/internal/Intrinsics"}

// callJDK does what a method of the JDK may do.
func (s *solution) callJDK(st *Step, class int32, values []Value) error {
	m := st.Member
	switch {
	case m.Name == "<init>":
		s.constructJDK(m, values)
	case m.Class == "java/lang/System" && m.Name == "arraycopy" && len(values) > 2:
		s.store(values[2], values[0])
	case m.setsElement() && len(values) > 2:
		s.store(values[0], values[2])
	case m.Static:
		for _, v := range values {
			s.become(st.Result, Value{Is: v.Is, In: s.inside(v.all()), Of: v.Of})
		}
		if altersArguments(m) {
			return s.changeArguments(m, values)
		}
	case strings.HasPrefix(m.Class, "java/util/function/"):
		return s.callTargets(st, values)
	default:
		return s.callObject(st, class, values)
	}
	return nil
}

// store puts something into an array of whatever type.
func (s *solution) store(array, what Value) {
	for t := changed(-1); t >= -8; t-- {
		s.change(t, array)
	}
	s.hold(array.all(), what.all())
}

// setsElement tells whether a method sets an element of an array by reflection.
func (m Member) setsElement() bool {
	return m.Class == "java/lang/reflect/Array" && strings.HasPrefix(m.Name, "set")
}

// copies tells whether a constructor of a class of the JDK copies what it is given: the new object holds the same elements.
func copies(class string) bool {
	return strings.HasPrefix(class, "java/util/") && !slices.Contains([]string{"java/util/Scanner", "java/util/Formatter", "java/util/Properties", "java/util/concurrent/FutureTask"}, class) || strings.HasPrefix(class, "java/lang/String")
}

// constructJDK: a new object of the JDK holds what it is made of, or goes through to it.
func (s *solution) constructJDK(m Member, values []Value) {
	for _, v := range values[1:] {
		if copies(m.Class) {
			s.hold(values[0].all(), v.all())
			continue
		}
		values[0].all().each(func(i int) {
			s.grow(&s.same[i], v.all())
			s.grow(&s.holds[i], v.all())
		})
	}
}

// callObject does what a method of an object of the JDK may do.
func (s *solution) callObject(st *Step, class int32, values []Value) error {
	m, of := st.Member, values[0]
	for _, v := range values[1:] {
		if err := s.meets(v, of); err != nil {
			return err
		}
	}
	if err := s.callBacks(m, values); err != nil {
		return err
	}
	if m.Name == "collect" && strings.HasPrefix(m.Class, "java/util/stream/") {
		if err := s.collect(values); err != nil {
			return err
		}
	}
	if _, writes := m.usesHandle(); writes && len(values) > 1 {
		for _, class := range s.byHandle {
			s.effect(effect{class, true}, values[1])
		}
	}
	put := values[1:]
	if len(put) > 1 && slices.Contains(keyed, m.Name) {
		s.grow(&s.keyed, put[0].all())
		put = put[1:]
	}
	look := (m.only("L"+m.Class+";") || asks(m)) && !strings.HasPrefix(m.Name, "getAnd")
	if !look {
		switch moves := m.Name == "next" || m.Name == "previous" || m.Name == "nextElement"; {
		case slices.Contains(cursors, m.Class) && moves:
			s.change(moved, of)
		case slices.Contains(cursors, m.Class):
			s.change(class, of, put...)
			s.change(class, Value{In: s.inside(of.all()), Of: of.Of}, put...)
		default:
			s.change(class, of, put...)
		}
		if slices.Contains(stepping, m.Name) || strings.HasPrefix(m.Name, "next") {
			s.grow(&s.advanced, of.all())
		}
		for _, v := range values[1:] {
			s.hold(of.all(), v.all())
		}
		if strings.HasPrefix(m.Name, "read") || strings.HasPrefix(m.Name, "get") || m.Name == "toArray" {
			if err := s.changeArguments(m, values); err != nil {
				return err
			}
		}
	}
	if st.Result >= 0 {
		s.resultOfObject(st, values)
	}
	return nil
}

// collect: a stream puts its elements into what the functions of a collector lead to, and calls each with what others give.
func (s *solution) collect(values []Value) error {
	for _, name := range []string{"java/util/Collection", "java/util/Map"} {
		class, err := s.typeOf(name)
		if err != nil {
			return err
		}
		for _, v := range values[1:] {
			s.change(class, Value{Is: s.inside(v.all())}, values[0])
		}
	}
	for _, v := range values[1:] {
		for _, w := range values[1:] {
			if err := s.meets(v, w); err != nil {
				return err
			}
		}
		s.hold(s.inside(v.all()), values[0].all())
	}
	return nil
}

// resultOfObject is what a method of an object of the JDK returns.
func (s *solution) resultOfObject(st *Step, values []Value) {
	m, of := st.Member, values[0]
	inside := s.inside(of.all())
	switch {
	case slices.Contains(taking, m.Name):
		// it is no longer there
	case slices.Contains(parting, m.Name):
		s.become(st.Result, Value{In: inside, Of: of.from()})
	case slices.Contains(cursors, fieldClass(returned(m.Descriptor))) && !slices.Contains(cursors, m.Class):
		s.cursor(st.Result, of)
	default:
		s.become(st.Result, Value{Is: of.Is, In: inside, Of: of.Of})
	}
	if returned(m.Descriptor) == "Ljava/lang/Object;" {
		for _, v := range values[1:] {
			s.become(st.Result, v)
		}
	}
}

// asks tells whether the name of a method of the JDK says that it changes nothing.
func asks(m Member) bool {
	if advances(m.Class) || strings.HasPrefix(m.Name, "getAnd") || strings.Contains(parameters(m.Descriptor), "[") {
		return false
	}
	return slices.ContainsFunc([]string{"get", "is", "has", "contains", "to", "compare", "matches", "format", "index"}, func(p string) bool { return strings.HasPrefix(m.Name, p) })
}

// meets: a function that an object of the JDK is given may be called with what the object leads to.
func (s *solution) meets(function, of Value) (err error) {
	function.Is.each(func(i int) {
		if i >= len(s.flow.Sources) || !s.flow.Sources[i].New || err != nil {
			return
		}
		var called bool
		if called, err = s.calledBack(s.flow.Sources[i].Class); !called {
			return
		}
		s.grow(&s.same[i], s.inside(of.all()))
		if s.made.has(i) {
			s.grow(&s.is[i].Of, of.from())
		}
	})
	return err
}

// calledBack tells whether the JDK may call an object of a class with others that it has. What it asks keys and elements for changes nothing.
func (s *solution) calledBack(class string) (bool, error) {
	if class == "" {
		return true, nil
	}
	of, err := s.typeOf(class)
	if err != nil || !s.types[of].ours || slices.ContainsFunc(s.types[of].above, func(up int32) bool { return s.types[up].class == nil }) {
		return true, err
	}
	backs, err := s.callbacks(class)
	return slices.ContainsFunc(backs, func(n int32) bool {
		b := s.methods[n].body
		return b == nil || !slices.Contains(inquiries, b.Name)
	}), err
}

// cursor: an iterator is a new object, whose own state does not matter to what it goes through.
func (s *solution) cursor(result int, of Value) {
	s.is[result].Is.add(result)
	s.grow(&s.holds[result], of.all())
	s.grow(&s.is[result].Of, of.from())
}

var (
	// cursors are types of objects with a place of their own in something else.
	cursors = []string{"java/util/Iterator", "java/util/ListIterator", "java/util/Spliterator", "java/util/Enumeration", "java/util/regex/Matcher", "java/util/stream/Stream", "java/util/stream/IntStream"}
	// parting are methods that return something that an object holds.
	parting = []string{"get", "getOrDefault", "next", "previous", "peek", "first", "last", "getFirst", "getLast", "element", "orElse", "getKey", "getValue", "computeIfAbsent", "put", "putIfAbsent", "nextElement"}
	// taking are methods that return something that an object held before.
	taking = []string{"remove", "poll", "pop", "take", "pollFirst", "pollLast", "removeFirst", "removeLast", "getAndSet"}
	// keyed are methods of maps whose first argument is a key.
	keyed = []string{"put", "putIfAbsent", "computeIfAbsent", "computeIfPresent", "compute", "merge", "replace", "getOrDefault"}
	// inquiries are methods by which the JDK compares and shows objects.
	inquiries = []string{"equals", "hashCode", "toString", "compareTo"}
	// stepping are methods whose result or effect depends on what was done before.
	stepping = []string{"incrementAndGet", "getAndIncrement", "decrementAndGet", "getAndDecrement", "addAndGet", "getAndAdd", "getAndUpdate", "updateAndGet", "getAndAccumulate", "accumulateAndGet", "increment",
		"remove", "poll", "pop", "take", "pollFirst", "pollLast", "removeFirst", "removeLast", "find"}
)

// altersArguments tells whether a static method of the JDK may change an object that it is given.
func altersArguments(m Member) bool {
	switch m.Class {
	case "java/util/Collections":
		return slices.Contains([]string{"addAll", "sort", "shuffle", "reverse", "swap", "fill", "rotate", "replaceAll", "copy"}, m.Name)
	case "java/util/Arrays":
		return slices.Contains([]string{"fill", "sort", "setAll", "parallelSort", "parallelSetAll", "parallelPrefix"}, m.Name)
	}
	return false
}
