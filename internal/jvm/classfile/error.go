package classfile

import "fmt"

// A FormatError says where a class file is broken.
type FormatError struct {
	Structure string // in the words of the specification, for example "Code_attribute"
	Offset    int    // in the file
	Problem   string
}

// Error gives structure, offset and problem.
func (e *FormatError) Error() string {
	return fmt.Sprintf("class file: %s at offset %d: %s", e.Structure, e.Offset, e.Problem)
}
