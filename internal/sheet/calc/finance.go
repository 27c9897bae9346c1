package calc

import "math"

// netPresentValue is NPV; excelize uses only the first cell of a range.
func netPresentValue(args []argument) (Value, error) {
	base := 1 + args[0].val.num
	if base <= 0 {
		return doubtful("the rate is not above -1")
	}
	sum, size := 0.0, 0.0
	for i, flow := range numbersOf(args[1:]) {
		term := flow / math.Pow(base, float64(i+1))
		sum += term
		size += math.Abs(term)
	}
	return settled(sum, size)
}

// growth returns (1+rate)^n and the same less 1.
type growth func(rate, n float64) (grown, gain float64)

// roundedGrowth is off by what is lost where 1+rate and the power are rounded before 1 is taken away.
func roundedGrowth(rate, n float64) (grown, gain float64) {
	grown, gain = exactGrowth(rate+(1+rate)*halfUlp, n)
	return grown, gain + max(1, grown)*halfUlp
}

const halfUlp = 0x1p-53

func exactGrowth(rate, n float64) (grown, gain float64) {
	gain = math.Expm1(n * math.Log1p(rate))
	return math.Exp(n * math.Log1p(rate)), gain
}

// ways says how payments and balances grow.
type ways struct{ payment, balance growth }

var exactWays = ways{exactGrowth, exactGrowth}

// allWays computes with each kind of growth. Which ones a spreadsheet uses is not documented, so they have to agree.
func allWays(f func(ways) float64) (Value, error) {
	exact := f(exactWays)
	for _, w := range []ways{{roundedGrowth, roundedGrowth}, {roundedGrowth, exactGrowth}, {exactGrowth, roundedGrowth}} {
		if !(math.Abs(f(w)-exact) <= 1e-12*math.Abs(exact)) { // also if it is no number
			return doubtful(lastBits)
		}
	}
	return Number(exact), nil
}

// loan is an annuity: due is 1 if payments are made at the beginning of a period.
type loan struct {
	rate, periods, present, future, due float64
}

func (l loan) payment(g growth) float64 {
	if l.rate == 0 {
		return -(l.present + l.future) / l.periods
	}
	grown, gain := g(l.rate, l.periods)
	return -(l.future + l.present*grown) * l.rate / gain / (1 + l.rate*l.due)
}

// owed is the negative balance after n payments.
func (l loan) owed(g growth, n, payment float64) float64 {
	if l.rate == 0 {
		return -(l.present + payment*n)
	}
	grown, gain := g(l.rate, n)
	return -(l.present*grown + payment*(1+l.rate*l.due)*gain/l.rate)
}

func (l loan) interest(w ways, period float64) float64 {
	switch payment := l.payment(w.payment); {
	case l.due == 0:
		return l.owed(w.balance, period-1, payment) * l.rate
	case period == 1:
		return 0
	default:
		return (l.owed(w.balance, period-2, payment) - payment) * l.rate
	}
}

func (l loan) principal(w ways, period float64) float64 {
	return l.payment(w.payment) - l.interest(w, period)
}

// size is what the interest of a period would be without payments. Its rounding error is part of the period's result.
func (l loan) size(period float64) float64 {
	if l.due == 1 && period == 1 {
		return 0 // there is no interest yet
	}
	grown, _ := exactGrowth(l.rate, period-1)
	return math.Abs(l.present * grown * l.rate)
}

// sum adds a part of each payment over periods, unless it is a small difference of large amounts, as at either end of long loans.
func (l loan) sum(part func(loan, ways, float64) float64, first, last float64) (Value, error) {
	sum := func(w ways) float64 {
		total := 0.0
		for period := first; period <= last; period++ {
			total += part(l, w, period)
		}
		return total
	}
	size := 0.0
	for period := first; period <= last; period++ {
		size += l.size(period)
	}
	if math.Abs(sum(exactWays)) < size/256 {
		return doubtful(lastBits)
	}
	return allWays(sum)
}

// payment is PMT.
func payment(args []argument) (Value, error) {
	l := loan{rate: args[0].val.num, periods: args[1].val.num, present: args[2].val.num, future: numberAt(args, 3, 0), due: numberAt(args, 4, 0)}
	if l.periods == 0 {
		return doubtful(outOfRange)
	}
	return allWays(func(w ways) float64 { return l.payment(w.payment) })
}

// maxPeriods bounds loops over periods: a hundred years of months.
const maxPeriods = 1200

func (l loan) valid() bool {
	return isWhole(l.periods) && l.periods >= 1 && l.periods <= maxPeriods
}

