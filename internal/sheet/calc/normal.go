package calc

import "math"

// The normal distribution. excelize has 9 correct digits, and none far from the middle.

func cumulativeNormal(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }

func normalDensity(z float64) float64 { return math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) }

// farthest is where spreadsheets still agree: beyond, probabilities are rounded to 0 or lose digits.
const farthest = 30

// standardNormal is NORM.S.DIST(z, cumulative) and NORMSDIST(z).
func standardNormal(args []argument) (Value, error) {
	z := args[0].val.num
	if math.Abs(z) > farthest {
		return doubtful(outOfRange)
	}
	if len(args) == 2 && args[1].val.num == 0 {
		return Number(normalDensity(z)), nil
	}
	return Number(cumulativeNormal(z)), nil
}

// normal is NORM.DIST and NORMDIST.
func normal(args []argument) (Value, error) {
	x, mean, deviation := args[0].val.num, args[1].val.num, args[2].val.num
	if deviation <= 0 {
		return Error(ErrCodeNum), nil
	}
	z := (x - mean) / deviation
	if math.Abs(z) > farthest || x != mean && math.Abs(x-mean) < 1e-3*math.Abs(mean)/max(1, math.Abs(z)) {
		return doubtful(outOfRange)
	}
	if args[3].val.num == 0 {
		return Number(normalDensity(z) / deviation), nil
	}
	return Number(cumulativeNormal(z)), nil
}

// normalQuantile inverts cumulativeNormal for shares between 0 and 1. A step of Newton's method restores the digits that
// 2*share-1 loses near 0; near 1 the share itself has lost them.
func normalQuantile(share float64) float64 {
	z := math.Sqrt2 * math.Erfinv(2*share-1)
	if share < 0.1 {
		for range 3 {
			z -= (cumulativeNormal(z) - share) / normalDensity(z)
		}
	}
	return z
}

// certainShare: closer to 1 than this, the last bit of a share moves the twelfth digit of the result; closer to 0 nobody goes.
func certainShare(share float64) bool { return share >= 1e-12 && share <= 0.9999 }

// standardNormalInverse is NORM.S.INV and NORMSINV.
func standardNormalInverse(args []argument) (Value, error) {
	share := args[0].val.num
	if share <= 0 || share >= 1 {
		return Error(ErrCodeNum), nil
	}
	if !certainShare(share) {
		return doubtful(outOfRange)
	}
	return Number(normalQuantile(share)), nil
}

// normalInverse is NORM.INV and NORMINV.
func normalInverse(args []argument) (Value, error) {
	share, mean, deviation := args[0].val.num, args[1].val.num, args[2].val.num
	if share <= 0 || share >= 1 || deviation <= 0 {
		return Error(ErrCodeNum), nil
	}
	if !certainShare(share) {
		return doubtful(outOfRange)
	}
	offset := deviation * normalQuantile(share)
	return settled(mean+offset, math.Abs(mean)+math.Abs(offset))
}

// confidence is CONFIDENCE and CONFIDENCE.NORM: half the width of the interval around the mean of a sample.
func confidence(args []argument) (Value, error) {
	alpha, deviation, size := args[0].val.num, args[1].val.num, math.Trunc(args[2].val.num)
	if alpha <= 0 || alpha >= 1 || deviation <= 0 || size < 1 {
		return Error(ErrCodeNum), nil
	}
	if !certainShare(alpha / 2) {
		return doubtful(outOfRange)
	}
	return Number(-normalQuantile(alpha/2) * deviation / math.Sqrt(size)), nil
}
