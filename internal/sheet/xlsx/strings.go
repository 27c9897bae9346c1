package xlsx

// stringTable holds the shared strings of a workbook.
type stringTable struct {
	text  string
	items []span
}

type span struct{ at, len uint32 }

func (t *stringTable) at(i uint32) string {
	sp := t.items[i]
	return t.text[sp.at : sp.at+sp.len]
}

// readStrings decodes the shared string part (ECMA-376 part 1, 18.4.9). The
// counts it claims are not used.
func readStrings(p *pack, part string) (*stringTable, error) {
	s, err := p.scan(part)
	if err != nil {
		return nil, err
	}
	t := &stringTable{}
	text := make([]byte, 0, len(s.src)/2)
	err = s.document(spaceMain, "sst", func() error {
		if !s.is("si") {
			return s.stray()
		}
		if int64(len(t.items)) == p.lim.Strings {
			return fault(ErrLimit, part, "has more than %d strings (Limits.Strings)", p.lim.Strings)
		}
		from := len(text)
		var err error
		text, err = readItem(s, text)
		t.items = append(t.items, span{uint32(from), uint32(len(text) - from)})
		return err
	})
	t.text = string(text)
	return t, err
}

// readItem appends the text of a string item (<si> or <is>) to dst: plain text
// or the runs of rich text one after another, without phonetic hints.
func readItem(s *scanner, dst []byte) ([]byte, error) {
	for {
		ok, err := s.child()
		if err != nil || !ok {
			return dst, err
		}
		switch {
		case s.is("t"):
			dst, err = readText(s, dst)
		case s.is("r"):
			dst, err = readRun(s, dst)
		case s.is("rPh"), s.is("phoneticPr"):
			err = s.skip()
		default:
			err = s.stray()
		}
		if err != nil {
			return dst, err
		}
	}
}

func readRun(s *scanner, dst []byte) ([]byte, error) {
	for {
		ok, err := s.child()
		if err != nil || !ok {
			return dst, err
		}
		switch {
		case s.is("t"):
			dst, err = readText(s, dst)
		case s.is("rPr"):
			err = s.skip()
		default:
			err = s.stray()
		}
		if err != nil {
			return dst, err
		}
	}
}

func readText(s *scanner, dst []byte) ([]byte, error) {
	from := len(dst)
	dst, err := s.text(dst)
	return dst[:from+len(unescape(dst[from:]))], err
}
