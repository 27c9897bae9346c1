package report

// A Style colours text, or does not.
type Style struct{ On bool }

func (s Style) paint(code, text string) string {
	if !s.On || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// Bold, Dim, Red, Green and Yellow return the text in that manner.
func (s Style) Bold(t string) string { return s.paint("1", t) }

// Dim is for what may be passed over.
func (s Style) Dim(t string) string { return s.paint("2", t) }

// Red is for what failed.
func (s Style) Red(t string) string { return s.paint("31", t) }

// Green is for what passed.
func (s Style) Green(t string) string { return s.paint("32", t) }

// Yellow is for what needs attention.
func (s Style) Yellow(t string) string { return s.paint("33", t) }
