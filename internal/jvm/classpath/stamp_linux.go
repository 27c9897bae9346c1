package classpath

import (
	"io/fs"
	"syscall"
)

// stampOf returns the stamp of a file.
func stampOf(info fs.FileInfo) (Stamp, bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return Stamp{}, false
	}
	s := Stamp{Size: st.Size, Mtime: st.Mtim.Nano(), Ctime: st.Ctim.Nano(), Inode: st.Ino, Device: uint64(st.Dev)}
	return s, s.fine()
}

// keepsStamps are the file systems, by magic number, whose times come from this machine's clock in nanoseconds and whose inodes stay. A
// network file system has another machine's clock, so that the margin would mean nothing.
var keepsStamps = map[uint32]bool{
	0xEF53:     true, // ext2, ext3, ext4
	0x58465342: true, // xfs
	0x9123683E: true, // btrfs
	0x01021994: true, // tmpfs
	0x794C7630: true, // overlayfs
	0x2FC12FC1: true, // zfs
	0xF2F52010: true, // f2fs
	0xCA451A4E: true, // bcachefs
}

// reliable tells whether the file system of a path keeps stamps.
func reliable(path string) bool {
	var st syscall.Statfs_t
	if err := syscall.Statfs(path, &st); err != nil {
		return false
	}
	return keepsStamps[uint32(st.Type)]
}
