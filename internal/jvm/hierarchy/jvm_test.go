package hierarchy

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/jvmtest"
)

// A judge is a running JVM that says what programs do. See testdata/Judge.java for the requests.
type judge struct {
	feature int
	in      io.WriteCloser
	out     *bufio.Reader
}

// newJudge starts a JVM. Its class verifier is on for the generated classes, as it is for every class of an application.
func newJudge(t testing.TB, feature int) *judge {
	t.Helper()
	home := jvmtest.JDK(t, feature)
	cmd := jvmtest.Command(home, "java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx512m", "-Djdk.reflect.useNativeAccessorOnly=true",
		"-XX:ErrorFile="+filepath.Join(t.TempDir(), "crash.log"), "testdata/Judge.java")
	var said bytes.Buffer
	cmd.Stderr = &said
	cmd.WaitDelay = 10 * time.Second
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := in.Close(); err != nil {
			t.Error(err)
		}
		// A JVM whose answers nobody has read would wait for ever.
		_, drained := io.Copy(io.Discard, out)
		if err := cmd.Wait(); err != nil || drained != nil {
			t.Errorf("judge: %v, %v\n%s", err, drained, said.String())
		}
	})
	return &judge{feature: feature, in: in, out: bufio.NewReaderSize(out, 1<<16)}
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

// run has programs executed while requests are still being written, so that neither side waits for the other.
func (j *judge) run(programs []*executable, each func(i int, o outcomes)) error {
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
