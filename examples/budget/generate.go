//go:build ignore

// Generate writes budget.xlsx, the workbook of the example: go run generate.go
package main

import (
	"fmt"
	"log"

	"github.com/xuri/excelize/v2"
)

func main() {
	f := excelize.NewFile()
	check(f.SetSheetName("Sheet1", "Inputs"))
	for _, s := range []string{"Rates", "Plan", "Summary"} {
		_, err := f.NewSheet(s)
		check(err)
	}
	set := func(sheet, cell string, v any) { check(f.SetCellValue(sheet, cell, v)) }
	formula := func(sheet, cell, text string) { check(f.SetCellFormula(sheet, cell, text)) }

	for i, row := range []struct {
		label string
		value any
	}{{"Units per month", 100}, {"Price", 12.5}, {"Customer", "retail"}, {"Growth per month", 0.02}, {"Rush order", false}} {
		set("Inputs", fmt.Sprintf("A%d", i+1), row.label)
		set("Inputs", fmt.Sprintf("B%d", i+1), row.value)
	}
	set("Rates", "A1", "Customer")
	set("Rates", "B1", "Discount")
	for i, row := range []struct {
		customer string
		discount float64
	}{{"retail", 0}, {"partner", 0.1}, {"wholesale", 0.25}} {
		set("Rates", fmt.Sprintf("A%d", i+2), row.customer)
		set("Rates", fmt.Sprintf("B%d", i+2), row.discount)
	}
	set("Rates", "D1", "VAT")
	set("Rates", "E1", 0.2)
	set("Rates", "D2", "Rush surcharge")
	set("Rates", "E2", 35)

	set("Plan", "A1", "Month")
	set("Plan", "B1", "Units")
	set("Plan", "C1", "Revenue")
	shared, ref := "shared", "C2:C13"
	for m := 1; m <= 12; m++ {
		row := m + 1
		set("Plan", fmt.Sprintf("A%d", row), m)
		if m == 1 {
			formula("Plan", "B2", "Inputs!B1")
		} else {
			formula("Plan", fmt.Sprintf("B%d", row), fmt.Sprintf("B%d*(1+growth)", row-1))
		}
	}
	check(f.SetCellFormula("Plan", "C2", "B2*net_price", excelize.FormulaOpts{Type: &shared, Ref: &ref}))

	for i, row := range []struct{ label, text string }{
		{"Net price", "Inputs!B2*(1-Summary!B2)"},
		{"Discount", "VLOOKUP(Inputs!B3,Rates!A2:B4,2,FALSE)"},
		{"Year units", "SUM(Plan!B2:B13)"},
		{"Year revenue", "ROUND(SUM(Plan!C2:C13),2)"},
		{"Surcharge", "IF(Inputs!B5,Rates!E2,0)"},
		{"Total with VAT", "ROUND((B4+B5)*(1+vat),2)"},
		{"Best month", "MAX(Plan!C2:C13)"},
		{"Class", `IF(B3>1300,"large",IF(B3>600,"medium","small"))`},
	} {
		set("Summary", fmt.Sprintf("A%d", i+1), row.label)
		formula("Summary", fmt.Sprintf("B%d", i+1), row.text)
	}
	for name, to := range map[string]string{
		"growth": "Inputs!$B$4", "net_price": "Summary!$B$1", "vat": "Rates!$E$1", "total": "Summary!$B$6", "customer": "Inputs!$B$3",
		"rush": "Inputs!$B$5", "units": "Inputs!$B$1",
	} {
		check(f.SetDefinedName(&excelize.DefinedName{Name: name, RefersTo: to}))
	}
	check(f.SaveAs("budget.xlsx"))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
