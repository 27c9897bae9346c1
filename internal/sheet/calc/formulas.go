package calc

import (
	"math"
	"slices"
)

// formulas are the functions that functions.txt calls own and gives a signature: their arguments are evaluated, converted and
// checked like those of the engine's functions, and the value is computed here because excelize computes a wrong one.
var formulas = map[string]func(args []argument) (Value, error){
	"RIGHT": right, "DAYS": days, "WEEKNUM": weekNumber,
	"NPV": netPresentValue, "IRR": internalRate, "RATE": annuityRate, "PMT": payment, "IPMT": interestPayment, "PPMT": principalPayment,
	"CUMIPMT": cumulativeInterest, "CUMPRINC": cumulativePrincipal, "EFFECT": effectiveRate, "NOMINAL": nominalRate,
	"DB": fixedDeclining, "DDB": doubleDeclining,
	"ISEVEN": isEven, "ISODD": isOdd, "ODD": odd, "MROUND": multiple, "CEILING.MATH": ceilingMath, "FLOOR.MATH": floorMath,
	"COMBIN": combinations, "PERMUT": permutations, "LCM": leastMultiple,
	"AVEDEV": meanDeviation, "HARMEAN": harmonicMean, "MODE": mode, "MODE.SNGL": mode,
	"NORM.S.DIST": standardNormal, "NORMSDIST": standardNormal, "NORM.DIST": normal, "NORMDIST": normal,
	"NORM.S.INV": standardNormalInverse, "NORMSINV": standardNormalInverse, "NORM.INV": normalInverse, "NORMINV": normalInverse,
	"CONFIDENCE": confidence, "CONFIDENCE.NORM": confidence,
	"CORREL": ofPairs(correlation), "PEARSON": ofPairs(correlation), "RSQ": ofPairs(determination), "SLOPE": ofPairs(slope), "INTERCEPT": ofPairs(intercept),
	"STEYX": ofPairs(standardError), "FORECAST": forecast, "FORECAST.LINEAR": forecast,
	"COVAR": ofPairs(covariance), "COVARIANCE.P": ofPairs(covariance), "COVARIANCE.S": ofPairs(sampleCovariance),
	"SUMX2MY2": sumOfPairs(squaresSubtracted), "SUMX2PY2": sumOfPairs(squaresAdded), "SUMXMY2": sumOfPairs(squaredDifference),
	"CONCAT": concatenation, "TEXTJOIN": joined, "FIND": find, "WORKDAY": workday, "NETWORKDAYS": workdays,
}

// doubtful refuses a call; the caller adds the name of the function.
func doubtful(why string) (Value, error) { return Value{}, refuse("", why) }

const (
	outOfRange = "an argument lies outside of the range on which spreadsheets agree"
	lastBits   = "the result hangs on the last bits of its arguments"
)

// numbersOf lists the numbers among the arguments, in order. Whatever else stands in ranges does not count.
func numbersOf(args []argument) []float64 {
	var numbers []float64
	for _, a := range args {
		values := slices.Concat(a.block...)
		if a.block == nil {
			values = []Value{a.val}
		}
		for _, v := range values {
			if v.kind == KindNumber {
				numbers = append(numbers, v.num)
			}
		}
	}
	return numbers
}

// numberAt returns a scalar argument, or the default if it is not there.
func numberAt(args []argument, i int, otherwise float64) float64 {
	if i >= len(args) {
		return otherwise
	}
	return args[i].val.num
}

func isWhole(x float64) bool { return x == math.Trunc(x) }

// settled returns a sum unless so much of it cancelled that fewer than twelve digits are certain. size is the sum of the
// absolute values.
func settled(sum, size float64) (Value, error) {
	if math.Abs(sum) < size/2048 {
		return doubtful(lastBits)
	}
	return Number(sum), nil
}
