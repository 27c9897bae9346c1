//go:build !linux

package vfs

import "io/fs"

func changeTime(b []byte, _ fs.FileInfo) []byte { return b }
