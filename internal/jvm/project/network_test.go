package project

import (
	"net"
	"strconv"
	"testing"
)

// TestNetworkUses: only a port at which the process itself may listen, on this machine, is no outside service.
func TestNetworkUses(t *testing.T) {
	mine := "127.0.0.1"
	all, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		if n, ok := a.(*net.IPNet); ok && !n.IP.IsLoopback() {
			mine = n.IP.String()
		}
	}
	given := strconv.Itoa(firstGiven() + 7)
	tests := []struct {
		listens, connects string
		external          bool
	}{
		{"8080", "127.0.0.1:8080", false},
		{"8080", "[::1]:8080", false},
		{"8080", "127.0.0.1:8081", true},
		{"0", "127.0.0.1:" + given, false},
		{"0", "[::ffff:127.0.0.1]:" + given, false},
		{"0", net.JoinHostPort(mine, given), false},
		{"0", "127.0.0.1:5432", true},
		{"8080", "192.0.2.1:8080", true},
		{"0", "192.0.2.1:" + given, true},
		{"8080", "/run/some.sock", true},
	}
	for _, test := range tests {
		ev := &events{listens: map[string]bool{test.listens: true}}
		if uses := ev.networkUses("connect " + test.connects); (len(uses) > 0) != test.external {
			t.Errorf("listening at %s, connecting to %s: %v", test.listens, test.connects, uses)
		}
	}
	for _, test := range []struct {
		byNetwork bool
		connects  []string
		external  bool
	}{
		{true, []string{"127.0.0.1:40000"}, false},
		{false, []string{"127.0.0.1:40000"}, true},
		{true, []string{"127.0.0.1:40000", "127.0.0.1:5432"}, true},
		{true, []string{"127.0.0.1:5432"}, true},
	} {
		ev := &events{surroundings: &surroundings{byNetwork: test.byNetwork}, connects: map[string]bool{}}
		for _, addr := range test.connects {
			ev.connects[addr] = true
		}
		if uses := ev.networkUses("connect 127.0.0.1:40000"); (len(uses) > 0) != test.external {
			t.Errorf("Surefire's own connection, %+v: %v", test, uses)
		}
	}
	ev := &events{}
	if uses := ev.networkUses("bind 127.0.0.1:8080"); uses != nil {
		t.Errorf("listening: %v", uses)
	}
}
