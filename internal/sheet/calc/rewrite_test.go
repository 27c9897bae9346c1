package calc

import (
	"archive/zip"
	"bytes"
	"io"
	"testing"
)

// rewrite changes one part of a workbook and fails if that changes nothing.
func rewrite(t *testing.T, data []byte, part string, change func(string) string) []byte {
	t.Helper()
	in, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	must(t, err)
	var buf bytes.Buffer
	out := zip.NewWriter(&buf)
	changed := false
	for _, file := range in.File {
		r, err := file.Open()
		must(t, err)
		content, err := io.ReadAll(r)
		must(t, err)
		must(t, r.Close())
		if file.Name == part {
			after := change(string(content))
			changed = after != string(content)
			content = []byte(after)
		}
		w, err := out.Create(file.Name)
		must(t, err)
		_, err = w.Write(content)
		must(t, err)
	}
	must(t, out.Close())
	if !changed {
		t.Fatalf("%s was not changed", part)
	}
	return buf.Bytes()
}
