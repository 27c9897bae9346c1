// Package loss says which tests execute changed methods, with a decoder that shares nothing with what it judges.
//
// Terms:
//
//   - The methods of a revision have digests of their instructions as ASM lists them, without debug information: the ASM that the JDK has inside. A method differs between two
//     revisions if its digests differ, or if one of them does not have it.
//   - A test executes a method if a note that ASM put at the beginning of the method says so. Every test runs in a class loader of its own.
//   - T_o are the tests that execute a method that differs. By the paper on JcgEks: at the new revision. Ours: at the new one a changed or added method, or at the old one a
//     changed or removed one.
//   - A method is renumbered if the other revision has one whose name and instructions are the same up to numbers that compilers give ($1, lambda$m$0).
//
// Guarantee: tests that execute nothing that differs but renumbered methods are listed apart, not dropped.
//
// Not here: nothing is selected or judged. ASM inside the JDK is there up to JDK 23, so the decoder needs such a JDK; its pool needs Options.
package loss

import (
	"context"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"winnow/internal/check/pool"
)

//go:embed java/*.java
var sources embed.FS

// Options are what the JVMs of the pool need.
var Options = []string{
	"--add-exports", "java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED", "--add-exports", "java.base/jdk.internal.org.objectweb.asm.util=ALL-UNNAMED",
}

// ErrAnswer says that the decoder gave something that cannot be understood.
var ErrAnswer = errors.New("not an answer of the decoder")

// A Decoder decodes and runs programs in a pool.
type Decoder struct {
	pool    *pool.Pool
	decoder map[string][]byte // its classes
	hits    []byte
}

// New compiles the decoder.
func New(ctx context.Context, p *pool.Pool) (*Decoder, error) {
	files := map[string]string{}
	for _, name := range []string{"JudgeTest", "Hits"} {
		text, err := sources.ReadFile("java/" + name + ".java")
		if err != nil {
			return nil, err
		}
		files["winnow/judge/"+name+".java"] = string(text)
	}
	made, err := p.Compile(ctx, pool.Source{Files: files, Options: Options})
	if err != nil {
		return nil, err
	}
	if !made.OK {
		return nil, fmt.Errorf("the decoder does not compile on this JDK: %s", made.Diagnostics)
	}
	return &Decoder{pool: p, decoder: made.Classes, hits: made.Classes["winnow/judge/Hits"]}, nil
}

// A method is one of a revision: its digests, as they are and without numbers.
type method struct{ digest, normal string }

// A Revision is what the decoder knows of one.
type Revision struct {
	methods map[string]method // "owner TAB name and descriptor"
	// Executed has the methods that each test entered, as Name writes them.
	Executed map[string][]string
}

// Name is how a revision names a method.
func Name(class, name, descriptor string) string { return class + "\t" + name + descriptor }

// Decode decodes the classes of a revision. Which tests executed what is for the caller to say.
func (d *Decoder) Decode(ctx context.Context, classes map[string][]byte) (*Revision, error) {
	all := &Revision{methods: map[string]method{}, Executed: map[string][]string{}}
	for names := range slices.Chunk(slices.Sorted(maps.Keys(classes)), atOnce) {
		some := map[string][]byte{}
		for _, name := range names {
			some[name] = classes[name]
		}
		r, _, err := d.decode(ctx, some)
		if err != nil {
			return nil, err
		}
		maps.Copy(all.methods, r.methods)
	}
	return all, nil
}

// atOnce is how many classes of a large program are in one request.
const atOnce = 200

// Look decodes the classes of a revision and runs its tests.
func (d *Decoder) Look(ctx context.Context, classes map[string][]byte, resources map[string]string, tests []pool.TestID) (*Revision, error) {
	r, noted, err := d.decode(ctx, classes)
	if err != nil {
		return nil, err
	}
	noted["winnow/judge/Hits"] = d.hits
	wrapped, names := wrapper(tests)
	made, err := d.pool.Compile(ctx, pool.Source{Files: map[string]string{"winnow/judge/AllTest.java": wrapped}, On: noted})
	if err != nil {
		return nil, err
	}
	if !made.OK {
		return nil, fmt.Errorf("wrapping tests: %s", made.Diagnostics)
	}
	maps.Copy(noted, made.Classes)
	run, err := d.pool.Run(ctx, pool.Job{Classes: noted, Resources: resources, Tests: names, Isolation: pool.PerTest})
	if err != nil {
		return nil, err
	}
	for i, o := range run.Outcomes {
		text, err := unquote(o.State)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", tests[i], err)
		}
		r.Executed[tests[i].String()] = strings.Split(text, "\n")
	}
	return r, nil
}

