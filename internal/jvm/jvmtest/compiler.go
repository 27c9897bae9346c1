package jvmtest

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"
)

//go:embed CompileServer.java
var compileServer string

// maxFrame bounds every length that a compile server sends.
const maxFrame = 1 << 28

// A Compiler is a running JVM that compiles many programs, each apart from the others. Its methods may be called from several goroutines; it
// compiles one program at a time.
type Compiler struct {
	mu     sync.Mutex
	cmd    *exec.Cmd
	in     *bufio.Writer
	close  io.Closer
	out    *bufio.Reader
	errors bytes.Buffer // what the JVM writes to stderr; read only after it has ended
	broken error        // why there can be no more answers
}

// NewCompiler starts a compiler of a JDK. It ends with the test.
func NewCompiler(t testing.TB, jdk string) *Compiler {
	t.Helper()
	c, err := startCompiler(jdk, filepath.Join(t.TempDir(), "CompileServer.java"))
	if err != nil {
		t.Fatalf("start a compiler of %s: %v", jdk, err)
	}
	t.Cleanup(func() {
		if err := c.stop(); err != nil {
			t.Errorf("stop the compiler of %s: %v", jdk, err)
		}
	})
	return c
}

// startCompiler lets the JVM's launcher compile the server in memory, which also warms up the compiler.
func startCompiler(jdk, source string) (*Compiler, error) {
	if err := os.WriteFile(source, []byte(compileServer), 0o644); err != nil {
		return nil, err
	}
	c := &Compiler{cmd: Command(jdk, "java", append(slices.Clone(quick), source)...)}
	c.cmd.Stderr = &c.errors
	c.cmd.WaitDelay = 10 * time.Second
	in, err := c.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.in, c.close, c.out = bufio.NewWriter(in), in, bufio.NewReader(out)
	return c, c.cmd.Start()
}

// stop ends the JVM and waits for it. A JVM that has failed has said so in an answer to Compile.
func (c *Compiler) stop() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.broken != nil {
		return nil
	}
	c.broken = errors.New("the compiler was stopped")
	return c.end()
}

func (c *Compiler) end() error {
	err := c.close.Close()
	timer := time.AfterFunc(30*time.Second, func() { _ = c.cmd.Process.Kill() }) // Wait reports what came of it
	defer timer.Stop()
	if err := errors.Join(err, c.cmd.Wait()); err != nil {
		return fmt.Errorf("%w\n%s", err, c.errors.Bytes())
	}
	return nil
}

// Compile compiles a program in memory. Files and args are those of Javac, but no directory for output and no annotation processor that writes
// files can be given. Result: the class files by class name, written with slashes; or an error with the compiler's words.
func (c *Compiler) Compile(files map[string]string, args ...string) (map[string][]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.broken != nil {
		return nil, c.broken
	}
	answer, err := c.exchange(files, args)
	if err != nil {
		c.broken = fmt.Errorf("the compiler gave no answer: %w", errors.Join(err, c.end()))
		return nil, c.broken
	}
	if !answer.ok {
		return nil, fmt.Errorf("javac:\n%s", answer.words)
	}
	return answer.classes, nil
}

type answer struct {
	ok      bool
	words   []byte
	classes map[string][]byte
}

func (c *Compiler) exchange(files map[string]string, args []string) (answer, error) {
	if _, err := c.in.Write(request(files, args)); err != nil {
		return answer{}, err
	}
	if err := c.in.Flush(); err != nil {
		return answer{}, err
	}
	return readAnswer(c.out)
}

// request is the frame that CompileServer.java describes.
func request(files map[string]string, args []string) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(args)))
	for _, arg := range args {
		b = appendString(b, arg)
	}
	b = binary.BigEndian.AppendUint32(b, uint32(len(files)))
	for _, name := range slices.Sorted(maps.Keys(files)) {
		b = appendString(appendString(b, name), files[name])
	}
	return b
}

func appendString(b []byte, s string) []byte {
	return append(binary.BigEndian.AppendUint32(b, uint32(len(s))), s...)
}

func readAnswer(r *bufio.Reader) (answer, error) {
	ok, err := r.ReadByte()
	if err != nil {
		return answer{}, err
	}
	a := answer{ok: ok == 1, classes: map[string][]byte{}}
	if a.words, err = readFrame(r); err != nil {
		return answer{}, err
	}
	n, err := readLength(r)
	for range n {
		var name, data []byte
		if name, err = readFrame(r); err == nil {
			data, err = readFrame(r)
		}
		if err != nil {
			break
		}
		a.classes[string(name)] = data
	}
	if err != nil {
		return answer{}, err
	}
	return a, nil
}

func readFrame(r io.Reader) ([]byte, error) {
	n, err := readLength(r)
	if err != nil {
		return nil, err
	}
	// The length is not trusted with memory before the bytes have come.
	data, err := io.ReadAll(io.LimitReader(r, int64(n)))
	if err == nil && len(data) < int(n) {
		err = io.ErrUnexpectedEOF
	}
	return data, err
}

func readLength(r io.Reader) (uint32, error) {
	var b [4]byte
	if _, err := io.ReadFull(r, b[:]); err != nil {
		return 0, err
	}
	n := binary.BigEndian.Uint32(b[:])
	if n > maxFrame {
		return 0, fmt.Errorf("a length of %d in the answer", n)
	}
	return n, nil
}
