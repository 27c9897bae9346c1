package xlsx

// readExternal decodes an external link part (ECMA-376 part 1, 18.14) as far
// as needed to know where the link leads.
func readExternal(p *pack, part string) (string, error) {
	rels, err := p.rels(part)
	if err != nil {
		return "", err
	}
	s, err := p.scan(part)
	if err != nil {
		return "", err
	}
	var target string
	err = s.document(spaceMain, "externalLink", func() error {
		found, err := linkTarget(s, rels)
		if err != nil {
			return err
		}
		if target == "" {
			target = found
		}
		return s.skip()
	})
	if err == nil && target == "" {
		return "", fault(ErrDamaged, part, "does not say where the link leads")
	}
	return target, err
}

// linkTarget returns the target of the link at the start tag, "" if the
// element is none.
func linkTarget(s *scanner, rels relationships) (string, error) {
	switch {
	case s.is("externalBook"), s.is("oleLink"):
		id, err := s.relID()
		if err != nil {
			return "", err
		}
		rel, ok := rels.byID[id]
		if !ok {
			return "", s.damaged("relationship %.40q of the link does not exist", id)
		}
		return rel.target, nil
	case s.is("ddeLink"):
		service, err := s.attr("ddeService")
		if err != nil {
			return "", err
		}
		topic, err := s.attr("ddeTopic")
		return "dde:" + service + "|" + topic, err
	}
	return "", nil
}
