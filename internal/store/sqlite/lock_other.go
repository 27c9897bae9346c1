//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package sqlite

// lockFolder does nothing: there is no lock here that needs no file.
func lockFolder(string) (unlock func() error, err error) { return func() error { return nil }, nil }