// decode asks for digests and for classes with notes.
func (d *Decoder) decode(ctx context.Context, classes map[string][]byte) (*Revision, map[string][]byte, error) {
	var in strings.Builder
	for _, name := range slices.Sorted(maps.Keys(classes)) {
		in.WriteString(base64.StdEncoding.EncodeToString(classes[name]) + "\n")
	}
	id := pool.TestID{Class: "winnow.judge.JudgeTest", Method: "decode"}
	run, err := d.pool.Run(ctx, pool.Job{Classes: d.decoder, Resources: map[string]string{"classes.txt": in.String()}, Tests: []pool.TestID{id}})
	if err != nil {
		return nil, nil, err
	}
	text, err := unquote(run.Outcomes[0].State)
	if err != nil {
		return nil, nil, err
	}
	return read(text)
}

// unquote reads a state that is one text.
func unquote(state string) (string, error) {
	text, ok := strings.CutPrefix(strings.TrimSuffix(state, "\n"), `v0 = "`)
	text, end := strings.CutSuffix(text, `"`)
	if !ok || !end {
		return "", fmt.Errorf("%.200q: %w", state, ErrAnswer)
	}
	return strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\"`, `"`).Replace(text), nil
}

// read reads the decoder's answer.
func read(text string) (*Revision, map[string][]byte, error) {
	r := &Revision{methods: map[string]method{}, Executed: map[string][]string{}}
	noted := map[string][]byte{}
	for line := range strings.Lines(text) {
		kind, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		f := strings.Split(rest, "\t")
		switch {
		case kind == "M" && len(f) == 4:
			r.methods[f[0]+"\t"+f[1]] = method{f[2], f[3]}
		case kind == "C" && len(f) == 2:
			data, err := base64.StdEncoding.DecodeString(f[1])
			if err != nil {
				return nil, nil, fmt.Errorf("class %s: %w", f[0], err)
			}
			noted[f[0]] = data
		default:
			return nil, nil, fmt.Errorf("%.100q: %w", line, ErrAnswer)
		}
	}
	return r, noted, nil
}

// wrapper has a test for each test that runs it and returns what was entered.
func wrapper(tests []pool.TestID) (source string, names []pool.TestID) {
	var b strings.Builder
	b.WriteString("package winnow.judge;\npublic class AllTest {\n")
	for i, t := range tests {
		name := fmt.Sprintf("w%d", i)
		names = append(names, pool.TestID{Class: "winnow.judge.AllTest", Method: name})
		fmt.Fprintf(&b, "public Object %s() { try { new %s().%s(); } catch (Throwable e) { } return Hits.text(); }\n", name, t.Class, t.Method)
	}
	return b.String() + "}\n", names
}

// A Comparison is which tests execute what differs between two revisions, each with one such method.
type Comparison struct {
	// Paper: at the new revision, a changed or added method. Ours: that, or at the old revision a changed or removed one. Renumbered methods do not count.
	Paper, Ours map[string]string
	// Renumbered are tests that are in neither, and execute a renumbered method.
	Renumbered map[string]string
}

// Compare finds the tests that execute what differs.
func Compare(old, now *Revision) *Comparison {
	c := &Comparison{map[string]string{}, map[string]string{}, map[string]string{}}
	gone, goneNumbers := differing(old, now)
	come, comeNumbers := differing(now, old)
	c.add(c.Paper, now, come)
	c.add(c.Ours, now, come)
	c.add(c.Ours, old, gone)
	c.add(c.Renumbered, now, comeNumbers)
	c.add(c.Renumbered, old, goneNumbers)
	maps.DeleteFunc(c.Renumbered, func(test, _ string) bool { return c.Ours[test] != "" })
	return c
}

func (c *Comparison) add(to map[string]string, r *Revision, methods map[string]bool) {
	for id, executed := range r.Executed {
		for _, m := range executed {
			if methods[m] && to[id] == "" {
				to[id] = strings.ReplaceAll(m, "\t", ".")
			}
		}
	}
}

var number = regexp.MustCompile(`\$\d+`)

// differing are the methods that another revision does not have in the same form; apart, those that it has with other numbers.
func differing(of, other *Revision) (differ, renumbered map[string]bool) {
	differ, renumbered = map[string]bool{}, map[string]bool{}
	normal := map[string]bool{}
	for name, m := range other.methods {
		normal[number.ReplaceAllString(name, "$$N")+" "+m.normal] = true
	}
	for name, m := range of.methods {
		if o, ok := other.methods[name]; ok && o.digest == m.digest {
			continue
		}
		if normal[number.ReplaceAllString(name, "$$N")+" "+m.normal] {
			renumbered[name] = true
		} else {
			differ[name] = true
		}
	}
	return differ, renumbered
}
