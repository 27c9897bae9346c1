package cli

import (
	"fmt"
	"strings"
	"testing"

	"winnow/internal/rts"
)

// namedTests are named as front end and frameworks name them.
var namedTests = []rts.TestID{
	"core!p.PriceTest#net()", "core!p.PriceTest#many(int, String)[]", "core!p.PriceTest/Inside#nested()", "core!p.PriceTest/Inside/Deep#deep()", "core!p.PriceTest#made{}",
	"core!q.PriceTest#net", "web!p.PageTest#shows:testng", "web!p.PageTest#old:junit3", "web!p.PageTest#both()", "web!p.PageTest#both(int)",
	"web![engine:jqwik]/[class:p.Laws]/[property:adds]", "web![engine:junit-platform-suite]/[suite:p.All]/[engine:junit-jupiter]/[class:p.InSuite]/[nested-class:In]/[method:one()]",
	"web!p.RowsTest[]#sum()", "web!p.RowsTest[]/In#many(int)[]",
}

func TestNamed(t *testing.T) {
	for name, want := range map[string]string{
		"p.PriceTest#net":             "core!p.PriceTest#net()",
		"p.PriceTest.net":             "core!p.PriceTest#net()",
		"core!p.PriceTest.net":        "core!p.PriceTest#net()",
		"web!p.PriceTest.net":         "",
		"q.PriceTest.net":             "core!q.PriceTest#net",
		"PriceTest.net:5":             "core!p.PriceTest#net() core!q.PriceTest#net",
		"PriceTest#net":               "core!p.PriceTest#net() core!q.PriceTest#net",
		"p.PriceTest$Inside":          "core!p.PriceTest/Inside#nested()",
		"p.PriceTest$Inside#nested":   "core!p.PriceTest/Inside#nested()",
		"p.PriceTest$Inside.nested":   "core!p.PriceTest/Inside#nested()",
		"p.PriceTest.nested":          "core!p.PriceTest/Inside#nested()",
		"PriceTest.nested:17":         "core!p.PriceTest/Inside#nested()",
		"PriceTest$Inside.nested:17":  "core!p.PriceTest/Inside#nested()",
		"PriceTest$Inside$Deep":       "core!p.PriceTest/Inside/Deep#deep()",
		"PriceTest>BaseTest.made:12":  "core!p.PriceTest#made{}",
		"p.PriceTest.many(int)[2]":    "core!p.PriceTest#many(int, String)[]",
		"PriceTest.many{int, String}": "core!p.PriceTest#many(int, String)[]",
		"p.PageTest.shows":            "web!p.PageTest#shows:testng",
		"p.PageTest#old":              "web!p.PageTest#old:junit3",
		"p.PageTest#both":             "web!p.PageTest#both() web!p.PageTest#both(int)",
		"p.Laws#adds":                 string(namedTests[10]),
		"Laws.adds":                   string(namedTests[10]),
		"InSuite$In.one":              string(namedTests[11]),
		"p.InSuite":                   string(namedTests[11]),
		"p.RowsTest[]#sum()":          "web!p.RowsTest[]#sum()",
		"p.RowsTest#sum":              "web!p.RowsTest[]#sum()",
		"RowsTest[3].sum:17":          "web!p.RowsTest[]#sum()",
		"p.RowsTest$In[2].many":       "web!p.RowsTest[]/In#many(int)[]",
		"iceTest.net":                 "",
		"p":                           "",
		"":                            "",
		"#net":                        "",
	} {
		if got := strings.Trim(fmt.Sprint(named(name, namedTests)), "[]"); got != strings.Trim(want, "[]") {
			t.Errorf("%q stands for %s, want %s", name, got, want)
		}
	}
}

func TestNearTest(t *testing.T) {
	for name, want := range map[string]rts.TestID{
		"p.PriceTest#nte": "core!p.PriceTest#net()", "PriceTest.nest:12": "core!p.PriceTest#net()", "PriceTest$Insde.nested": "core!p.PriceTest/Inside#nested()", "PagTest": "web!p.PageTest#shows:testng",
		"Laws#ads": namedTests[10], "quite.another.Thing": "",
	} {
		if got := nearTest(name, namedTests); got != want {
			t.Errorf("%q is near %q, want %q", name, got, want)
		}
	}
}
