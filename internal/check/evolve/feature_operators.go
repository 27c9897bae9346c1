package evolve

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

func featureOperators() []Operator {
	return []Operator{
		{"M1", "add a default method to an interface", addDefaultMethods},
		{"M2", "add a static initializer", addStaticInitializers},
		{"M3", "add a lambda before others", addLambdas},
		{"M4", "exchange two constants of an enum", exchangeConstants},
		{"M5", "add a constant to an enum, as the first", addConstants},
		{"M6", "exchange two components of a record", exchangeComponents},
		{"M7", "add a subclass to a sealed class", addPermitted},
		{"M8", "bound a type parameter", boundTypeParams},
		{"M9", "change a value of an annotation", changeAnnotations},
		{"M10", "throw an exception", throwExceptions},
		{"M11", "catch another exception", catchOthers},
		{"M12", "add a field that only reflection shows", addUnusedFields},
		{"M13", "add an anonymous class before others", addAnonymousClasses},
		{"M14", "add an overload", addOverloads},
		{"M15", "change or remove a resource", changeResources},
		{"M16", "add a method that the JDK calls", addCallBacks},
		{"M17", "remove an interface", removeInterfaces},
		{"M18", "move a class to another package", moveClasses},
	}
}

// prepend puts a member before all others.
func prepend(c *Class, m *Member) { c.Members = slices.Insert(c.Members, 0, m) }

// value is an expression of a type that nothing in the programs gives.
func value(kind string) (string, bool) {
	switch kind {
	case "int", "long", "Object", "double":
		return "77", true
	case "String":
		return `"77"`, true
	case "boolean":
		return "true", true
	}
	return "", false
}

// addDefaultMethods adds to each interface each method that another class has and the interface has not.
func addDefaultMethods(e *editor) {
	e.classes(func(i int, c *Class, name string) {
		if c.Kind != InterfaceKind {
			return
		}
		seen := map[string]bool{}
		e.members(MethodMember, func(_, _ int, _ *Class, m *Member, _ string) {
			result, ok := value(m.Type)
			if !ok || c.has(m) || is(m.Modifiers, "static") || is(m.Modifiers, "private") || seen[m.signature()] {
				return
			}
			seen[m.signature()] = true
			e.add(name+" with "+m.label(), i, func(_ *Program, c *Class) {
				added := &Member{Kind: MethodMember, Modifiers: []string{"public", "default"}, Type: m.Type, Name: m.Name, HasBody: true}
				added.Params, added.Body = slices.Clone(m.Params), []string{"return " + result + ";"}
				c.Members = append(c.Members, added)
			})
		})
	})
}

// addStaticInitializers adds to each class an initializer that changes its static numbers, or one that does nothing that can be seen.
func addStaticInitializers(e *editor) {
	e.classes(func(i int, c *Class, name string) {
		if c.Kind != ClassKind && c.Kind != EnumKind && c.Kind != RecordKind {
			return
		}
		added := &Member{Kind: InitMember, Modifiers: []string{"static"}, HasBody: true}
		for _, m := range c.Members {
			if m.Kind == FieldMember && is(m.Modifiers, "static") && !is(m.Modifiers, "final") && (m.Type == "int" || m.Type == "long") {
				added.Body = append(added.Body, m.Name+" = "+m.Name+" + 7;")
			}
		}
		if len(added.Body) == 0 {
			added.Body = []string{"Math.abs(7);"}
		}
		e.add(name, i, func(_ *Program, c *Class) { c.Members = append(c.Members, added.Clone()) })
	})
}

// mentions tells whether some body or initializer of a class has tokens in a row; "" stands for any token.
func (c *Class) mentions(row ...string) bool {
	for _, m := range c.Members {
		for _, text := range m.texts() {
			if find(mustLex(*text), row) {
				return true
			}
		}
	}
	return false
}

func find(tokens []token, row []string) bool {
	for i := range tokens {
		k := 0
		for k < len(row) && i+k < len(tokens) && (row[k] == "" || tokens[i+k].text == row[k]) {
			k++
		}
		if k == len(row) {
			return true
		}
	}
	return false
}

func addLambdas(e *editor) {
	e.classes(func(i int, c *Class, name string) {
		if !c.mentions("->") {
			return
		}
		e.add(name, i, func(_ *Program, c *Class) {
			prepend(c, &Member{Kind: MethodMember, Modifiers: []string{"static"}, Type: "Runnable", Name: "addedLambda", HasBody: true, Body: []string{"return () -> { };"}})
		})
	})
}

func addAnonymousClasses(e *editor) {
	e.classes(func(i int, c *Class, name string) {
		if !c.mentions(")", "{") {
			return
		}
		e.add(name, i, func(_ *Program, c *Class) {
			prepend(c, &Member{Kind: MethodMember, Modifiers: []string{"static"}, Type: "Object", Name: "addedClass", HasBody: true, Body: []string{"return new Object() { };"}})
		})
	})
}

