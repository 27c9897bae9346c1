package xlsx

import "strings"

// mainPart returns the name of the workbook part, having made sure that the
// package is a workbook and not another kind of document.
func (p *pack) mainPart() (string, error) {
	rels, err := p.rels("")
	if err != nil {
		return "", err
	}
	docs := rels.ofKind("officeDocument")
	if len(docs) == 0 {
		return "", p.otherArchive()
	}
	if len(docs) > 1 || docs[0].external {
		return "", fault(ErrDamaged, "_rels/.rels", "does not name exactly one workbook part")
	}
	part := docs[0].target
	ctype, err := p.contentType(part)
	if err != nil {
		return "", err
	}
	return part, checkContentType(part, ctype)
}

// otherArchive says what a zip archive without an office document is.
func (p *pack) otherArchive() error {
	if p.has("mimetype") && p.has("content.xml") {
		return notWorkbook("is an OpenDocument file (.ods or the like)")
	}
	return notWorkbook("is a zip archive, but holds no workbook")
}

func checkContentType(part, ctype string) error {
	switch {
	case strings.Contains(ctype, "ms-excel.sheet.binary"):
		return fault(ErrUnsupported, part, "is a binary workbook (.xlsb)")
	case strings.Contains(ctype, "spreadsheetml") && strings.HasSuffix(ctype, "main+xml"),
		strings.Contains(ctype, "ms-excel") && strings.HasSuffix(ctype, "main+xml"):
		return nil
	case strings.Contains(ctype, "wordprocessingml"), strings.Contains(ctype, "ms-word"):
		return notWorkbook("is a word-processing document (.docx)")
	case strings.Contains(ctype, "presentationml"), strings.Contains(ctype, "ms-powerpoint"):
		return notWorkbook("is a presentation (.pptx)")
	}
	return notWorkbook("is an office document of type " + quoted(ctype))
}

// contentType looks a part up in [Content_Types].xml.
func (p *pack) contentType(part string) (string, error) {
	const types = "[Content_Types].xml"
	s, err := p.scan(types)
	if err != nil {
		return "", err
	}
	var byName, byExt string
	ext := part[strings.LastIndexByte(part, '.')+1:]
	err = s.document(spaceTypes, "Types", func() error {
		ctype, err := s.attr("ContentType")
		if err != nil {
			return err
		}
		name, err := s.attr("PartName")
		if err != nil {
			return err
		}
		e, err := s.attr("Extension")
		if err != nil {
			return err
		}
		switch {
		case s.space != spaceTypes:
			return s.damaged("unexpected element <%s>", s.name)
		case string(s.local) == "Override" && foldPart(strings.TrimPrefix(name, "/")) == foldPart(part):
			byName = ctype
		case string(s.local) == "Default" && strings.EqualFold(e, ext):
			byExt = ctype
		}
		return s.skip()
	})
	if byName != "" {
		return byName, err
	}
	return byExt, err
}
