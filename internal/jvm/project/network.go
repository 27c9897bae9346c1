package project

import (
	"net"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"sync"

	"winnow/internal/rts"
)

// networkUses is about an address. A service that the process itself offers on this machine is part of the test.
func (ev *events) networkUses(text string) []rts.Use {
	addr, connects := strings.CutPrefix(text, "connect ")
	if !connects {
		return nil
	}
	colon := strings.LastIndexByte(addr, ':')
	if colon >= 0 && thisMachine(addr[:colon]) && (ev.offers(addr[colon+1:]) || ev.isMaven(addr)) {
		return nil
	}
	return []rts.Use{external("network " + addr)}
}

// isMaven tells whether Maven listens at an address: Surefire always connects to it, and so to the only address to which anything did while no test ran.
func (ev *events) isMaven(addr string) bool {
	return ev.surroundings != nil && ev.byNetwork && len(ev.connects) == 1 && ev.connects[addr]
}

// offers tells whether the process listens at a port. One that asked for any port has got one of those that are given away; which one is not recorded.
func (ev *events) offers(port string) bool {
	n, err := strconv.Atoi(port)
	return ev.listens[port] || ev.listens["0"] && err == nil && n >= firstGiven()
}

// firstGiven is the lowest port that the system gives to whoever asks for any.
var firstGiven = sync.OnceValue(func() int {
	data, _ := os.ReadFile("/proc/sys/net/ipv4/ip_local_port_range")
	if words := strings.Fields(string(data)); len(words) == 2 {
		if n, err := strconv.Atoi(words[0]); err == nil {
			return n
		}
	}
	return 32768
})

// thisMachine tells whether an address never leaves the machine.
func thisMachine(host string) bool {
	ip, err := netip.ParseAddr(strings.Trim(host, "[]/"))
	return host == "localhost" || err == nil && (ip.IsLoopback() || ip.IsUnspecified() || own()[plain(ip)])
}

// own are the addresses of this machine.
var own = sync.OnceValue(func() map[netip.Addr]bool {
	out := map[netip.Addr]bool{}
	all, _ := net.InterfaceAddrs() // without them only loopback is known, which is safe
	for _, a := range all {
		if p, err := netip.ParsePrefix(a.String()); err == nil {
			out[plain(p.Addr())] = true
		}
	}
	return out
})

// plain drops the zone, which says by which interface an address is reached, and the form that an old address has among new ones.
func plain(ip netip.Addr) netip.Addr { return ip.WithZone("").Unmap() }
