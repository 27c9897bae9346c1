package calc

import "math"

// IRR and RATE have no closed form: spreadsheets iterate from a guess and stop at different precisions. A rate is computed where
// the payments change their sign once, so that there is one rate only, where the usual iteration finds it from the guess, and
// where its digits do not hang on when the iteration stops.

// curve returns a function's value and derivative.
type curve func(x float64) (value, slope float64)

// spreadsheetStep is the step at which Excel documents that its iterations stop, and at which LibreOffice's do.
const spreadsheetStep = 1e-7

// newton iterates until a step is smaller than the tolerance.
func newton(f curve, x float64, steps int, tolerance float64) (root float64, ok bool) {
	for range steps {
		value, slope := f(x)
		next := x - value/slope
		if !(next > -1) || math.IsInf(next, 0) { // also if it is no number
			return 0, false
		}
		small := math.Abs(next-x) < tolerance
		x = next
		if small {
			return x, true
		}
	}
	return 0, false
}

// polish is newton to the last bit: it goes on while steps become smaller.
func polish(f curve, x float64) float64 {
	last := math.Inf(1)
	for range 20 {
		value, slope := f(x)
		step := value / slope
		if !(math.Abs(step) < last) {
			break
		}
		last = math.Abs(step)
		x -= step
	}
	return x
}

// discounted is the present value of payments at a rate; its root is their internal rate.
func discounted(flows []float64) curve {
	return func(x float64) (value, slope float64) {
		q, weight := 1/(1+x), 1.0
		for i, flow := range flows {
			value += flow * weight
			slope -= float64(i) * flow * weight * q
			weight *= q
		}
		return value, slope
	}
}

// accrued is the value of payments at the end of the last period. It has the same root.
func accrued(flows []float64) curve {
	return func(x float64) (value, slope float64) {
		for _, flow := range flows {
			slope = slope*(1+x) + value
			value = value*(1+x) + flow
		}
		return value, slope
	}
}

// signChanges: by the rule of Descartes, payments have no more internal rates above -1 than changes of sign.
func signChanges(flows []float64) int {
	changes, last := 0, 0.0
	for _, flow := range flows {
		if flow == 0 {
			continue
		}
		if last*flow < 0 {
			changes++
		}
		last = math.Copysign(1, flow)
	}
	return changes
}

// rateOf vouches for a root that was found by a spreadsheet's iteration.
func rateOf(flows []float64, stopped float64) (Value, error) {
	f := discounted(flows)
	root := polish(f, stopped)
	_, slope := f(root)
	absolute := make([]float64, len(flows))
	for i, flow := range flows {
		absolute[i] = math.Abs(flow)
	}
	size, _ := discounted(absolute)(root)
	noise := size / math.Abs(slope) * math.Ldexp(1, -50) // how far rounding moves the root
	if !(math.Abs(root) >= 1e-3) || !(noise <= 1e-12*math.Abs(root)) || math.Abs(root-stopped) > 5e-13*math.Abs(root) {
		return doubtful(lastBits)
	}
	return Number(root), nil
}

const (
	severalRates = "the payments do not change their sign once, so there may be no rate or several"
	noRate       = "the iteration does not find a rate from the guess"
)

// internalRate is IRR; excelize stops at 8 digits.
func internalRate(args []argument) (Value, error) {
	flows, guess := numbersOf(args[:1]), numberAt(args, 1, 0.1)
	if signChanges(flows) != 1 {
		return doubtful(severalRates)
	}
	if guess <= -1 {
		return doubtful(outOfRange)
	}
	root, ok := newton(discounted(flows), guess, 20, spreadsheetStep)
	if !ok {
		return doubtful(noRate)
	}
	return rateOf(flows, root)
}

// annuityRate is RATE. The payments of an annuity are written out, so that it is an internal rate.
func annuityRate(args []argument) (Value, error) {
	periods, payment, present := args[0].val.num, args[1].val.num, args[2].val.num
	future, due, guess := numberAt(args, 3, 0), numberAt(args, 4, 0), numberAt(args, 5, 0.1)
	if !isWhole(periods) || periods < 1 || periods > maxPeriods || guess <= -1 {
		return doubtful(outOfRange)
	}
	flows := make([]float64, int(periods)+1)
	for i := range flows[1:] {
		flows[i+1-int(due)] = payment
	}
	flows[0] += present
	flows[len(flows)-1] += future
	if signChanges(flows) != 1 {
		return doubtful(severalRates)
	}
	root, ok := newton(accrued(flows), guess, 150, spreadsheetStep)
	if !ok {
		return doubtful(noRate)
	}
	// Spreadsheets do not add up the payments: they divide (1+rate)^periods-1 by the rate, which loses digits of small rates.
	_, slope := accrued(flows)(root)
	noise := math.Abs(payment/root) * math.Pow(1+root, periods) * (periods + 1) * halfUlp / math.Abs(slope)
	if !(noise <= 2.5e-13*math.Abs(root)) {
		return doubtful(lastBits)
	}
	return rateOf(flows, root)
}