// periodOf reads the arguments of IPMT and PPMT.
func periodOf(args []argument) (l loan, period float64, ok bool) {
	l = loan{rate: args[0].val.num, periods: args[2].val.num, present: args[3].val.num, future: numberAt(args, 4, 0), due: numberAt(args, 5, 0)}
	period = args[1].val.num
	return l, period, l.valid() && isWhole(period) && period >= 1 && period <= l.periods
}

// interestPayment is IPMT; excelize loses digits.
func interestPayment(args []argument) (Value, error) {
	l, period, ok := periodOf(args)
	if !ok {
		return doubtful(outOfRange)
	}
	return l.sum(loan.interest, period, period)
}

// principalPayment is PPMT.
func principalPayment(args []argument) (Value, error) {
	l, period, ok := periodOf(args)
	if !ok {
		return doubtful(outOfRange)
	}
	return l.sum(loan.principal, period, period)
}

// cumulativeInterest and cumulativePrincipal are CUMIPMT and CUMPRINC.
func cumulativeInterest(args []argument) (Value, error) { return cumulative(args, loan.interest) }

func cumulativePrincipal(args []argument) (Value, error) { return cumulative(args, loan.principal) }

func cumulative(args []argument, part func(loan, ways, float64) float64) (Value, error) {
	l := loan{rate: args[0].val.num, periods: args[1].val.num, present: args[2].val.num, due: args[5].val.num}
	first, last := args[3].val.num, args[4].val.num
	if !l.valid() || l.rate <= 0 || l.present <= 0 || !isWhole(first) || !isWhole(last) || first < 1 || last < first || last > l.periods {
		return doubtful(outOfRange)
	}
	return l.sum(part, first, last)
}

// effectiveRate is EFFECT, nominalRate is NOMINAL. For rates that are not positive Excel has errors and LibreOffice values.
func effectiveRate(args []argument) (Value, error) {
	rate, times := args[0].val.num, math.Trunc(args[1].val.num)
	if rate <= 0 || times < 1 {
		return doubtful(outOfRange)
	}
	return allWays(func(w ways) float64 {
		_, gain := w.balance(rate/times, times)
		return gain
	})
}

func nominalRate(args []argument) (Value, error) {
	rate, times := args[0].val.num, math.Trunc(args[1].val.num)
	if rate <= 0 || times < 1 {
		return doubtful(outOfRange)
	}
	return allWays(func(w ways) float64 {
		_, gain := w.balance(rate, 1/times)
		return gain * times
	})
}

// asset is what DB and DDB depreciate.
type asset struct{ cost, salvage, life, period float64 }

func assetOf(args []argument) asset {
	return asset{args[0].val.num, args[1].val.num, args[2].val.num, args[3].val.num}
}

func (a asset) valid(periods float64) bool {
	return a.cost > 0 && a.salvage >= 0 && a.salvage <= a.cost && isWhole(a.life) && a.life >= 1 && a.life <= maxPeriods &&
		isWhole(a.period) && a.period >= 1 && a.period <= periods
}

// fixedDeclining is DB. Its rate has three digits after the point.
func fixedDeclining(args []argument) (Value, error) {
	a, months := assetOf(args), numberAt(args, 4, 12)
	if !isWhole(months) || months < 1 || months > 12 {
		return doubtful(outOfRange)
	}
	periods := a.life
	if months < 12 {
		periods++
	}
	if !a.valid(periods) {
		return doubtful(outOfRange)
	}
	thousandths := 1000 * (1 - math.Pow(a.salvage/a.cost, 1/a.life))
	if math.Abs(thousandths-math.Floor(thousandths)-0.5) < 1e-6 {
		return doubtful(lastBits)
	}
	rate := math.Floor(thousandths+0.5) / 1000
	written := a.cost * rate * months / 12
	left := a.cost - written
	for period := 2.0; period <= a.period; period++ {
		written = left * rate
		left -= written
	}
	if a.period > a.life {
		written *= (12 - months) / 12
	}
	return Number(written), nil
}

// doubleDeclining is DDB: a share of what is left, but never below the salvage value.
func doubleDeclining(args []argument) (Value, error) {
	a, factor := assetOf(args), numberAt(args, 4, 2)
	if !a.valid(a.life) || factor <= 0 || factor/a.life < 1e-3 {
		return doubtful(outOfRange)
	}
	kept := max(0, 1-factor/a.life)
	before := a.cost
	if a.period > 1 {
		before *= math.Pow(kept, a.period-1)
	}
	after := max(a.salvage, a.cost*math.Pow(kept, a.period))
	if before <= after {
		if after-before < 1e-9*a.cost {
			return doubtful(lastBits)
		}
		return Number(0), nil
	}
	return settled(before-after, before+after)
}
