package xlsx

import (
	"bytes"
)

// space is an XML namespace, as far as it matters here. The transitional and
// the strict form of a namespace mean the same.
type space uint8

const (
	spaceNone    space = iota // no namespace, or an undeclared prefix
	spaceOther                // any namespace that is not listed below
	spaceMain                 // spreadsheetml
	spaceDocRels              // r:id and the like
	spacePkgRels              // .rels parts
	spaceTypes                // [Content_Types].xml
	spaceCompat               // mc:AlternateContent
	spaceMacro                // the root of macro sheets
)

var spaces = map[string]space{
	"http://schemas.openxmlformats.org/spreadsheetml/2006/main":           spaceMain,
	"http://purl.oclc.org/ooxml/spreadsheetml/main":                       spaceMain,
	"http://schemas.openxmlformats.org/officeDocument/2006/relationships": spaceDocRels,
	"http://purl.oclc.org/ooxml/officeDocument/relationships":             spaceDocRels,
	"http://schemas.openxmlformats.org/package/2006/relationships":        spacePkgRels,
	"http://schemas.openxmlformats.org/package/2006/content-types":        spaceTypes,
	"http://schemas.openxmlformats.org/markup-compatibility/2006":         spaceCompat,
	"http://schemas.microsoft.com/office/excel/2006/main":                 spaceMacro,
}

// maxAttrs bounds the attributes of one element, because they are compared
// with one another to find duplicates.
const maxAttrs = 512

// A scanner reads the XML of one part, in UTF-8, as a recursive descent over
// elements: after root or child has returned an element, the caller consumes it
// with exactly one of: child until it reports false, text, or skip.
//
// It checks what a reader relies on: tags match, attributes are quoted and
// unique, references are known. It does not check names against the XML
// grammar's character classes.
type scanner struct {
	part     string
	src      []byte
	pos      int
	maxDepth int
	budget   *budget

	open   []frame   // the elements around pos, innermost last
	scopes []binding // namespace prefixes in force, innermost last
	def    space     // the namespace of names without a prefix

	// The start tag read last.
	name  []byte // as written, with its prefix
	local []byte
	space space
	attrs []attr
	empty bool // it was <name/>, and its end has not been reported yet
}

type frame struct {
	name   []byte
	scopes int32 // len(scopes) outside of the element
	def    space // def outside of the element
}

type binding struct {
	prefix []byte
	space  space
}

// attr is an attribute with its value as written.
type attr struct {
	name, raw []byte
}

func newScanner(part string, src []byte, b *budget) *scanner {
	return &scanner{part: part, src: src, maxDepth: b.lim.Depth, budget: b}
}

func (s *scanner) damaged(format string, args ...any) *Error {
	e := fault(ErrDamaged, s.part, format, args...)
	e.Offset = int64(s.pos)
	return e
}

// root reads the prolog and the start tag of the root element.
func (s *scanner) root() error {
	for {
		s.blanks()
		if s.pos+1 >= len(s.src) {
			return s.damaged("has no root element")
		}
		if s.src[s.pos] != '<' {
			return s.damaged("text before the root element")
		}
		switch s.src[s.pos+1] {
		case '!', '?':
			if err := s.misc(); err != nil {
				return err
			}
		default:
			return s.start()
		}
	}
}

// finish checks that nothing but blanks and comments follows the root element.
func (s *scanner) finish() error {
	for {
		s.blanks()
		if s.pos == len(s.src) {
			return nil
		}
		if !bytes.HasPrefix(s.src[s.pos:], []byte("<!--")) && !bytes.HasPrefix(s.src[s.pos:], []byte("<?")) {
			return s.damaged("content after the root element")
		}
		if err := s.misc(); err != nil {
			return err
		}
	}
}

// child moves to the next child of the innermost open element. It reports
// false when that element has ended. Text between children is ignored.
func (s *scanner) child() (bool, error) {
	if s.empty {
		s.empty = false
		s.pop()
		return false, nil
	}
	for {
		if err := s.toMarkup(); err != nil {
			return false, err
		}
		switch s.src[s.pos+1] {
		case '/':
			return false, s.end()
		case '!', '?':
			if err := s.misc(); err != nil {
				return false, err
			}
		default:
			return true, s.start()
		}
	}
}

// each calls f for every child of the innermost open element; f consumes the
// child.
func (s *scanner) each(f func() error) error {
	for {
		ok, err := s.child()
		if err != nil || !ok {
			return err
		}
		if err := f(); err != nil {
			return err
		}
	}
}

