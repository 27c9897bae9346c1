//go:build !unix

package maven

import (
	"errors"
	"fmt"
)

func (x *exchange) openPipes() error {
	return fmt.Errorf("named pipes: %w", errors.ErrUnsupported)
}