func exchangeConstants(e *editor) {
	e.classes(func(i int, c *Class, name string) {
		for j := 1; j < len(c.Constants); j++ {
			e.add(fmt.Sprintf("%s.%d", name, j), i, func(_ *Program, c *Class) {
				c.Constants[j-1], c.Constants[j] = c.Constants[j], c.Constants[j-1]
			})
		}
	})
}

// addConstants makes the new constant like the first one, so that it has the arguments that it needs.
func addConstants(e *editor) {
	e.classes(func(i int, c *Class, name string) {
		if len(c.Constants) == 0 {
			return
		}
		tokens := mustLex(c.Constants[0])
		at := slices.IndexFunc(tokens, func(t token) bool { return t.kind == word })
		if at < 0 {
			return
		}
		tokens[at].text = "ADDED"
		e.add(name, i, func(_ *Program, c *Class) { c.Constants = slices.Insert(c.Constants, 0, join(tokens)) })
	})
}

func exchangeComponents(e *editor) {
	e.classes(func(i int, c *Class, name string) {
		for j := 1; j < len(c.Components); j++ {
			e.add(fmt.Sprintf("%s.%d", name, j), i, func(_ *Program, c *Class) {
				c.Components[j-1], c.Components[j] = c.Components[j], c.Components[j-1]
			})
		}
	})
}

// addPermitted adds a class below each sealed class or interface of the top level. It is abstract, so that it need not have any method.
func addPermitted(e *editor) {
	e.classes(func(i int, c *Class, name string) {
		if !is(c.Modifiers, "sealed") || c.Package == "" || len(c.Permits) == 0 {
			return
		}
		e.add(name, i, func(p *Program, c *Class) {
			added := &Class{Package: c.Package, Modifiers: []string{"public", "abstract", "non-sealed"}, Kind: ClassKind, Name: c.Name + "Added"}
			if c.Kind == InterfaceKind {
				added.Implements = []string{c.Name}
			} else {
				added.Extends = c.Name
			}
			c.Permits = append(c.Permits, added.Name)
			p.Classes = append(p.Classes, added)
		})
	})
}

// boundTypeParams changes what a type variable is erased to.
func boundTypeParams(e *editor) {
	bound := func(params string) (string, bool) {
		tokens := mustLex(params)
		if len(tokens) != 3 {
			return "", false
		}
		return "<" + tokens[1].text + " extends Comparable<" + tokens[1].text + ">>", true
	}
	e.classes(func(i int, c *Class, name string) {
		if text, ok := bound(c.TypeParams); ok {
			e.add(name, i, func(_ *Program, c *Class) { c.TypeParams = text })
		}
		for j, m := range c.Members {
			if text, ok := bound(m.TypeParams); ok {
				e.add(name+"."+m.label(), i, func(_ *Program, c *Class) { c.Members[j].TypeParams = text })
			}
		}
	})
}

// changeAnnotations changes the first number or text of each annotation, and of the default of each element.
func changeAnnotations(e *editor) {
	e.classes(func(i int, c *Class, name string) {
		for k, a := range c.Annotations {
			if text, ok := changed(a); ok {
				e.add(fmt.Sprintf("%s@%d", name, k), i, func(_ *Program, c *Class) { c.Annotations[k] = text })
			}
		}
		for j, m := range c.Members {
			for k, a := range m.Annotations {
				if text, ok := changed(a); ok {
					e.add(fmt.Sprintf("%s.%s@%d", name, m.label(), k), i, func(_ *Program, c *Class) { c.Members[j].Annotations[k] = text })
				}
			}
			if text, ok := changed(m.Init); ok && c.Kind == AnnotationKind {
				e.add(name+"."+m.label(), i, func(_ *Program, c *Class) { c.Members[j].Init = text })
			}
		}
	})
}

// changed is a text with another first number or string.
func changed(text string) (string, bool) {
	tokens := mustLex(text)
	for i, t := range tokens {
		if more, ok := increased(t); ok {
			tokens[i].text = more
			return join(tokens), true
		}
		if t.kind == quoted && strings.HasPrefix(t.text, `"`) && !strings.HasPrefix(t.text, `"""`) {
			tokens[i].text = `"changed ` + t.text[1:]
			return join(tokens), true
		}
	}
	return "", false
}

func throwExceptions(e *editor) {
	e.members(MethodMember, func(i, j int, c *Class, m *Member, name string) {
		if m.HasBody {
			e.add(name, i, func(_ *Program, c *Class) {
				c.Members[j].Body = []string{`throw new IllegalStateException("thrown");`}
			})
		}
	})
}

// catchOthers makes handlers of unchecked exceptions catch less.
func catchOthers(e *editor) {
	e.classes(func(i int, c *Class, name string) {
		for j, m := range c.Members {
			for k, statement := range m.Body {
				if less := strings.Replace(statement, "catch (RuntimeException ", "catch (IllegalArgumentException ", 1); less != statement {
					e.add(fmt.Sprintf("%s.%s#%d", name, m.label(), k), i, func(_ *Program, c *Class) { c.Members[j].Body[k] = less })
				}
			}
		}
	})
}

