package subject

import "testing"

// TestAtWork knows the goals of a tool under the names that versions of Maven give them.
func TestAtWork(t *testing.T) {
	tool := Tool{Sign: "some-maven-plugin:1.2:select"}
	for line, want := range map[string]bool{
		"[INFO] --- some-maven-plugin:1.2:select (default-cli) @ a ---": true, "[INFO] --- some:1.2:select (default-cli) @ a ---": true,
		"[INFO] --- some:1.3:select (default-cli) @ a ---": false, "[INFO] --- surefire:3.2.5:test (default-test) @ a ---": false, "": false,
	} {
		if tool.atWork([]byte(line)) != want || (tool.crash(0, []byte(line)) == "") != want {
			t.Errorf("%q: want %v", line, want)
		}
	}
	if without := (Tool{}); !without.atWork(nil) {
		t.Error("a tool without a sign is not at work")
	}
}
