package xlsx

import "sync/atomic"

// Limits bound what reading one workbook may cost. A zero field means its
// default.
type Limits struct {
	FileBytes  int64 // size of the archive; default 512 MiB
	Entries    int   // files in the archive; default 10,000
	PartBytes  int64 // one part, inflated; default 1 GiB, at most 2 GiB
	TotalBytes int64 // all parts that are read, inflated; default 2 GiB
	Ratio      int64 // inflated over compressed size of a part larger than 8 MiB; default 300
	Sheets     int   // default 2,000
	Cells      int64 // present cells of all sheets, names, merged areas and the like; default 20 million
	Strings    int64 // shared strings; default 10 million
	Depth      int   // nesting of XML elements; default 64
}

const (
	mib = 1 << 20
	// ratioFloor is the size up to which any compression ratio is accepted:
	// a small part of equal cells compresses well and honestly.
	ratioFloor = 8 * mib
	// maxPartBytes keeps offsets into a sheet's text within 32 bits.
	maxPartBytes = 2 << 30
)

func (l Limits) withDefaults() Limits {
	l.FileBytes = orDefault(l.FileBytes, 512*mib)
	l.Entries = orDefault(l.Entries, 10_000)
	l.PartBytes = min(orDefault(l.PartBytes, 1024*mib), maxPartBytes)
	l.TotalBytes = orDefault(l.TotalBytes, 2048*mib)
	l.Ratio = orDefault(l.Ratio, 300)
	l.Sheets = orDefault(l.Sheets, 2_000)
	l.Cells = orDefault(l.Cells, 20_000_000)
	l.Strings = orDefault(l.Strings, 10_000_000)
	l.Depth = orDefault(l.Depth, 64)
	return l
}

func orDefault[T int | int64](v, def T) T {
	if v <= 0 {
		return def
	}
	return v
}

// A budget counts what all parts of a workbook together have cost. Parts are
// decoded in parallel, so which part exhausts it is a matter of chance; its
// errors therefore name no part and take precedence over all others, which
// keeps the reported error deterministic.
type budget struct {
	lim   Limits
	bytes atomic.Int64
	cells atomic.Int64
}

func (b *budget) addBytes(n int64) error {
	if b.bytes.Add(n) > b.lim.TotalBytes {
		return fault(ErrLimit, "", "inflates to more than %d bytes (Limits.TotalBytes)", b.lim.TotalBytes)
	}
	return nil
}

func (b *budget) addCells(n int64) error {
	if b.cells.Add(n) > b.lim.Cells {
		return fault(ErrLimit, "", "has more than %d cells, names, merged areas and the like (Limits.Cells)", b.lim.Cells)
	}
	return nil
}

// What is kept besides cells counts as so many cells, by its size in memory, so that
// Limits.Cells bounds the memory that a workbook takes.
const (
	groupCost = 4
	nameCost  = 2
	areaCost  = 1
	relCost   = 4
)
