package maven

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxMessage bounds a message, so that a process that writes into the pipe without end cannot fill the memory.
const maxMessage = 64 << 20

// A field is one line of a message. Its printed form is "key value" with backslash, line feed and carriage return escaped.
type field struct{ key, value string }

// A message is a list of fields, of which the first has the key "message". Its printed form is its fields, one a line, and an empty line. Message.java is
// the other implementation.
type message []field

func newMessage(kind string) message { return message{{"message", kind}} }

func (m message) kind() string { return m.get("message") }

func (m *message) add(key, value string) { *m = append(*m, field{key, value}) }

// get returns the first value of a key, or "".
func (m message) get(key string) string {
	for _, f := range m {
		if f.key == key {
			return f.value
		}
	}
	return ""
}

func (m message) all(key string) []string {
	var values []string
	for _, f := range m {
		if f.key == key {
			values = append(values, f.value)
		}
	}
	return values
}

var escaper = strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\r", `\r`)

func (m message) encode() []byte {
	var out bytes.Buffer
	for _, f := range m {
		out.WriteString(f.key + " " + escaper.Replace(f.value) + "\n")
	}
	out.WriteByte('\n')
	return out.Bytes()
}

// A messageReader reads messages and knows where it is.
type messageReader struct {
	in     *bufio.Reader
	offset int64
	limit  int64 // of a message
}

func newMessageReader(r io.Reader) *messageReader {
	return &messageReader{in: bufio.NewReader(r), limit: maxMessage}
}

// next returns the next message. At the end it returns io.EOF, in the middle of a message io.ErrUnexpectedEOF.
func (r *messageReader) next() (message, error) {
	start := r.offset
	var m message
	for {
		line, err := r.line(start)
		if errors.Is(err, io.EOF) && r.offset == start {
			return nil, io.EOF
		}
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return nil, fmt.Errorf("message at byte %d: %w", start, err)
		}
		if line == "" {
			return r.whole(m, start)
		}
		f, err := parseField(line)
		if err != nil {
			return nil, fmt.Errorf("message at byte %d: line before byte %d: %w", start, r.offset, err)
		}
		m = append(m, f)
	}
}

func (r *messageReader) whole(m message, start int64) (message, error) {
	if len(m) == 0 || m[0].key != "message" {
		return nil, fmt.Errorf("message at byte %d does not begin with its kind", start)
	}
	return m, nil
}

func (r *messageReader) line(start int64) (string, error) {
	var line []byte
	for {
		part, err := r.in.ReadSlice('\n')
		r.offset += int64(len(part))
		line = append(line, part...)
		if r.offset-start > r.limit {
			return "", fmt.Errorf("longer than %d bytes", r.limit)
		}
		if err == nil {
			return string(line[:len(line)-1]), nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return "", err
		}
	}
}

func parseField(line string) (field, error) {
	key, value, ok := strings.Cut(line, " ")
	if !ok || key == "" || strings.Trim(key, "abcdefghijklmnopqrstuvwxyz-") != "" {
		return field{}, fmt.Errorf("no key and value: %.40q", line)
	}
	value, err := unescape(value)
	return field{key, value}, err
}

func unescape(s string) (string, error) {
	if !strings.ContainsAny(s, "\\\r") {
		return s, nil
	}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '\r' {
			return "", errors.New("carriage return in a value")
		}
		if c == '\\' {
			i++
			if i == len(s) || !strings.Contains(`\nr`, s[i:i+1]) {
				return "", fmt.Errorf("wrong escape in %.40q", s)
			}
			c = map[byte]byte{'\\': '\\', 'n': '\n', 'r': '\r'}[s[i]]
		}
		out.WriteByte(c)
	}
	return out.String(), nil
}
