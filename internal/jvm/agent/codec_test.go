package agent

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"winnow/internal/digest"
	"winnow/internal/jvm/instrument"
)

// TestHash compares with values that the reference implementation gives.
func TestHash(t *testing.T) {
	for text, want := range map[string]uint64{
		"": 0xef46db3751d8e999, "a": 0xd24ec4f1a98c6e5b, "abc": 0x44bc2cf5ad770999,
		"Nobody inspects the spammish repetition": 0xfbcea83c8a378bf1,
	} {
		if got := hash64([]byte(text)); got != want {
			t.Errorf("%q: %016x, want %016x", text, got, want)
		}
	}
}

// samplePlan has one of everything.
func samplePlan() *Plan {
	at := Location{Hash: 5, Length: 7, Pack: 1, Offset: 1 << 33, Size: 100, Sum: 0xdeadbeef}
	p := &Plan{Logs: "/logs", Home: "/jdk", Version: "17", Packs: []string{"a", "b"}, JDK: []JDKClass{{"java/lang/System", at}}, Exclude: []string{"x", "y"},
		Classes: []Class{{Location{Hash: 1, Length: 2}, 0, 0}, {at, 40, 3}}, Names: []uint64{3, 1 << 63}}
	return p
}

// sampleLog has one of every record.
func sampleLog() *Log {
	dense := make([]int, 100)
	for i := range dense {
		dense[i] = i
	}
	return &Log{Blocks: [][]Record{
		{&Start{PID: 1, Time: 2, Home: "/jdk", Version: "17", ClassPath: "a:b", Dir: "/", Plan: 1 << 63, Hooked: true}, &Loader{"L"}, &Define{3, 4, 1}, &Coarse{"C", Early, 1}},
		{&Text{"t"}, &Node{1, 0, JUnitPlatform, IsTest | IsRoot, Dynamic, "key", "class", "method"}, &Begin{1, 300, 9}},
		{&Segment{400, []int{1}, dense, []Event{{FileRead, 0}, {PropertyRead, 0}, {ClassReflected, 0}, {ClassFound, 0}}, []int{0, 5}}, &Init{7, true, []int{1, 1000}, nil, []int{2}}, &End{1, 500, 9, Failed, "E"}},
		{&Excluded{"x"}, &Problem{Lost, "why"}, &Problem{NotExcluded, ""}, &Preparing{}, &Found{0, dense, []Event{{ClassFound, 0}}}, &Closing{590}, &Finish{600}},
	}}
}

func samplePack() *pack {
	p := &pack{problems: []string{"broken"}}
	m := []instrument.Method{{Name: "f", Descriptor: "()V"}}
	p.bytes = make([]byte, 128)
	p.classes = []packed{{Detail: Detail{Name: "A", Digest: [16]byte{9}, Window: instrument.WholeWindow, Methods: m, Unprobed: m}, hash: 1, length: 60, size: 64, sum: 7, idOffset: 10, ids: 1, unmatched: []string{"u"}},
		{Detail: Detail{Name: "B"}, hash: 2, length: 3},
		{Detail: Detail{Name: "C", Detailed: true, Methods: m, Edges: []DetailEdge{{0, 0, 0}, {1, 0, 1}, {1, 0, 2}}, Edgeless: m}, hash: 3, length: 60, size: 64, sum: 7, idOffset: 10, ids: 2}}
	return p
}

func TestRoundTrips(t *testing.T) {
	plan := samplePlan().Append(nil)
	if p, err := DecodePlan(plan); err != nil || !bytes.Equal(p.Append(nil), plan) || p.IDs() != 3 {
		t.Errorf("plan: %+v, %v", p, err)
	}
	log := sampleLog().Append(nil)
	if l, err := DecodeLog(log); err != nil || l.Cut != nil || !bytes.Equal(l.Append(nil), log) || !l.Finished() {
		t.Errorf("log: %+v, %v", l, err)
	}
	pack := samplePack().encode()
	if p, err := decodePack(pack); err != nil || !bytes.Equal(p.encode(), pack) {
		t.Errorf("pack: %+v, %v", p, err)
	}
}

