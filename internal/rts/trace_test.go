package rts

import (
	"testing"

	"winnow/internal/digest"
)

// TestContentTellsFootprintsApart has footprints that differ in one place each, or only in where one part ends and the next begins.
func TestContentTellsFootprintsApart(t *testing.T) {
	d := digest.OfString("d")
	ab, a := Entity{"cell", "AB"}, Entity{"cell", "A"}
	long := make([]byte, 300)
	footprints := map[string]Footprint{
		"empty":                            {},
		"label":                            {Label: "x"},
		"other label":                      {Label: "y"},
		"label with a zero":                {Label: "x\x00"},
		"long label":                       {Label: string(long)},
		"longer label":                     {Label: string(long) + "x"},
		"include 0":                        {Includes: []int{0}},
		"include 1":                        {Includes: []int{1}},
		"include 0 twice":                  {Includes: []int{0, 0}},
		"include 128":                      {Includes: []int{128}},
		"include 0, 1":                     {Includes: []int{0, 1}},
		"label and include":                {Label: "x", Includes: []int{0}},
		"label that looks like an include": {Label: "x\x01"},
		"kind that looks like a length":    {Uses: []Use{{Entity{"k\x01", ""}, d, nil}}},
		"name that looks like a length":    {Uses: []Use{{Entity{"k", "\x00"}, d, nil}}},
		"use":                              {Uses: []Use{{ab, d, nil}}},
		"use of another entity":            {Uses: []Use{{a, d, nil}}},
		"use of another kind":              {Uses: []Use{{Entity{"area", "AB"}, d, nil}}},
		"kind and name moved":              {Uses: []Use{{Entity{"cellA", "B"}, d, nil}}},
		"use of another digest":            {Uses: []Use{{ab, digest.OfString("e"), nil}}},
		"absent":                           {Uses: []Use{{ab, digest.Absent, nil}}},
		"two uses":                         {Uses: []Use{{a, d, nil}, {ab, d, nil}}},
		"no entries":                       {Uses: []Use{{ab, d, []uint32{}}}},
		"entry 0":                          {Uses: []Use{{ab, d, []uint32{0}}}},
		"entry 1":                          {Uses: []Use{{ab, d, []uint32{1}}}},
		"entries 0 and 1":                  {Uses: []Use{{ab, d, []uint32{0, 1}}}},
		"entry 200":                        {Uses: []Use{{ab, d, []uint32{200}}}},
		"entries of the first":             {Uses: []Use{{a, d, []uint32{1}}, {ab, d, nil}}},
		"entries of the second":            {Uses: []Use{{a, d, nil}, {ab, d, []uint32{1}}}},
		"use and include":                  {Uses: []Use{{ab, d, nil}}, Includes: []int{0}},
		"use with the label's name":        {Label: "cell", Uses: []Use{{ab, d, nil}}},
	}
	seen := map[digest.Digest]string{}
	for name, f := range footprints {
		c := f.Content()
		if other, ok := seen[c]; ok {
			t.Errorf("%q and %q have the same content", name, other)
		}
		seen[c] = name
		if again := footprints[name]; again.Content() != c {
			t.Errorf("%q: two digests", name)
		}
	}
}

func TestOutcomeWords(t *testing.T) {
	want := map[Outcome]string{
		OutcomeNone: "interrupted", Passed: "passed", Failed: "failed", Errored: "error", Killed: "killed", Skipped: "skipped",
	}
	if int(Outcomes) != len(want) {
		t.Errorf("%d outcomes, want %d", Outcomes, len(want))
	}
	for o, word := range want {
		if o.String() != word {
			t.Errorf("outcome %d is %q, want %q", o, o, word)
		}
	}
	if s := Outcomes.String(); s != "unknown" {
		t.Errorf("an outcome beyond the list is %q", s)
	}
}
