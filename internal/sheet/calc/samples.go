package calc

import (
	"math"
	"slices"
)

// meanDeviation is AVEDEV.
func meanDeviation(args []argument) (Value, error) {
	numbers := numbersOf(args)
	if len(numbers) == 0 {
		return doubtful("there is no number among the arguments")
	}
	sum, size := 0.0, 0.0
	for _, x := range numbers {
		sum += x
		size += math.Abs(x)
	}
	mean, total := sum/float64(len(numbers)), 0.0
	for _, x := range numbers {
		total += math.Abs(x - mean)
	}
	if total == 0 {
		return Number(0), nil
	}
	return settled(total/float64(len(numbers)), size/float64(len(numbers)))
}

// harmonicMean is HARMEAN; excelize answers #N/A for every range.
func harmonicMean(args []argument) (Value, error) {
	numbers := numbersOf(args)
	if len(numbers) == 0 {
		return doubtful("there is no number among the arguments")
	}
	sum := 0.0
	for _, x := range numbers {
		if x <= 0 {
			return Error(ErrCodeNum), nil
		}
		sum += 1 / x
	}
	return Number(float64(len(numbers)) / sum), nil
}

// mode is MODE. Among numbers that are equally frequent Excel takes the first and LibreOffice may not.
func mode(args []argument) (Value, error) {
	numbers := numbersOf(args)
	slices.Sort(numbers)
	best, most, ties := 0.0, 0, 0
	for i := 0; i < len(numbers); {
		end := i
		for end < len(numbers) && numbers[end] == numbers[i] {
			end++
		}
		if end < len(numbers) && nearlyEqual(numbers[i], numbers[end]) {
			return doubtful(lastBits)
		}
		switch count := end - i; {
		case count > most:
			best, most, ties = numbers[i], count, 0
		case count == most:
			ties++
		}
		i = end
	}
	switch {
	case most == 0:
		return doubtful("there is no number among the arguments")
	case most == 1:
		return doubtful("no number stands twice, for which spreadsheets have different errors")
	case ties > 0:
		return doubtful("several numbers are the most frequent")
	}
	return Number(best), nil
}