func addUnusedFields(e *editor) {
	e.classes(func(i int, c *Class, name string) {
		if c.Kind == InterfaceKind || c.Kind == AnnotationKind {
			return
		}
		e.add(name, i, func(_ *Program, c *Class) {
			c.Members = append(c.Members, &Member{Kind: FieldMember, Modifiers: []string{"private", "static"}, Type: "int", Name: "unused"})
		})
	})
}

// addOverloads adds a method that fits some calls better.
func addOverloads(e *editor) {
	narrower := map[string]string{"long": "int", "Object": "String", "double": "int", "int": "short"}
	e.members(MethodMember, func(i, j int, c *Class, m *Member, name string) {
		if len(m.Params) != 1 || narrower[m.Params[0].Type] == "" || !m.HasBody {
			return
		}
		result, ok := value(m.Type)
		added := m.Clone()
		added.Params[0].Type = narrower[m.Params[0].Type]
		added.Body = []string{"return " + result + ";"}
		if ok && !c.has(added) {
			e.add(name, i, func(_ *Program, c *Class) { c.Members = append(c.Members, added.Clone()) })
		}
	})
}

func changeResources(e *editor) {
	for _, path := range slices.Sorted(maps.Keys(e.program.Resources)) {
		edit := func(how string, do func(all map[string]string)) {
			p := e.program.Clone()
			do(p.Resources)
			e.variants = append(e.variants, Variant{e.operator, path + " " + how, p})
		}
		edit("changed", func(all map[string]string) { all[path] = "changed\n" + all[path] })
		edit("removed", func(all map[string]string) { delete(all, path) })
	}
}

// addCallBacks adds to each class what the JDK may call: toString, hashCode, equals.
func addCallBacks(e *editor) {
	e.classes(func(i int, c *Class, name string) {
		if c.Kind != ClassKind && c.Kind != RecordKind {
			return
		}
		for _, m := range []*Member{
			{Kind: MethodMember, Modifiers: []string{"public"}, Type: "String", Name: "toString", HasBody: true, Body: []string{`return "added";`}},
			{Kind: MethodMember, Modifiers: []string{"public"}, Type: "int", Name: "hashCode", HasBody: true, Body: []string{"return 5;"}},
			{Kind: MethodMember, Modifiers: []string{"public"}, Type: "boolean", Name: "equals", Params: []Param{{"Object", "o"}}, HasBody: true, Body: []string{"return o != null && o.getClass() == getClass();"}},
		} {
			if !c.has(m) {
				e.add(name+"."+m.Name, i, func(_ *Program, c *Class) { c.Members = append(c.Members, m.Clone()) })
			}
		}
	})
}

func removeInterfaces(e *editor) {
	e.classes(func(i int, c *Class, name string) {
		for j, from := range c.Implements {
			e.add(name+" from "+from, i, func(_ *Program, c *Class) {
				if c.Implements = slices.Delete(c.Implements, j, j+1); len(c.Implements) == 0 {
					c.Implements = nil
				}
			})
		}
	})
}

// moveClasses moves each top-level class to each other package of the program, and changes where it is named with its package.
func moveClasses(e *editor) {
	packages := map[string]bool{}
	for _, c := range e.program.Classes {
		packages[c.Package] = true
	}
	e.classes(func(i int, c *Class, name string) {
		for _, to := range slices.Sorted(maps.Keys(packages)) {
			if c.Package == "" || to == c.Package || to == "" {
				continue
			}
			e.add(name+" to "+to, i, func(p *Program, c *Class) {
				row := mustLex(name)
				c.Package = to
				p.rename(row, to+"."+c.Name)
			})
		}
	})
}

// rename replaces a name in all texts of a program.
func (p *Program) rename(from []token, to string) {
	for _, c := range p.all() {
		for _, text := range c.codeTexts() {
			*text = replaced(*text, from, to)
		}
	}
}

// codeTexts are all parts of a class in which a name can stand, but for those of classes inside of it.
func (c *Class) codeTexts() []*string {
	out := []*string{&c.TypeParams, &c.Extends}
	for _, list := range [][]string{c.Imports, c.Annotations, c.Implements, c.Permits, c.Constants} {
		for i := range list {
			out = append(out, &list[i])
		}
	}
	for i := range c.Components {
		out = append(out, &c.Components[i].Type)
	}
	for _, m := range c.Members {
		out = append(append(out, m.texts()...), &m.TypeParams, &m.Type)
		for i := range m.Params {
			out = append(out, &m.Params[i].Type)
		}
		for _, list := range [][]string{m.Annotations, m.Throws} {
			for i := range list {
				out = append(out, &list[i])
			}
		}
	}
	return out
}

func replaced(text string, from []token, to string) string {
	tokens := mustLex(text)
	row := make([]string, len(from))
	for i, t := range from {
		row[i] = t.text
	}
	for i := 0; i+len(row) <= len(tokens); i++ {
		if !find(tokens[i:i+len(row)], row) || i > 0 && tokens[i-1].text == "." {
			continue
		}
		t := tokens[i]
		t.text = to
		tokens = slices.Replace(tokens, i, i+len(row), t)
	}
	return join(tokens)
}
