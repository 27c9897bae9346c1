package config

// Nearest returns the candidate that is most like a misspelt word, or "" if none is close enough to be meant.
func Nearest(word string, candidates []string) string {
	best, nearest := 1+max(1, len(word)/3), ""
	for _, c := range candidates {
		if d := distance(word, c); d < best {
			best, nearest = d, c
		}
	}
	return nearest
}

// distance is the number of insertions, deletions and substitutions between two words.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