// TestDamage changes and cuts every byte: plans and packs are refused, logs are read up to the damage.
func TestDamage(t *testing.T) {
	plan, log, pack := samplePlan().Append(nil), sampleLog().Append(nil), samplePack().encode()
	list := len(pack) - 128 // behind it are the classes, of which the agent checks each
	for i := range plan {
		changed := slices.Clone(plan)
		changed[i] ^= 0x10
		checkRefused(t, i, changed, plan[:i], ErrPlan, func(b []byte) (any, error) { return wrap(DecodePlan(b)) })
	}
	for i := range list {
		changed := slices.Clone(pack)
		changed[i] ^= 0x10
		checkRefused(t, i, changed, pack[:i], ErrPack, func(b []byte) (any, error) { return wrap(decodePack(b)) })
	}
	for i := len(logMagic); i < len(log); i++ {
		changed := slices.Clone(log)
		changed[i] ^= 0x10
		l, err := DecodeLog(changed)
		if err != nil || l.Cut == nil || l.Cut.Offset > i || !bytes.Equal(l.Append(nil), changed[:l.Cut.Offset]) {
			t.Fatalf("byte %d of the log: %+v, %v", i, l, err)
		}
		l, err = DecodeLog(log[:i])
		if err != nil || (l.Cut == nil) != bytes.Equal(l.Append(nil), log[:i]) {
			t.Fatalf("log cut at %d: %+v, %v", i, l, err)
		}
	}
}

// wrap makes a nil pointer a nil interface.
func wrap[T any](v *T, err error) (any, error) {
	if v == nil {
		return nil, err
	}
	return v, err
}

func checkRefused(t *testing.T, at int, changed, cut []byte, want error, decode func([]byte) (any, error)) {
	t.Helper()
	for _, data := range [][]byte{changed, cut} {
		if v, err := decode(data); v != nil || !errors.Is(err, want) {
			t.Fatalf("byte %d: %+v, %v, want %v", at, v, err, want)
		}
	}
}

// TestIDs writes random sets and reads them again.
func TestIDs(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 0))
	for range 300 {
		limit, share := 1+r.IntN(2000), r.Float64()
		var ids []int
		for id := range limit {
			if r.Float64() < share {
				ids = append(ids, id)
			}
		}
		data := appendIDs(nil, ids)
		c := cursor{b: data}
		if got := c.ids(); c.bad || len(c.b) > 0 || !slices.Equal(got, ids) || len(data) > limit/8+5 {
			t.Fatalf("seed %d: %d bytes, %v, want %v", seed, len(data), got, ids)
		}
	}
}

func FuzzDecodePlan(f *testing.F) {
	f.Add(samplePlan().Append(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > planHeader { // or nothing behind the checksum would ever be tried
			binary.BigEndian.PutUint64(data[12:], hash64(data[planHeader:]))
			copy(data[8:], sum4(data[12:]))
		}
		p, err := DecodePlan(data)
		if err != nil && p != nil || err == nil && !bytes.Equal(p.Append(nil), data) {
			t.Fatalf("%+v, %v", p, err)
		}
	})
}

func FuzzDecodePack(f *testing.F) {
	f.Add(samplePack().encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		if n, _, err := packHead(data); err == nil && n <= len(data)-packHeader {
			copy(data[packHeader-4:], sum4(data[packHeader:packHeader+n]))
		}
		p, err := decodePack(data)
		if err != nil && p != nil || err == nil && !bytes.Equal(p.encode(), data) {
			t.Fatalf("%+v, %v", p, err)
		}
	})
}

func FuzzDecodeLog(f *testing.F) {
	f.Add(sampleLog().Append(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := DecodeLog(data)
		if err != nil {
			if l != nil {
				t.Fatalf("%+v, %v", l, err)
			}
			return
		}
		whole := len(data)
		if l.Cut != nil {
			whole = l.Cut.Offset
		}
		if !bytes.Equal(l.Append(nil), data[:whole]) {
			t.Fatalf("%+v", l)
		}
	})
}

// FuzzRecords gives the decoder blocks with a right checksum, and what it reads to Attribute, which must not trust any number in it.
func FuzzRecords(f *testing.F) {
	l := sampleLog()
	l.Blocks[0][0].(*Start).Plan = 0 // that of the plan below
	f.Add(slices.Concat(bodies(l)...))
	for _, block := range l.Blocks {
		f.Add(bodies(&Log{Blocks: [][]Record{block}})[0])
	}
	plan := samplePlan()
	plan.number()
	plan.details = []*Detail{{Name: "A"}, {Name: "B", Methods: make([]instrument.Method, 3)}}
	f.Fuzz(func(t *testing.T, body []byte) {
		data := seal(body)
		l, err := DecodeLog(data)
		if err != nil {
			t.Fatal(err)
		}
		if l.Cut == nil && !bytes.Equal(l.Append(nil), data) {
			t.Fatalf("%+v", l)
		}
		if trace, err := Attribute(plan, l); err != nil && trace != nil {
			t.Fatalf("%+v, %v", trace, err)
		}
	})
}

