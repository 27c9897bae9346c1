package maven

import "time"

// An EventType says what happened. The names from SessionStarted to MojoFailed are Maven's own; others that Maven has are passed on as they are.
type EventType string

// The events.
const (
	Attached         EventType = "Attached"         // the extension was loaded and spoke
	SessionStarted   EventType = "SessionStarted"   // all projects are read
	SessionEnded     EventType = "SessionEnded"     // all modules are done
	ProjectStarted   EventType = "ProjectStarted"   // a module begins
	ProjectSucceeded EventType = "ProjectSucceeded" // a module is done
	ProjectFailed    EventType = "ProjectFailed"    // a module failed
	ProjectSkipped   EventType = "ProjectSkipped"   // a module was passed over, because another failed
	MojoStarted      EventType = "MojoStarted"      // an execution begins
	MojoSucceeded    EventType = "MojoSucceeded"    // an execution is done
	MojoFailed       EventType = "MojoFailed"       // an execution failed
	Answered         EventType = "Answered"         // a test execution got its answer; the last one counts
	Result           EventType = "Result"           // Maven's result, with all its exceptions
	Problem          EventType = "Problem"          // the extension failed; the execution, if one is named, runs unchanged; see Answered
	Interrupted      EventType = "Interrupted"      // the context ended; Maven is being stopped
)

// An Exception is one of a chain, the outermost first.
type Exception struct{ Class, Text string }

// An Event is something that happened in a build.
type Event struct {
	Type       EventType
	Time       time.Time // when this process was told
	Module     string    // group:artifact:version, if it is about a module
	Mojo       Mojo      // if it is about an execution
	Exceptions []Exception
	Request    *Request // of Answered; nil if the extension failed to make one
	Answer     Answer   // of Answered
}

func parseEvent(m message) Event {
	e := Event{Type: EventType(m.get("type")), Module: m.get("module"), Mojo: parseMojo(m)}
	texts := m.all("text")
	for i, class := range m.all("exception") {
		x := Exception{Class: class}
		if i < len(texts) {
			x.Text = texts[i]
		}
		e.Exceptions = append(e.Exceptions, x)
	}
	return e
}

func (e Event) threw(class string) bool {
	for _, x := range e.Exceptions {
		if x.Class == class {
			return true
		}
	}
	return false
}
