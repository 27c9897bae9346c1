package calc

import (
	"math"
	"math/big"
)

// isEven and isOdd are ISEVEN and ISODD, which cut fractions.
func isEven(args []argument) (Value, error) { return parity(args[0].val.num, 0) }

func isOdd(args []argument) (Value, error) { return parity(args[0].val.num, 1) }

func parity(x, want float64) (Value, error) {
	if math.Abs(x) > 1<<50 || !isWhole(x) && nearWhole(x) {
		return doubtful(lastBits)
	}
	return Bool(math.Abs(math.Mod(math.Trunc(x), 2)) == want), nil
}

func nearWhole(x float64) bool { return math.Abs(x-math.Round(x)) < 1e-9*max(1, math.Abs(x)) }

// odd is ODD: the next odd number away from zero.
func odd(args []argument) (Value, error) {
	x := math.Abs(args[0].val.num)
	if x > 1<<50 || !isWhole(x) && nearWhole(x) {
		return doubtful(lastBits)
	}
	next := 2*math.Ceil((x-1)/2) + 1
	return Number(math.Copysign(max(1, next), args[0].val.num)), nil
}

// steps returns how many steps x is away from 0, in halves if it lies on a half. It is not ok if x nearly lies on a half or a
// whole step: which side spreadsheets see it on differs.
func steps(x, step float64) (count float64, ok bool) {
	count = x / step
	near := math.Round(2*count) / 2
	if math.Abs(count) < 1<<40 && math.FMA(near, step, -x) == 0 {
		return near, true
	}
	return count, math.Abs(count) < 1<<40 && math.Abs(count-near) > 1e-9*max(1, math.Abs(count))
}

// multiple is MROUND: half-way cases go away from zero. For different signs Excel has an error and LibreOffice a value.
func multiple(args []argument) (Value, error) {
	x, step := args[0].val.num, args[1].val.num
	if x*step <= 0 {
		return doubtful(outOfRange)
	}
	count, ok := steps(x, step)
	if !ok {
		return doubtful(lastBits)
	}
	return Number(math.Round(count) * step), nil
}

// ceilingMath and floorMath are CEILING.MATH and FLOOR.MATH. A mode other than 0 mirrors the rule for negative numbers.
func ceilingMath(args []argument) (Value, error) { return toStep(args, math.Ceil, math.Floor) }

func floorMath(args []argument) (Value, error) { return toStep(args, math.Floor, math.Ceil) }

func toStep(args []argument, rule, mirrored func(float64) float64) (Value, error) {
	x, step := args[0].val.num, math.Abs(numberAt(args, 1, 1))
	if step == 0 {
		return doubtful(outOfRange)
	}
	count, ok := steps(x, step)
	if !ok {
		return doubtful(lastBits)
	}
	if x < 0 && numberAt(args, 2, 0) != 0 {
		rule = mirrored
	}
	return Number(rule(count) * step), nil
}

// maxFactors bounds the work on large numbers; up to it no number of combinations is too large for a cell.
const maxFactors = 1000

// combinations is COMBIN.
func combinations(args []argument) (Value, error) {
	n, k := args[0].val.num, args[1].val.num
	if n < 0 || k < 0 || n < k {
		return Error(ErrCodeNum), nil
	}
	if n > maxFactors {
		return doubtful(outOfRange)
	}
	f, _ := new(big.Float).SetInt(new(big.Int).Binomial(int64(n), int64(k))).Float64()
	return Number(f), nil
}

// permutations is PERMUT. Without anything to choose from, Excel has an error and LibreOffice a value.
func permutations(args []argument) (Value, error) {
	n, k := args[0].val.num, args[1].val.num
	if n == 0 {
		return doubtful(outOfRange)
	}
	if n < 0 || k < 0 || n < k {
		return Error(ErrCodeNum), nil
	}
	if n > maxFactors {
		return doubtful(outOfRange)
	}
	f, _ := new(big.Float).SetInt(new(big.Int).MulRange(int64(n-k)+1, int64(n))).Float64()
	if math.IsInf(f, 0) {
		return doubtful(outOfRange)
	}
	return Number(f), nil
}

// leastMultiple is LCM.
func leastMultiple(args []argument) (Value, error) {
	result := big.NewInt(1)
	for _, x := range numbersOf(args) {
		if x < 0 {
			return Error(ErrCodeNum), nil
		}
		if x > 1<<50 {
			return doubtful(outOfRange)
		}
		if x == 0 {
			result.SetInt64(0)
		}
		if result.Sign() == 0 {
			continue // the result is 0, unless a negative number follows
		}
		n := big.NewInt(int64(x))
		divisor := new(big.Int).GCD(nil, nil, result, n)
		if result.Mul(result, n.Div(n, divisor)).BitLen() > 50 {
			return doubtful(outOfRange)
		}
	}
	f, _ := new(big.Float).SetInt(result).Float64()
	return Number(f), nil
}