// bodies are the records of each block.
func bodies(l *Log) [][]byte {
	var out [][]byte
	for _, block := range l.Blocks {
		data := (&Log{Blocks: [][]Record{block}}).Append(nil)
		out = append(out, data[len(logMagic)+blockHeader:])
	}
	return out
}

// seal makes a log of one block.
func seal(body []byte) []byte {
	out := append4([]byte(logMagic), len(body))
	out = append(out, sum4(body)...)
	return append(out, body...)
}

// TestReadPlan: a written plan is read with its methods, and refused when a pack has changed.
func TestReadPlan(t *testing.T) {
	p, plan := newLifeAlone(t)
	again, err := ReadPlan(plan.File)
	if err != nil {
		t.Fatal(err)
	}
	for id := range plan.IDs() {
		want, _ := plan.Method(id)
		if got, ok := again.Method(id); !ok || got != want {
			t.Fatalf("id %d: %v, want %v", id, got, want)
		}
	}
	if _, ok := again.Method(plan.IDs()); ok {
		t.Error("an id too many")
	}
	if at := again.ClassNamed("Steps"); len(at) != 1 || again.Detail(at[0]).Name != "Steps" || again.ClassNamed("Stops") != nil {
		t.Errorf("Steps is %v", at)
	}
	trace, err := Attribute(again, p.live(plan, "last").logs[0])
	if err != nil || len(trace.Tests) != 3 {
		t.Errorf("%+v, %v", trace, err)
	}
	if err := os.WriteFile(plan.Packs[0], samplePack().encode(), 0o644); err != nil {
		t.Fatal(err)
	}
	if again, err := ReadPlan(plan.File); again != nil || !errors.Is(err, ErrPlan) {
		t.Errorf("with another pack: %v", err)
	}
}

// TestBuildAgain: nothing is instrumented twice, and what was damaged is made anew.
func TestBuildAgain(t *testing.T) {
	p, plan := newLifeAlone(t)
	same := p.plan()
	if same.File != plan.File || !slices.Equal(same.Packs, plan.Packs) {
		t.Errorf("%s and %s", plan.File, same.File)
	}
	for _, cache := range []string{p.options.Cache.Dir, "", plan.File} { // the last one cannot be written: it is a file
		p.options.Cache.Dir = cache
		made := p.plan()
		for _, size := range []int64{0, 10, 40, 100} {
			if err := os.Truncate(made.Packs[0], size); err != nil {
				t.Fatal(err)
			}
			kept := modTime(t, made.Packs[1])
			if again := p.plan(); again.File != made.File || !slices.Equal(again.Packs, made.Packs) {
				t.Errorf("%s and %s", made.File, again.File)
			}
			if _, _, err := readList(made.Packs[0]); err != nil {
				t.Errorf("cut to %d bytes: %v", size, err)
			}
			if modTime(t, made.Packs[1]) != kept {
				t.Error("a pack that is sound was made anew")
			}
		}
	}
	p.options.JDK = p.dir
	if again, err := Build(t.Context(), p.options); again != nil || err == nil {
		t.Error("a directory that is no JDK")
	}
	p.options.JDK, p.options.ClassPath = p.home, []string{filepath.Join(p.dir, "Life.class")}
	if again, err := Build(t.Context(), p.options); err != nil || len(again.Classes) != 0 {
		t.Errorf("a file that is no jar: %v", err)
	}
}

// TestPackOnce: what a cache cannot keep is not made a second time.
func TestPackOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	made := 0
	o := &Options{Dir: t.TempDir(), Cache: instrument.Cache{Dir: file}}
	m, err := o.pack(instrument.Key{Content: digest.OfString("content"), Scheme: digest.OfString("scheme")}, func() ([]byte, error) {
		made++
		return samplePack().encode(), nil
	})
	if err != nil || made != 1 || filepath.Dir(m.path) != filepath.Join(o.Dir, "packs") {
		t.Errorf("made %d times, in %s; %v", made, m.path, err)
	}
}

func modTime(t *testing.T, path string) time.Time {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.ModTime()
}

func TestOption(t *testing.T) {
	for jar, ok := range map[string]bool{"": false, "/a b/agent.jar": true, "/a=b/agent.jar": false} {
		option, err := (&Plan{Jar: jar, File: "/p"}).Option()
		if (err == nil) != ok || ok && option != fmt.Sprintf("-javaagent:%s=/p", jar) {
			t.Errorf("%q: %q, %v", jar, option, err)
		}
	}
}

func sum4(body []byte) []byte {
	return append4(nil, int(crc32.ChecksumIEEE(body)))
}
