package draw

import (
	"fmt"
	"io"
	"strings"
)

// Text writes panels one after the other: each box with its number and its lines, then where its arrows lead.
func Text(w io.Writer, panels ...Panel) error {
	var b strings.Builder
	for i, p := range panels {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(p.Heading + "\n")
		if p.Picture == nil {
			b.WriteString("  " + p.Note + "\n")
			continue
		}
		p.Picture.text(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (p *Picture) text(b *strings.Builder) {
	fmt.Fprintf(b, "  %s\n", p.Title)
	for i, box := range p.Boxes {
		mark := ""
		if box.Marked {
			mark = "  differs"
		}
		for k, line := range box.Lines {
			if k == 0 {
				fmt.Fprintf(b, "  [%d] %s%s\n", i, strings.TrimSpace(line), mark)
				continue
			}
			fmt.Fprintf(b, "      %s\n", strings.TrimSpace(line))
		}
		for _, a := range p.Arrows {
			if a.From == i {
				fmt.Fprintf(b, "        %s\n", a.text(p))
			}
		}
	}
}

// text is an arrow, such as "T -> [4]" or "call B -> [7], dangerous: word differs".
func (a Arrow) text(p *Picture) string {
	label := a.Label
	if a.Line == Dotted {
		label = strings.TrimSpace("call " + label)
	}
	text := strings.TrimSpace(fmt.Sprintf("%s -> [%d]", label, a.To))
	if a.Danger != "" {
		text += ", dangerous: " + a.Danger
	}
	return text
}
