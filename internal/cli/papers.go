package cli

import (
	"winnow/internal/compare"
	"winnow/internal/jvm/observed"
	"winnow/internal/technique/methods"
	"winnow/internal/technique/retestall"
)

// compared are the techniques that `winnow compare` knows, from the coarsest to the product's own.
var compared = []compare.Technique{
	{Name: retestall.Technique.Name, New: func() observed.Selector { return everything{} }, Classes: true},
	{Name: methods.Technique.Name},
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
