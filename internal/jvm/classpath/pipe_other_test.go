//go:build !unix

package classpath

import "errors"

func makePipe(string) error { return errors.ErrUnsupported }
