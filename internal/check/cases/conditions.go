package cases

import (
	"maps"
	"strings"
)

// A Condition is a build or a use of a framework under which a published tool breaks down: under it R6 and R7 must hold for a tool.
type Condition struct {
	ID    string // of the bug in the table, in lower case
	Title string
	Rule  string
	// Files are those of a Maven module; Edit has those that differ at the last revision.
	Files, Edit map[string]string
	// Dependencies, Surefire and Build are parts of the POM; Version is that of Surefire if it matters.
	Dependencies, Surefire, Build, Version string
}

// code is a class with a method whose constant changes, and a test of it.
func code(n string) string {
	return "package p;\npublic class A { public int m() { return " + n + "; } }\n"
}

const plainTest = `package p;
public class ATest {
    @org.junit.Test public void runs() { org.junit.Assert.assertTrue(new A().m() > 0); }
}
`

// condition makes one with the common files and some more.
func condition(id, title, rule string, more map[string]string) Condition {
	c := Condition{ID: id, Title: title, Rule: rule, Files: map[string]string{"src/main/java/p/A.java": code("1"), "src/test/java/p/ATest.java": plainTest}}
	maps.Copy(c.Files, more)
	c.Edit = map[string]string{"src/main/java/p/A.java": code("2")}
	return c
}

// with changes parts of the POM.
func (c Condition) with(edit func(*Condition)) Condition {
	edit(&c)
	return c
}

