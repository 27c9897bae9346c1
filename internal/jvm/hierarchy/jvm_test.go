package hierarchy

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/jvmtest"
)

// A judge is a running JVM that says what programs do. See testdata/Judge.java for the requests.
type judge struct {
	feature int
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	said    bytes.Buffer // on stderr; read only after the JVM has ended
}

// judges are the running JVMs by feature version. Tests share them; they run one after the other.
var judges = map[int]*judge{}

func TestMain(m *testing.M) {
	flag.Parse()
	status := m.Run()
	for feature, j := range judges {
		if err := j.end(); err != nil {
			fmt.Fprintf(os.Stderr, "JDK %d: %v\n", feature, err)
			status = 1
		}
	}
	os.Exit(status)
}

// newJudge returns a running JVM.
func newJudge(t testing.TB, feature int) *judge {
	t.Helper()
	if j := judges[feature]; j != nil {
		return j
	}
	j, err := startJudge(jvmtest.JDK(t, feature), feature)
	if err != nil {
		t.Fatal(err)
	}
	judges[feature] = j
	return j
}

// startJudge starts a JVM. Its class verifier is on for the generated classes, as it is for every class of an application.
func startJudge(home string, feature int) (*judge, error) {
	j := &judge{feature: feature, cmd: jvmtest.Command(home, "java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx512m",
		"-Djdk.reflect.useNativeAccessorOnly=true", "-XX:ErrorFile="+os.DevNull, "testdata/Judge.java")}
	j.cmd.Stderr = &j.said
	var err error
	if j.in, err = j.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := j.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	j.out = bufio.NewReaderSize(out, 1<<16)
	return j, j.cmd.Start()
}

// end ends the JVM and returns what went wrong with it.
func (j *judge) end() error {
	closed := j.in.Close()
	_, drained := io.Copy(io.Discard, j.out) // a JVM whose answers nobody reads would wait for ever
	if err := errors.Join(closed, drained, j.cmd.Wait()); err != nil {
		return fmt.Errorf("%w\n%s", err, j.said.Bytes())
	}
	return nil
}

// class reads a class of the judge's JDK.
func (j *judge) class(name string) (*Class, error) {
	if _, err := j.in.Write(appendUTF([]byte{'R'}, name)); err != nil {
		return nil, err
	}
	var size [4]byte
	if _, err := io.ReadFull(j.out, size[:]); err != nil {
		return nil, err
	}
	data := make([]byte, binary.BigEndian.Uint32(size[:]))
	if _, err := io.ReadFull(j.out, data); err != nil {
		return nil, err
	}
	file, err := classfile.Read(data)
	if err != nil {
		return nil, err
	}
	return Of(file)
}

// platform reads the classes of the JDK that generated programs use, with their supertypes.
func (j *judge) platform(t testing.TB) map[string]*Class {
	t.Helper()
	out := map[string]*Class{}
	work := []string{object, "java/lang/Cloneable", "java/io/Serializable", "java/lang/invoke/MethodHandle", "java/lang/invoke/VarHandle"}
	for len(work) > 0 {
		name := work[0]
		work = work[1:]
		if name == "" || out[name] != nil {
			continue
		}
		c, err := j.class(name)
		if err != nil {
			t.Fatalf("%s of JDK %d: %v", name, j.feature, err)
		}
		out[name] = c
		work = append(append(work, c.Super), c.Interfaces...)
	}
	return out
}

func appendUTF(dst []byte, s string) []byte {
	return append(binary.BigEndian.AppendUint16(dst, uint16(len(s))), s...)
}

// An executable is a program as the judge takes it.
type executable struct {
	names []string // of classes, in order
	files map[string][]byte
	calls []call
}

type call struct{ class, method, receiver, token string }

func (e *executable) request() []byte {
	b := binary.BigEndian.AppendUint32([]byte{'P'}, uint32(len(e.names)))
	for _, name := range e.names {
		b = appendUTF(b, name)
		b = append(binary.BigEndian.AppendUint32(b, uint32(len(e.files[name]))), e.files[name]...)
	}
	b = binary.BigEndian.AppendUint32(b, uint32(len(e.calls)))
	for _, c := range e.calls {
		b = appendUTF(appendUTF(appendUTF(appendUTF(b, c.class), c.method), c.receiver), c.token)
	}
	return b
}

// outcomes are the answers of the judge: for each class and for each call.
type outcomes struct{ classes, calls []string }

// run has programs executed. A JVM that fails is of no more use to anyone.
func (j *judge) run(programs []*executable, each func(i int, o outcomes)) error {
	err := j.execute(programs, each)
	if err != nil {
		delete(judges, j.feature)
		err = errors.Join(err, j.end())
	}
	return err
}

// execute reads answers while requests are still being written, so that neither side waits for the other.
func (j *judge) execute(programs []*executable, each func(i int, o outcomes)) error {
	wrote := make(chan error, 1)
	go func() {
		w := bufio.NewWriterSize(j.in, 1<<16)
		for _, p := range programs {
			if _, err := w.Write(p.request()); err != nil {
				wrote <- err
				return
			}
		}
		wrote <- w.Flush()
	}()
	for i, p := range programs {
		var o outcomes
		var err error
		if o.classes, err = j.answers(len(p.names)); err == nil {
			o.calls, err = j.answers(len(p.calls))
		}
		if err != nil {
			return fmt.Errorf("program %d: %w", i, err)
		}
		each(i, o)
	}
	return <-wrote
}

func (j *judge) answers(n int) ([]string, error) {
	out := make([]string, n)
	for i := range out {
		var size [2]byte
		if _, err := io.ReadFull(j.out, size[:]); err != nil {
			return nil, err
		}
		text := make([]byte, binary.BigEndian.Uint16(size[:]))
		if _, err := io.ReadFull(j.out, text); err != nil {
			return nil, err
		}
		out[i] = string(text)
		if strings.HasPrefix(out[i], "cannot call") {
			return nil, fmt.Errorf("answer %d: %s", i, text)
		}
	}
	return out, nil
}