// document reads a whole part, whose root element must be the given one, and
// calls f for every child of it.
func (s *scanner) document(sp space, root string, f func() error) error {
	if err := s.root(); err != nil {
		return err
	}
	if s.space != sp || string(s.local) != root {
		return s.damaged("has the root element <%s> where <%s> is due, or an unknown namespace", s.name, root)
	}
	if err := s.each(f); err != nil {
		return err
	}
	return s.finish()
}

// stray handles an element that has no place where cells or strings are
// stored. An alternate-content block could hide cells, so it is refused;
// elements of other namespaces are extensions, which a reader may ignore.
func (s *scanner) stray() error {
	switch s.space {
	case spaceMain, spaceNone:
		if string(s.local) != "extLst" {
			return s.damaged("unexpected element <%s>", s.name)
		}
	case spaceCompat:
		e := s.damaged("alternate content <%s> among the cells", s.name)
		e.Kind = ErrUnsupported
		return e
	}
	return s.skip()
}

// skip consumes the element whose start tag was read last, with all it holds.
func (s *scanner) skip() error {
	for depth := len(s.open); len(s.open) >= depth; {
		if _, err := s.child(); err != nil {
			return err
		}
	}
	return nil
}

// text consumes an element that holds text only and appends the text to dst.
func (s *scanner) text(dst []byte) ([]byte, error) {
	if s.empty {
		s.empty = false
		s.pop()
		return dst, nil
	}
	for {
		from := s.pos
		if err := s.toMarkup(); err != nil {
			return dst, err
		}
		var err error
		if dst, err = s.decode(dst, s.src[from:s.pos], &textBytes); err != nil {
			return dst, err
		}
		switch c := s.src[s.pos+1]; {
		case c == '/':
			return dst, s.end()
		case c == '!' && bytes.HasPrefix(s.src[s.pos:], []byte("<![CDATA[")):
			dst, err = s.cdata(dst)
		case c == '!' || c == '?':
			err = s.misc()
		default:
			err = s.damaged("an element inside the text of <%s>", s.open[len(s.open)-1].name)
		}
		if err != nil {
			return dst, err
		}
	}
}

// toMarkup moves to the next '<' and makes sure that a byte follows it.
func (s *scanner) toMarkup() error {
	src := s.src
	for i := s.pos; i < len(src)-1; i++ {
		if src[i] == '<' {
			s.pos = i
			return nil
		}
	}
	return s.damaged("ends inside <%s>", s.open[len(s.open)-1].name)
}

func (s *scanner) blanks() {
	for s.pos < len(s.src) && isBlank(s.src[s.pos]) {
		s.pos++
	}
}

func isBlank(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t'
}

// end reads the end tag at pos.
func (s *scanner) end() error {
	name := s.open[len(s.open)-1].name
	from := s.pos + 2
	to := from + len(name)
	if to >= len(s.src) || !bytes.Equal(s.src[from:to], name) {
		return s.damaged("<%s> is not closed by its end tag", name)
	}
	s.pos = to
	s.blanks()
	if s.pos == len(s.src) || s.src[s.pos] != '>' {
		return s.damaged("the end tag of <%s> is malformed", name)
	}
	s.pos++
	s.pop()
	return nil
}

func (s *scanner) pop() {
	top := s.open[len(s.open)-1]
	s.open = s.open[:len(s.open)-1]
	s.scopes = s.scopes[:top.scopes]
	s.def = top.def
}

// start reads the start tag at pos and opens its element.
func (s *scanner) start() error {
	if len(s.open) == s.maxDepth {
		e := fault(ErrLimit, s.part, "elements are nested deeper than %d (Limits.Depth)", s.maxDepth)
		e.Offset = int64(s.pos)
		return e
	}
	from := s.pos + 1
	to := from
	for to < len(s.src) && !endsName[s.src[to]] {
		to++
	}
	if to == from {
		return s.damaged("a tag without a name")
	}
	s.name = s.src[from:to]
	s.pos = to
	s.open = append(s.open, frame{s.name, int32(len(s.scopes)), s.def})
	if err := s.attributes(); err != nil {
		return err
	}
	s.resolve()
	return nil
}

// endsName marks the bytes that end a name.
var endsName = [256]bool{' ': true, '\n': true, '\r': true, '\t': true, '/': true, '>': true, '=': true, '<': true, '"': true, '\'': true, '&': true}

