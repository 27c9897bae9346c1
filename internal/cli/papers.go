package cli

import (
	"slices"

	"winnow/internal/compare"
	"winnow/internal/jvm/observed"
	"winnow/internal/technique"
	"winnow/internal/technique/clover"
	"winnow/internal/technique/ekstazi"
	"winnow/internal/technique/fineekstazi"
	"winnow/internal/technique/hyrts"
	"winnow/internal/technique/jcgeks"
	"winnow/internal/technique/methods"
	"winnow/internal/technique/retest"
	"winnow/internal/technique/retestall"
	"winnow/internal/technique/smart"
	"winnow/internal/technique/starts"
)

// A paper is a technique as a paper has it.
type paper struct {
	technique.Technique
	New func() observed.Selector
}

// papers are the techniques that can be compared, from coarse to fine. None of them is a default.
var papers = []paper{
	{starts.Technique, starts.New},
	{ekstazi.Technique, ekstazi.New},
	{smart.Technique, smart.New},
	{fineekstazi.Technique, fineekstazi.New},
	{hyrts.Technique, hyrts.New},
	{jcgeks.Technique, jcgeks.New},
	{jcgeks.TechniqueNE, jcgeks.NewNE},
	{clover.Technique, clover.New},
	{retest.MethodsTechnique, func() observed.Selector { return retest.New(retest.Methods) }},
	{retest.TypesTechnique, func() observed.Selector { return retest.New(retest.Types) }},
	{retest.Technique, func() observed.Selector { return retest.New(retest.Edges) }},
}

// paperNamed finds one; nil if there is none of the name.
func paperNamed(name string) *paper {
	i := slices.IndexFunc(papers, func(p paper) bool { return p.Name == name })
	if i < 0 {
		return nil
	}
	return &papers[i]
}

// comparedTechniques are those that `winnow compare` knows: everything first, the product's own last.
func comparedTechniques() []compare.Technique {
	out := []compare.Technique{{Name: retestall.Technique.Name, New: func() observed.Selector { return everything{} }}}
	for _, p := range papers {
		out = append(out, compare.Technique{Name: p.Name, New: p.New})
	}
	return append(out, compare.Technique{Name: methods.Technique.Name})
}

// everything selects every test.
type everything struct{}

func (everything) Select(_ *observed.Program, tests []observed.Test) (observed.Selection, error) {
	out := observed.Selection{}
	for _, t := range tests {
		out[t.ID] = "every test runs"
	}
	return out, nil
}

func (everything) Ran(*observed.Program, []observed.Run) error { return nil }