// Conditions are the 14 bugs of generality.
func Conditions() []Condition {
	return []Condition{
		condition("clover-6", "instrumenting classes changes what reflection shows", "R7", map[string]string{
			"src/main/java/p/B.java": "package p;\npublic class B { public A a; public void m() { Runnable r = () -> { }; r.run(); } static class N { } }\n",
			"src/test/java/p/MembersTest.java": `package p;
import static org.junit.Assert.assertEquals;
public class MembersTest {
    @org.junit.Test public void members() {
        assertEquals(1, B.class.getDeclaredFields().length);
        assertEquals(1, B.class.getDeclaredClasses().length);
        assertEquals(2, B.class.getDeclaredMethods().length);
        assertEquals(1, B.class.getDeclaredConstructors().length);
        assertEquals(0, B.class.getAnnotations().length + B.class.getInterfaces().length);
    }
}
`}),
		condition("clover-10", "a subset of Java's syntax cannot be parsed", "R6", map[string]string{
			"src/main/java/p/Modern.java": `package p;
public sealed interface Modern permits Modern.One, Modern.Two {
    record One(int a) implements Modern { public One { if (a < 0) throw new IllegalArgumentException(); } }
    record Two(String s) implements Modern { }
    default String text() {
        var out = this instanceof One one && one.a() > 0 ? """
            one "%d"
            """.formatted(one.a()) : "two";
        return switch (out.length()) { case 3 -> out; default -> { yield out.strip(); } };
    }
}
`,
			"src/test/java/p/ModernTest.java": "package p;\npublic class ModernTest { @org.junit.Test public void text() { org.junit.Assert.assertEquals(\"two\", new Modern.Two(\"x\").text()); } }\n"}),
		condition("clover-11", "incompatible code is inserted", "R6", map[string]string{
			"src/main/java/p/Big.java": "package p;\npublic class Big {\n    public final int f;\n    public Big() { int x = 0; if (x == 0) f = 1; else f = 2; }\n    public static long sum(long n) {\n" + strings.Repeat("        n += n * 31 + 1234567L;\n", 4300) +
				"        return n;\n    }\n    @SafeVarargs public static <T extends Comparable<T>> T max(T... all) { T m = all[0]; for (T t : all) if (t.compareTo(m) > 0) m = t; return m; }\n}\n",
			"src/test/java/p/BigTest.java": "package p;\npublic class BigTest { @org.junit.Test public void big() { org.junit.Assert.assertEquals(Big.sum(1), Big.sum(1)); org.junit.Assert.assertEquals(3, (int) Big.max(1, 3, 2)); org.junit.Assert.assertEquals(1, new Big().f); } }\n"}),
		condition("clover-12", "two classes have the same name", "R6", map[string]string{
			"src/main/java/p/Same.java":     "package p;\npublic class Same { public static int which() { return 1; } }\n",
			"src/test/java/p/Same.java":     "package p;\npublic class Same { public static int which() { return 2; } }\n",
			"src/test/java/p/SameTest.java": "package p;\npublic class SameTest { @org.junit.Test public void which() { org.junit.Assert.assertEquals(2, Same.which()); } }\n"}),
		condition("clover-13", "libraries of the tool get into what tests share", "R7", map[string]string{
			"src/test/java/p/SharedTest.java": `package p;
public class SharedTest {
    @org.junit.Test public void path() throws Exception {
        for (String part : System.getProperty("java.class.path").split(java.io.File.pathSeparator))
            org.junit.Assert.assertFalse(part, new java.io.File(part).getName().contains("agent"));
        for (String bad : new String[] {"org.objectweb.asm.ClassReader", "net.bytebuddy.ByteBuddy", "com.google.gson.Gson"})
            try { Class.forName(bad, false, SharedTest.class.getClassLoader()); org.junit.Assert.fail(bad); } catch (ClassNotFoundException expected) { }
        for (java.nio.charset.spi.CharsetProvider s : java.util.ServiceLoader.load(java.nio.charset.spi.CharsetProvider.class))
            org.junit.Assert.assertFalse(s.getClass().getName().contains("winnow"));
    }
}
`}),
		condition("clover-14", "annotations of types cannot be parsed", "R6", map[string]string{
			"src/main/java/p/N.java":         "package p;\nimport java.lang.annotation.*;\n@Target(ElementType.TYPE_USE) @Retention(RetentionPolicy.RUNTIME) public @interface N { }\n",
			"src/main/java/p/Typed.java":     "package p;\nimport java.util.Map;\npublic class Typed { public Map.@N Entry<@N String, @N Integer> e; public @N String @N [] m(@N Typed this, @N Object o) { return new String @N [] {(@N String) o}; } }\n",
			"src/test/java/p/TypedTest.java": "package p;\npublic class TypedTest { @org.junit.Test public void types() { org.junit.Assert.assertEquals(\"x\", new Typed().m(\"x\")[0]); } }\n"}),
		condition("clover-15", "tests that the POM asks for are ignored", "R6", map[string]string{
			"src/test/java/p/Checks.java": "package p;\npublic class Checks { @org.junit.Test public void asked() { org.junit.Assert.assertTrue(new A().m() > 0); } }\n",
		}).with(func(c *Condition) { c.Surefire = "<includes><include>**/Checks.java</include></includes>" }),
		condition("clover-16", "a class of the tool is not found at run time", "R6", map[string]string{
			"src/test/java/p/LoaderTest.java": `package p;
import java.net.*;
public class LoaderTest {
    @org.junit.Test public void apart() throws Exception {
        try (URLClassLoader loader = new URLClassLoader(new URL[] {A.class.getProtectionDomain().getCodeSource().getLocation()}, null)) {
            Class<?> c = loader.loadClass("p.A");
            org.junit.Assert.assertNotSame(A.class, c);
            org.junit.Assert.assertTrue((Integer) c.getMethod("m").invoke(c.getConstructor().newInstance()) > 0);
        }
    }
}
`,
		}).with(func(c *Condition) { c.Surefire = "<useSystemClassLoader>false</useSystemClassLoader>" }),
		condition("ekstazi-3", "an outdated build", "R6", nil).with(func(c *Condition) { c.Version = "2.22.2" }),
		condition("ekstazi-4", "annotations of JUnit 4 count in classes of JUnit 3", "R7", map[string]string{
			"src/test/java/p/OldTest.java": `package p;
public class OldTest extends junit.framework.TestCase {
    private int n;
    @org.junit.Before public void before() { n++; }
    protected void setUp() { n += 10; }
    @org.junit.Test(expected = IllegalStateException.class) public void testOnce() { assertEquals(10, n); }
    @org.junit.Ignore public void testIgnored() { assertEquals(10, n); }
    public static junit.framework.Test suite() { return new junit.framework.TestSuite(OldTest.class); }
}
`}),
		condition("ekstazi-5", "injected fields", "R7", map[string]string{
			"src/test/java/p/Inject.java": "package p;\nimport java.lang.annotation.*;\n@Retention(RetentionPolicy.RUNTIME) @interface Inject { }\n",
			"src/test/java/p/Injecting.java": `package p;
public class Injecting extends org.junit.runners.BlockJUnit4ClassRunner {
    public Injecting(Class<?> c) throws org.junit.runners.model.InitializationError { super(c); }
    @Override protected Object createTest() throws Exception {
        Object test = super.createTest();
        for (java.lang.reflect.Field f : test.getClass().getDeclaredFields()) {
            if (f.isAnnotationPresent(Inject.class)) { f.setAccessible(true); f.set(test, f.getType().getConstructor().newInstance()); }
        }
        return test;
    }
}
`,
			"src/test/java/p/InjectedTest.java": "package p;\n@org.junit.runner.RunWith(Injecting.class)\npublic class InjectedTest { @Inject private A a; @org.junit.Test public void injected() { org.junit.Assert.assertTrue(a.m() > 0); } }\n"}),
		condition("starts-3", "a library whose jar is unusual", "R6", map[string]string{
			"src/test/java/p/LibraryTest.java": "package p;\npublic class LibraryTest { @org.junit.Test public void library() throws Exception { org.junit.Assert.assertEquals(\"org.h2.Driver\", Class.forName(\"org.h2.Driver\").getName()); } }\n",
		}).with(func(c *Condition) {
			c.Dependencies = "<dependency><groupId>com.h2database</groupId><artifactId>h2</artifactId><version>1.4.197</version></dependency>"
		}),
		condition("starts-4", "tests in an unconventional place", "R6", map[string]string{
			"src/checks/p/PlaceTest.java": "package p;\npublic class PlaceTest { @org.junit.Test public void place() { org.junit.Assert.assertTrue(new A().m() > 0); } }\n",
		}).with(func(c *Condition) { c.Build = "<testSourceDirectory>src/checks</testSourceDirectory>" }),
		condition("starts-5", "little memory", "R6", nil).with(func(c *Condition) { c.Surefire = "<argLine>-Xmx24m</argLine>" }),
	}
}