// attributes reads the rest of a start tag.
func (s *scanner) attributes() error {
	s.attrs = s.attrs[:0]
	for {
		before := s.pos
		s.blanks()
		if s.pos >= len(s.src) {
			return s.damaged("ends inside the tag <%s>", s.name)
		}
		switch s.src[s.pos] {
		case '>':
			s.pos++
			return nil
		case '/':
			if s.pos+1 >= len(s.src) || s.src[s.pos+1] != '>' {
				return s.damaged("the tag <%s> is malformed", s.name)
			}
			s.pos += 2
			s.empty = true
			return nil
		}
		if s.pos == before {
			return s.damaged("the tag <%s> is malformed", s.name)
		}
		if err := s.attribute(); err != nil {
			return err
		}
	}
}

func (s *scanner) attribute() error {
	src, i := s.src, s.pos
	for i < len(src) && !endsName[src[i]] {
		i++
	}
	name := src[s.pos:i]
	s.pos = i
	s.blanks()
	if len(name) == 0 || s.pos >= len(src) || src[s.pos] != '=' {
		return s.damaged("an attribute of <%s> is malformed", s.name)
	}
	s.pos++
	s.blanks()
	if s.pos >= len(src) || src[s.pos] != '"' && src[s.pos] != '\'' {
		return s.damaged("attribute %s of <%s> is not quoted", name, s.name)
	}
	quote := src[s.pos]
	for i = s.pos + 1; i < len(src) && src[i] != quote; i++ {
		if src[i] == '<' {
			return s.damaged("attribute %s of <%s> contains '<'", name, s.name)
		}
	}
	if i == len(src) {
		return s.damaged("attribute %s of <%s> does not end", name, s.name)
	}
	raw := src[s.pos+1 : i]
	s.pos = i + 1
	return s.addAttr(attr{name, raw})
}

func (s *scanner) addAttr(a attr) error {
	for _, b := range s.attrs {
		if len(a.name) == len(b.name) && bytes.Equal(a.name, b.name) {
			return s.damaged("attribute %s of <%s> is given twice", a.name, s.name)
		}
	}
	if len(s.attrs) == maxAttrs {
		return s.damaged("<%s> has more than %d attributes", s.name, maxAttrs)
	}
	s.attrs = append(s.attrs, a)
	if len(a.name) >= 5 && string(a.name[:5]) == "xmlns" {
		return s.declare(a)
	}
	return nil
}

// declare puts a namespace declaration into force.
func (s *scanner) declare(a attr) error {
	uri, err := s.value(a)
	if err != nil {
		return err
	}
	sp, known := spaces[uri]
	switch {
	case uri == "":
		sp = spaceNone
	case !known:
		sp = spaceOther
	}
	switch {
	case len(a.name) == 5:
		s.def = sp
	case a.name[5] == ':':
		s.scopes = append(s.scopes, binding{a.name[6:], sp})
	}
	return nil
}

// resolve sets local and space of the start tag.
func (s *scanner) resolve() {
	i := bytes.IndexByte(s.name, ':')
	if i < 0 {
		s.local, s.space = s.name, s.def
		return
	}
	s.local, s.space = s.name[i+1:], s.lookup(s.name[:i])
}

func (s *scanner) lookup(prefix []byte) space {
	for i := len(s.scopes) - 1; i >= 0; i-- {
		if bytes.Equal(s.scopes[i].prefix, prefix) {
			return s.scopes[i].space
		}
	}
	return spaceNone
}

// is reports whether the start tag names an element of spreadsheetml.
func (s *scanner) is(local string) bool {
	return s.space == spaceMain && string(s.local) == local
}

// attr returns the decoded value of an attribute without a namespace, or "".
func (s *scanner) attr(name string) (string, error) {
	for _, a := range s.attrs {
		if string(a.name) == name {
			return s.value(a)
		}
	}
	return "", nil
}

// relID returns the relationship id of the start tag (r:id), or "".
func (s *scanner) relID() (string, error) {
	for _, a := range s.attrs {
		i := bytes.IndexByte(a.name, ':')
		if i > 0 && string(a.name[i+1:]) == "id" && s.lookup(a.name[:i]) == spaceDocRels {
			return s.value(a)
		}
	}
	return "", nil
}

// flag returns a boolean attribute, false if it is absent.
func (s *scanner) flag(name string) (bool, error) {
	for _, a := range s.attrs {
		if string(a.name) == name {
			return s.truth(a)
		}
	}
	return false, nil
}

func (s *scanner) truth(a attr) (bool, error) {
	switch string(a.raw) {
	case "1", "true", "on":
		return true, nil
	case "0", "false", "off":
		return false, nil
	}
	return false, s.damaged("attribute %s of <%s> is %.40q, not a truth value", a.name, s.name, a.raw)
}
