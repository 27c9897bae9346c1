package classpath

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"sync"
)

// An Image is the run-time image of a JDK: the file lib/modules.
type Image struct {
	file
	opts   Options
	tables *tables
	list   func() ([]Entry, error)
}

var _ Source = (*Image)(nil)

func newImage(f file, o Options) (*Image, error) {
	t, err := readTables(&f)
	if err != nil {
		return nil, err
	}
	img := &Image{file: f, opts: o, tables: t}
	img.list = sync.OnceValues(func() ([]Entry, error) {
		entries, err := img.enumerate()
		if err != nil {
			return nil, fmt.Errorf("class path: %s: %w", f.path, err)
		}
		return entries, nil
	})
	return img, nil
}

// Entries lists the resources of all modules.
func (img *Image) Entries() ([]Entry, error) { return img.list() }

// Problems returns nothing: what is strange in an image is an error.
func (img *Image) Problems() ([]Problem, error) { return nil, nil }

func (img *Image) enumerate() ([]Entry, error) {
	entries := make([]Entry, 0, img.tables.slots)
	used := int64(0)
	for slot := range img.tables.slots {
		e, kind, err := img.entry(slot)
		if err != nil {
			return nil, err
		}
		if kind != slotEmpty {
			used++
		}
		if kind == slotResource {
			entries = append(entries, e)
		}
	}
	if used != img.tables.count {
		return nil, fmt.Errorf("%d resources in the table, %d declared: %w", used, img.tables.count, ErrCorrupt)
	}
	sortEntries(entries)
	return entries, nil
}

// entry returns the resource in a slot. A resource that its own hash does not lead to would be visible here and absent for a JVM.
func (img *Image) entry(slot int) (Entry, slotKind, error) {
	loc, err := img.tables.location(slot)
	if err != nil || loc == (location{}) {
		return Entry{}, slotEmpty, err
	}
	module, name, err := img.tables.names(loc)
	if err != nil {
		return Entry{}, slotEmpty, fmt.Errorf("slot %d: %w", slot, err)
	}
	if module == "" || module == indexModules || module == indexPackages {
		return Entry{}, slotIndex, nil
	}
	if at, ok := img.tables.slot(module, name); !ok || at != slot {
		return Entry{}, slotEmpty, fmt.Errorf("slot %d: /%s/%s is not where its hash leads: %w", slot, module, name, ErrCorrupt)
	}
	e, err := entryAt(loc, module, name)
	return e, slotResource, err
}

// A slotKind says what a slot of the hash table holds: nothing, a directory of the image's own index, or a resource.
type slotKind uint8

const (
	slotEmpty slotKind = iota
	slotIndex
	slotResource
)

func entryAt(loc location, module, name string) (Entry, error) {
	size := int64(loc[attrUncompressed])
	if size < 0 {
		return Entry{}, fmt.Errorf("/%s/%s: size of %d bytes: %w", module, name, loc[attrUncompressed], ErrCorrupt)
	}
	return Entry{Name: name, Size: size, Module: module}, nil
}

// Modules lists the modules of the image in alphabetical order.
func (img *Image) Modules() ([]string, error) {
	entries, err := img.Entries()
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	var all []string
	for _, e := range entries {
		if !seen[e.Module] {
			seen[e.Module] = true
			all = append(all, e.Module)
		}
	}
	slices.Sort(all)
	return all, nil
}

// Module returns the module to which a package, such as "java/lang", belongs.
func (img *Image) Module(pkg string) (string, bool, error) {
	modules, err := img.modulesWith(pkg)
	if err != nil || len(modules) == 0 {
		return "", false, err
	}
	return modules[0], true, nil
}

// modulesWith reads the index of packages: the modules that hold files of a package. A module that only has packages below it does not count.
func (img *Image) modulesWith(pkg string) ([]string, error) {
	loc, ok, err := img.tables.find(indexPackages, strings.ReplaceAll(pkg, "/", "."))
	if err != nil || !ok {
		return nil, img.fault("package "+pkg, err)
	}
	b, err := img.resource(loc)
	if err != nil {
		return nil, img.fault("package "+pkg, err)
	}
	if len(b)%8 != 0 {
		return nil, img.fault("package "+pkg, fmt.Errorf("index of %d bytes: %w", len(b), ErrCorrupt))
	}
	var modules []string
	for ; len(b) > 0; b = b[8:] {
		if img.tables.order.Uint32(b) != 0 {
			continue
		}
		m, err := img.tables.text(uint64(img.tables.order.Uint32(b[4:])))
		if err != nil {
			return nil, img.fault("package "+pkg, err)
		}
		modules = append(modules, m)
	}
	return modules, nil
}

