package agent

import (
	"encoding/binary"
	"math/bits"
)

// The constants of xxHash64.
const (
	prime1 uint64 = 0x9E3779B185EBCA87
	prime2 uint64 = 0xC2B2AE3D27D4EB4F
	prime3 uint64 = 0x165667B19E3779F9
	prime4 uint64 = 0x85EBCA77C2B2AE63
	prime5 uint64 = 0x27D4EB2F165667C5
)

// hash64 is xxHash64 with seed 0. The agent computes the same for every class that is loaded, so it has to be cheap in Java; that is why it is not
// a cryptographic digest.
func hash64(data []byte) uint64 {
	rest := data
	h := prime5
	if len(data) >= 32 {
		v := [4]uint64{prime1, prime2, 0, 0}
		v[0] += prime2
		v[3] -= prime1
		for ; len(rest) >= 32; rest = rest[32:] {
			for i := range v {
				v[i] = hashRound(v[i], binary.LittleEndian.Uint64(rest[8*i:]))
			}
		}
		h = bits.RotateLeft64(v[0], 1) + bits.RotateLeft64(v[1], 7) + bits.RotateLeft64(v[2], 12) + bits.RotateLeft64(v[3], 18)
		for _, lane := range v {
			h = (h^hashRound(0, lane))*prime1 + prime4
		}
	}
	return hashTail(h+uint64(len(data)), rest)
}

func hashRound(acc, word uint64) uint64 { return bits.RotateLeft64(acc+word*prime2, 31) * prime1 }

func hashTail(h uint64, rest []byte) uint64 {
	for ; len(rest) >= 8; rest = rest[8:] {
		h = bits.RotateLeft64(h^hashRound(0, binary.LittleEndian.Uint64(rest)), 27)*prime1 + prime4
	}
	if len(rest) >= 4 {
		h = bits.RotateLeft64(h^uint64(binary.LittleEndian.Uint32(rest))*prime1, 23)*prime2 + prime3
		rest = rest[4:]
	}
	for _, b := range rest {
		h = bits.RotateLeft64(h^uint64(b)*prime5, 11) * prime1
	}
	h = (h ^ h>>33) * prime2
	h = (h ^ h>>29) * prime3
	return h ^ h>>32
}
