package calc

import (
	"math"
	"slices"
)

// The functions of two samples of the same size. excelize drops pairs that hold a 0 in some of them, and answers #DIV/0! in others
// when the samples are not correlated.

// moments are the sums over pairs that these functions are made of.
type moments struct {
	n, meanX, meanY float64
	xx, yy, xy      float64 // sums of products of the distances from the means
}

// momentsOf refuses samples that hardly vary or hardly depend on each other: the last bits decide there.
func momentsOf(x, y []float64) (moments, error) {
	m := moments{n: float64(len(x))}
	squaresX, squaresY := 0.0, 0.0
	for i := range x {
		m.meanX += x[i] / m.n
		m.meanY += y[i] / m.n
		squaresX += x[i] * x[i]
		squaresY += y[i] * y[i]
	}
	for i := range x {
		dx, dy := x[i]-m.meanX, y[i]-m.meanY
		m.xx += dx * dx
		m.yy += dy * dy
		m.xy += dx * dy
	}
	if len(x) != len(y) || len(x) < 2 || !(m.xx > 1e-9*squaresX && m.yy > 1e-9*squaresY && math.Abs(m.xy) > 1e-3*math.Sqrt(m.xx*m.yy)) {
		return m, refuse("", "the samples hardly vary or are hardly correlated, so that the last bits matter")
	}
	return m, nil
}

// ofPairs makes a function of two ranges.
func ofPairs(result func(m moments) (Value, error)) func(args []argument) (Value, error) {
	return func(args []argument) (Value, error) {
		m, err := momentsOf(numbersOf(args[:1]), numbersOf(args[1:]))
		if err != nil {
			return Value{}, err
		}
		return result(m)
	}
}

// correlation is CORREL and PEARSON.
func correlation(m moments) (Value, error) { return Number(m.xy / math.Sqrt(m.xx*m.yy)), nil }

// determination is RSQ.
func determination(m moments) (Value, error) { return Number(m.xy / m.xx * m.xy / m.yy), nil }

// covariance is COVAR and COVARIANCE.P, sampleCovariance is COVARIANCE.S.
func covariance(m moments) (Value, error) { return Number(m.xy / m.n), nil }

func sampleCovariance(m moments) (Value, error) { return Number(m.xy / (m.n - 1)), nil }

// In the functions of regression the first range holds what depends on the second.

// slope is SLOPE.
func slope(m moments) (Value, error) { return Number(m.xy / m.yy), nil }

// intercept is INTERCEPT.
func intercept(m moments) (Value, error) {
	part := m.xy / m.yy * m.meanY
	return settled(m.meanX-part, math.Abs(m.meanX)+math.Abs(part))
}

// standardError is STEYX.
func standardError(m moments) (Value, error) {
	if m.n < 3 {
		return doubtful("there are too few pairs")
	}
	rest := m.xx - m.xy*m.xy/m.yy
	if rest < m.xx/2048 {
		return doubtful(lastBits)
	}
	return Number(math.Sqrt(rest / (m.n - 2))), nil
}

// forecast is FORECAST.
func forecast(args []argument) (Value, error) {
	at := args[0].val.num
	return ofPairs(func(m moments) (Value, error) {
		slope := m.xy / m.yy
		return settled(m.meanX+slope*(at-m.meanY), math.Abs(m.meanX)+math.Abs(slope*at)+math.Abs(slope*m.meanY))
	})(args[1:])
}

// sumOfPairs makes SUMX2MY2 and its relatives.
func sumOfPairs(term func(x, y float64) float64) func(args []argument) (Value, error) {
	return func(args []argument) (Value, error) {
		x, y := numbersOf(args[:1]), numbersOf(args[1:])
		if len(x) != len(y) || len(x) == 0 {
			return doubtful("the ranges differ in size")
		}
		if slices.Equal(x, y) {
			return Number(sumTerms(x, y, term)), nil
		}
		return settled(sumTerms(x, y, term), sumTerms(x, y, squaresAdded))
	}
}

func sumTerms(x, y []float64, term func(x, y float64) float64) (sum float64) {
	for i := range x {
		sum += term(x[i], y[i])
	}
	return sum
}

func squaresAdded(x, y float64) float64      { return x*x + y*y }
func squaresSubtracted(x, y float64) float64 { return x*x - y*y }
func squaredDifference(x, y float64) float64 { return (x - y) * (x - y) }