func (img *Image) fault(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("class path: %s: %s: %w", img.path, what, err)
}

// Find returns a file of a package, from the module that has the package.
func (img *Image) Find(name string) (Entry, bool, error) {
	modules, err := img.modulesWith(packageOf(name))
	if err != nil {
		return Entry{}, false, err
	}
	for _, m := range modules {
		loc, ok, err := img.tables.find(m, name)
		if err != nil {
			return Entry{}, false, img.fault(name, err)
		}
		if ok {
			e, err := entryAt(loc, m, name)
			return e, err == nil, img.fault(name, err)
		}
	}
	return Entry{}, false, nil
}

// packageOf returns the directory of a slash name, or "".
func packageOf(name string) string {
	if dir := path.Dir(name); dir != "." {
		return dir
	}
	return ""
}

// Read returns the content of a resource.
func (img *Image) Read(e Entry) ([]byte, error) {
	loc, ok, err := img.tables.find(e.Module, e.Name)
	if err == nil && !ok {
		err = errNoEntry
	}
	if err != nil {
		return nil, img.fault("/"+e.Module+"/"+e.Name, err)
	}
	b, err := img.resource(loc)
	return b, img.fault("/"+e.Module+"/"+e.Name, err)
}

var errNoEntry = errors.New("no such entry here")

// Stream returns the content of a resource, which is in memory at once.
func (img *Image) Stream(e Entry) (io.ReadCloser, error) {
	b, err := img.Read(e)
	if err != nil {
		return nil, err
	}
	return io.NopCloser(bytes.NewReader(b)), nil
}

// resource reads and unpacks the content at a location.
func (img *Image) resource(loc location) ([]byte, error) {
	size, stored := loc[attrUncompressed], loc[attrUncompressed]
	if loc[attrCompressed] != 0 {
		stored = loc[attrCompressed]
	}
	if limit := uint64(img.opts.maxEntry()); size > limit || stored > limit {
		return nil, fmt.Errorf("%d bytes (%d stored), the limit is %d: %w", size, stored, limit, ErrTooLarge)
	}
	if loc[attrOffset] > uint64(img.size) {
		return nil, fmt.Errorf("content at %d: %w", loc[attrOffset], ErrCorrupt)
	}
	b, err := img.slice("content", img.tables.resources+int64(loc[attrOffset]), int64(stored))
	if err != nil || loc[attrCompressed] == 0 {
		return b, err
	}
	if b, err = img.unpack(b); err != nil {
		return nil, err
	}
	if uint64(len(b)) != size {
		return nil, fmt.Errorf("unpacked to %d bytes, declared are %d: %w", len(b), size, ErrCorrupt)
	}
	return b, nil
}

const (
	packedMagic  = 0xCAFEFAFA
	packedHeader = 4 + 8 + 8 + 4 + 4 + 1
	// maxPlugins bounds the layers: there are compressed streams that unpack to themselves.
	maxPlugins = 4
)

// unpack undoes the compression plug-ins of jlink, the last one first; each has put a header in front of its output.
func (img *Image) unpack(b []byte) ([]byte, error) {
	order := img.tables.order
	for range maxPlugins {
		if len(b) < packedHeader || order.Uint32(b) != packedMagic {
			return b, nil
		}
		packed, unpacked := order.Uint64(b[4:]), order.Uint64(b[12:])
		plugin, err := img.tables.text(uint64(order.Uint32(b[20:])))
		if err != nil {
			return nil, fmt.Errorf("compression plug-in: %w", err)
		}
		if plugin != "zip" {
			return nil, fmt.Errorf("compressed by the jlink plug-in %q: %w; make the image with --compress=zip-6 (before JDK 21: --compress=2) or without --compress", plugin, ErrUnsupported)
		}
		if packed > uint64(len(b)-packedHeader) || unpacked > uint64(img.opts.maxEntry()) {
			return nil, fmt.Errorf("compressed content of %d bytes, unpacked %d: %w", packed, unpacked, ErrCorrupt)
		}
		if b, err = inflateZlib(b[packedHeader:packedHeader+packed], int64(unpacked)); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("compressed more than %d times: %w", maxPlugins, ErrUnsupported)
}

func inflateZlib(b []byte, size int64) ([]byte, error) {
	z, err := zlib.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", err, ErrCorrupt)
	}
	out, err := readAll(&exactly{Reader: z, Closer: z, want: size, fault: ErrCorrupt}, size)
	if err := errors.Join(err, z.Close()); err != nil {
		return nil, fmt.Errorf("%w: %w", err, ErrCorrupt)
	}
	return out, nil
}
