package hierarchy

import (
	"slices"
	"strings"
	"testing"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
)

const (
	public    = classfile.Public
	private   = classfile.Private
	static    = classfile.Static
	abstract  = classfile.Abstract
	final     = classfile.Final
	iface     = classfile.Interface | classfile.Abstract | classfile.Public
	stringing = "()Ljava/lang/String;"
)

func m(access classfile.Flags) []Member { return []Member{{"m", stringing, access}} }

func virtual(class, from string, receivers ...string) use {
	return use{Site{bytecode.Invokevirtual, Ref{Tag: classfile.TagMethodref, Class: class, Name: "m", Descriptor: stringing}, from, "use"}, receivers}
}

func viaInterface(class, from string, receivers ...string) use {
	return use{Site{bytecode.Invokeinterface, Ref{Tag: classfile.TagInterfaceMethodref, Class: class, Name: "m", Descriptor: stringing}, from, "use"}, receivers}
}

// A departure is a program about which HotSpot and the specification may disagree.
type departure struct {
	name     string
	program  program
	want     []string // on JDK 25
	on17     []string // nil: the same
	bySpec   string   // what the specification says of the last receiver of the first use
	departed bool     // HotSpot says something else of it
}

// TestDeviations shows where HotSpot departs from the words of the specification. Each answer is checked on both JVMs.
func TestDeviations(t *testing.T) {
	for _, feature := range []int{17, 25} {
		j := newJudge(t, feature)
		platform := j.platform(t)
		for _, d := range departures {
			t.Run(d.name, func(t *testing.T) { d.judge(t, j, platform) })
		}
	}
}

func (d *departure) judge(t *testing.T, j *judge, platform map[string]*Class) {
	c, err := prepare(&d.program, platform, j.feature)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.run([]*executable{c.code}, func(_ int, o outcomes) { c.got = o }); err != nil {
		t.Fatal(err)
	}
	want := d.want
	if j.feature == 17 && d.on17 != nil {
		want = d.on17
	}
	if got := owners(c.got.calls); !slices.Equal(got, want) {
		t.Errorf("JDK %d: got %q, want %q", j.feature, got, want)
	}
	if bad := c.wrong(); len(bad) > 0 {
		t.Errorf("JDK %d: %s", j.feature, strings.Join(bad, "\n"))
	}
	first := d.program.uses[0]
	last := first.receivers[len(first.receivers)-1]
	r := c.world.Link(first.Site)
	said, spec := c.world.Select(last, r), bySpecification(c.world.load(last), r)
	if r.Throws != None {
		return // the specification knows no such resolution
	}
	if spec.String() != d.bySpec || (said.String() != spec.String()) != d.departed {
		t.Errorf("by the specification %s, here %s", spec, said)
	}
}

var departures = []departure{
	{
		name: "a final method is not replaced by one that overrides only what it overrides",
		program: program{
			classes: []*Class{
				{Name: "r/A", Major: 61, Super: object, Access: public, Methods: m(public)},
				{Name: "p/C", Major: 61, Super: "r/A", Access: public, Methods: m(final)},
				{Name: "r/D", Major: 61, Super: "p/C", Access: public, Methods: m(public)},
			},
			uses: []use{virtual("p/C", "p/C", "r/D"), virtual("r/A", "r/A", "r/D")},
		},
		want: []string{"p/C", "r/D"}, bySpec: "p/C",
	},
	{
		name: "no transitive overriding below version 51",
		program: program{
			classes: []*Class{
				{Name: "p/A", Major: 50, Super: object, Access: public, Methods: m(public)},
				{Name: "q/C", Major: 50, Super: "p/A", Access: public, Methods: m(0)},
				{Name: "p/E", Major: 50, Super: "q/C", Access: public, Methods: m(0)},
			},
			uses: []use{virtual("p/A", "p/A", "p/E")},
		},
		want: []string{"q/C"}, bySpec: "p/E", departed: true,
	},
	{
		name: "transitive overriding from version 51",
		program: program{
			classes: []*Class{
				{Name: "p/A", Major: 51, Super: object, Access: public, Methods: m(public)},
				{Name: "q/C", Major: 51, Super: "p/A", Access: public, Methods: m(0)},
				{Name: "p/E", Major: 51, Super: "q/C", Access: public, Methods: m(0)},
			},
			uses: []use{virtual("p/A", "p/A", "p/E")},
		},
		want: []string{"p/E"}, bySpec: "p/E",
	},
	{
		name: "a class in between without the method does not help to override",
		program: program{
			classes: []*Class{
				{Name: "p/A", Major: 52, Super: object, Access: public, Methods: m(abstract)},
				{Name: "q/C", Major: 52, Super: "p/A", Access: public},
				{Name: "p/D", Major: 52, Super: "q/C", Access: public, Methods: m(0)},
				{Name: "q/G", Major: 52, Super: "p/D", Access: public, Methods: m(classfile.Protected)},
			},
			uses: []use{virtual("p/A", "p/D", "q/G")},
		},
		want: []string{"p/D"}, bySpec: "p/D",
	},
	{
		name: "a private method hides the default that a superclass inherits",
		program: program{
			classes: []*Class{
				{Name: "p/I", Major: 61, Super: object, Access: iface, Methods: m(public)},
				{Name: "p/A", Major: 61, Super: object, Access: public, Interfaces: []string{"p/I"}, Methods: m(private)},
				{Name: "p/B", Major: 61, Super: "p/A", Access: public},
			},
			uses: []use{viaInterface("p/I", "p/I", "p/A", "p/B")},
		},
		want: []string{"p/I", "AbstractMethodError"}, bySpec: "p/I", departed: true,
	},
	{
		name: "conflicting defaults",
		program: program{
			classes: []*Class{
				{Name: "p/I", Major: 61, Super: object, Access: iface, Methods: m(public)},
				{Name: "p/J", Major: 61, Super: object, Access: iface, Methods: m(public)},
				{Name: "p/A", Major: 61, Super: object, Access: public, Interfaces: []string{"p/I", "p/J"}},
			},
			uses: []use{viaInterface("p/I", "p/I", "p/A"), virtual("p/A", "p/A", "p/A")},
		},
		want: []string{"IncompatibleClassChangeError", "IncompatibleClassChangeError"},
		on17: []string{"AbstractMethodError", "IncompatibleClassChangeError"}, bySpec: "IncompatibleClassChangeError",
	},
}

// owners are the declaring classes of identities; other outcomes stay.
func owners(outcomes []string) []string {
	var out []string
	for _, o := range outcomes {
		if class, _, ok := strings.Cut(strings.TrimPrefix(o, "#"), "."); ok {
			o = class
		}
		out = append(out, o)
	}
	return out
}
