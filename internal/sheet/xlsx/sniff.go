package xlsx

import (
	"bytes"
	"errors"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// sniff looks at the first bytes of a file and returns nil if it is a zip
// archive, else an error that tells what the file seems to be.
func sniff(r io.ReaderAt, size int64) error {
	if size == 0 {
		return notWorkbook("is empty").advise("restore it from a copy")
	}
	head := make([]byte, min(size, 512))
	if n, err := r.ReadAt(head, 0); n < len(head) {
		return readFault("", err)
	}
	switch {
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return nil
	case bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return notWorkbook("is an empty zip archive")
	case bytes.HasPrefix(head, []byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1")):
		return sniffCompound(r, size)
	case bytes.HasPrefix(head, []byte("%PDF")):
		return notWorkbook("is a PDF document")
	case bytes.HasPrefix(head, []byte("\x1F\x8B")):
		return notWorkbook("is a gzip archive")
	}
	return sniffText(head)
}

func sniffText(head []byte) error {
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xEF\xBB\xBF")), " \t\r\n")
	lower := bytes.ToLower(text)
	switch {
	case bytes.HasPrefix(lower, []byte("<html")), bytes.HasPrefix(lower, []byte("<!doctype html")), bytes.HasPrefix(lower, []byte("<table")):
		return notWorkbook("is a web page (HTML)")
	case bytes.Contains(lower, []byte("schemas-microsoft-com:office:spreadsheet")):
		return notWorkbook("is an XML Spreadsheet 2003")
	case bytes.HasPrefix(lower, []byte("<?xml")):
		return notWorkbook("is a plain XML file")
	case bytes.HasPrefix(head, []byte("\xFF\xFE")), bytes.HasPrefix(head, []byte("\xFE\xFF")), isText(head):
		return notWorkbook("is a text file, perhaps CSV")
	}
	return notWorkbook("does not begin as a zip archive does")
}

// isText tolerates a rune that the end of head cuts.
func isText(head []byte) bool {
	if bytes.IndexByte(head, 0) >= 0 {
		return false
	}
	for cut := range min(utf8.UTFMax, len(head)) {
		if utf8.Valid(head[:len(head)-cut]) {
			return true
		}
	}
	return false
}

func notWorkbook(problem string) *Error {
	return fault(ErrNotWorkbook, "", "%s", problem).advise(remedySave)
}

// The directory of an OLE compound file consists of 128-byte entries aligned
// to 128 bytes: a UTF-16 name of at most 32 units, its length in bytes with the
// final NUL at offset 64, the type at offset 66 (MS-CFB 2.6.1).
const (
	compoundEntry    = 128
	compoundNameSize = 64
	compoundStream   = 2
)

// sniffCompound tells an encrypted workbook from an old one. Both are OLE
// compound files; the names of their streams differ. All aligned places are looked at
// instead of following the directory's chain, so a damaged chain does no harm;
// a wrong guess changes the wording of an error and nothing else.
func sniffCompound(r io.ReaderAt, size int64) error {
	encrypted := streamName("EncryptedPackage")
	old := [][]byte{streamName("Workbook"), streamName("Book")}
	isOld := false
	buf := make([]byte, 512*compoundEntry)
	for off := int64(0); off < size; off += int64(len(buf)) {
		n, err := r.ReadAt(buf, off)
		if err != nil && !errors.Is(err, io.EOF) {
			return readFault("", err)
		}
		for i := 0; i+compoundEntry <= n; i += compoundEntry {
			entry := buf[i : i+compoundEntry]
			switch {
			case isStream(entry, encrypted):
				return fault(ErrPassword, "", "is encrypted").
					advise("remove the password in the spreadsheet program (File, Info, Protect), or keep an unprotected copy for the tests")
			case isStream(entry, old[0]), isStream(entry, old[1]):
				isOld = true
			}
		}
	}
	if isOld {
		return notWorkbook("is a workbook of Excel 97-2003 (.xls)")
	}
	return notWorkbook("is an OLE compound file without a workbook")
}

// streamName returns a name as a directory entry holds it, with the NUL.
func streamName(s string) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(s + "\x00")) {
		b = append(b, byte(u), byte(u>>8))
	}
	return b
}

func isStream(entry, name []byte) bool {
	return entry[compoundNameSize] == byte(len(name)) && entry[compoundNameSize+1] == 0 &&
		entry[compoundNameSize+2] == compoundStream && bytes.HasPrefix(entry, name)
}
