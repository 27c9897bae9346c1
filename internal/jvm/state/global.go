package state

import (
	"slices"
	"strings"
)

// A global is state that the JDK keeps for the whole process and that code of the project changes and reads by calls only. It becomes a static cell: bodies that call one of
// its classes read it, and those of the project that call a method which changes it fill it.
type global struct {
	label   string
	classes []string // names of classes, or of packages with a slash at the end
	changes []string // beginnings of the names of methods that change it
	reads   []string // beginnings of the names of methods that read it; none means all others
}

var globals = []global{
	{"java.util.logging", []string{"java/util/logging/"}, []string{"set", "add", "remove", "reset", "read", "update"}, nil},
	{"java.security.Security", []string{"java/security/", "javax/crypto/", "javax/net/ssl/"}, []string{"addProvider", "insertProvider", "removeProvider", "setProperty", "setDefault"}, []string{"get", "create"}},
	{"java.util.prefs", []string{"java/util/prefs/"}, []string{"put", "remove", "clear", "import"}, nil},
	{"Thread.contextClassLoader", []string{"java/lang/Thread"}, []string{"setContextClassLoader"}, []string{"getContextClassLoader"}},
	{"Thread.name", []string{"java/lang/Thread"}, []string{"setName"}, []string{"getName", "toString"}},
	{"Thread.uncaughtExceptionHandler", []string{"java/lang/Thread"}, []string{"setDefaultUncaughtExceptionHandler", "setUncaughtExceptionHandler"}, []string{"getDefaultUncaughtExceptionHandler", "getUncaughtExceptionHandler", "start"}},
	{"java.beans.PropertyEditorManager", []string{"java/beans/PropertyEditorManager"}, []string{"register", "set"}, nil},
	{"java.net defaults", []string{"java/net/"}, []string{"setDefault", "setFollowRedirects", "setURLStreamHandlerFactory", "setContentHandlerFactory", "setFileNameMap", "setSocketFactory"}, nil},
	{"assertion status", []string{"java/lang/ClassLoader", "java/lang/Class"}, []string{"setDefaultAssertionStatus", "setPackageAssertionStatus", "setClassAssertionStatus", "clearAssertionStatus"}, []string{"desiredAssertionStatus"}},
	{"java.sql.DriverManager", []string{"java/sql/DriverManager"}, []string{"register", "deregister", "set"}, nil},
	{"MBean servers", []string{"javax/management/MBeanServer", "javax/management/MBeanServerConnection", "javax/management/MBeanServerFactory", "javax/management/JMX"}, []string{"register", "unregister", "create", "release", "setAttribute"}, nil},
	{"java.lang.management", []string{"java/lang/management/"}, []string{"set"}, []string{"get", "is"}},
	{"threads", []string{"java/lang/Thread", "java/lang/ThreadGroup", "java/lang/management/ThreadMXBean"}, []string{"start"}, []string{"getAllStackTraces", "activeCount", "enumerate", "getThread", "getAllThread", "dumpAllThreads"}},
	{"priorities of threads", []string{"java/lang/Thread", "java/lang/ThreadGroup"}, []string{"setPriority", "setMaxPriority"}, []string{"getPriority", "getMaxPriority"}},
	{"javax.swing.UIManager", []string{"javax/swing/UIManager"}, []string{"put", "set", "install", "add", "remove"}, nil},
	{"java.beans.Introspector", []string{"java/beans/Introspector"}, []string{"setBeanInfoSearchPath"}, nil},
	{"javax.imageio", []string{"javax/imageio/ImageIO", "javax/imageio/spi/IIORegistry"}, []string{"set", "register", "deregister", "scan"}, nil},
	// Libraries that keep something for the whole process or thread.
	{"defaults of Joda-Time", []string{"org/joda/time/DateTimeZone", "org/joda/time/DateTimeUtils"}, []string{"set"}, []string{"getDefault", "getProvider", "getNameProvider", "currentTimeMillis", "getZone", "getChronology"}},
	{"ConvertUtils", []string{"org/apache/commons/beanutils/ConvertUtils", "org/apache/commons/beanutils2/ConvertUtils"}, []string{"register", "deregister"}, nil},
	{"Spring's holders", []string{"org/springframework/context/i18n/LocaleContextHolder", "org/springframework/web/context/request/RequestContextHolder", "org/springframework/security/core/context/SecurityContextHolder"}, []string{"set", "reset", "clear"}, nil},
	{"attributes of TestNG", []string{"org/testng/IAttributes", "org/testng/ITestContext", "org/testng/ISuite"}, []string{"setAttribute", "removeAttribute"}, []string{"getAttribute"}},
	{"org.testng.Reporter", []string{"org/testng/Reporter"}, []string{"log", "clear"}, []string{"getOutput"}},
}

// ownGlobals are read by bodies of the project only: libraries look at them in every test, and seldom in a way that a test sees.
var ownGlobals = []global{
	{"org.slf4j.MDC", []string{"org/slf4j/MDC", "org/apache/logging/log4j/ThreadContext"}, []string{"put", "remove", "clear", "set", "push", "pop"}, nil},
	{"logback", []string{"ch/qos/logback/", "org/slf4j/Logger"}, []string{"set", "add", "put", "detach", "remove", "reset", "start", "stop"}, []string{"get", "is", "iterator", "list"}},
	{"log4j", []string{"org/apache/logging/log4j/core/", "org/apache/log4j/"}, []string{"set", "add", "put", "remove", "reset", "reconfigure", "update"}, nil},
}

// lazyGlobals are filled by who finds something missing. What is there counts as if a test had made it with the methods of its own that look and fill, or with those of others that fill without a look.
var lazyGlobals = []global{
	{"extensions' stores", []string{"org/junit/jupiter/api/extension/ExtensionContext$Store"}, []string{"getOrComputeIfAbsent", "computeIfAbsent"}, []string{"getOrComputeIfAbsent", "computeIfAbsent"}},
	{"values in extensions' stores", []string{"org/junit/jupiter/api/extension/ExtensionContext$Store"}, []string{"put"}, []string{"get", "remove"}},
}

// of tells whether a call concerns the state, and whether it changes it.
func (g *global) of(m Member) (concerns, changes bool) {
	begins := func(prefix string) bool { return strings.HasPrefix(m.Name, prefix) }
	in := slices.ContainsFunc(g.classes, func(c string) bool { return m.Class == c || strings.HasSuffix(c, "/") && strings.HasPrefix(m.Class, c) })
	if !in {
		return false, false
	}
	if slices.ContainsFunc(g.changes, begins) {
		return true, true
	}
	return g.reads == nil || slices.ContainsFunc(g.reads, begins), false
}

// globals makes the cells of what the JDK keeps.
func (c *cells) globals() error {
	owner, err := c.typeOf("java/lang/System")
	if err != nil {
		return err
	}
	for i := range globals {
		c.called(&globals[i], &cell{owner: owner}, false)
	}
	for i := range ownGlobals {
		c.called(&ownGlobals[i], &cell{owner: owner}, true)
	}
	for i := range lazyGlobals {
		c.called(&lazyGlobals[i], &cell{owner: owner, lazy: true}, false)
	}
	c.inContainers(owner)
	c.rows(owner)
	return c.properties(owner)
}

// called makes a cell of a global by the calls of it, in all bodies or in those of the project only.
func (c *cells) called(g *global, at *cell, own bool) {
	at.label, at.static, at.descriptor, at.kept = g.label, true, "Ljava/lang/Object;", true
	for n := range c.methods {
		b := c.methods[n].body
		if of := c.types[c.methods[n].class]; b == nil || of.frame || own && !of.ours {
			continue
		}
		concerns, changes := false, false
		for _, m := range b.Calls {
			is, does := g.of(m)
			if does && at.lazy {
				is = slices.ContainsFunc(g.reads, func(prefix string) bool { return strings.HasPrefix(m.Name, prefix) })
			}
			concerns, changes = concerns || is, changes || does
		}
		c.global(at, int32(n), concerns, changes)
	}
	c.keep(at)
}

// global notes that a method reads or changes a cell of the JDK's.
func (c *cells) global(at *cell, n int32, concerns, changes bool) {
	if concerns {
		at.readers = append(at.readers, n)
	}
	if changes && c.types[c.methods[n].class].ours {
		at.writers = append(at.writers, n)
		if !at.lazy {
			at.givers = append(at.givers, n)
		}
	}
}

// keep adds a cell of the JDK's or a library's. If nothing of this process changes it, tests that are absent may.
func (c *cells) keep(at *cell) {
	if len(at.writers)+len(at.readers) == 0 {
		return
	}
	for _, n := range at.readers {
		c.reads[n] = append(c.reads[n], len(c.all))
	}
	c.all = append(c.all, at)
}

var putsProperties = []string{"setProperty", "put", "putAll", "putIfAbsent", "remove", "clear", "load", "loadFromXML", "replace", "compute", "computeIfAbsent", "merge"}

// properties makes a cell of the system properties as an object: the agent sees System.setProperty, but not what is put into the object that System.getProperties returns.
func (c *cells) properties(owner int32) error {
	at := &cell{label: "System.properties", static: true, descriptor: "Ljava/lang/Object;", owner: owner, kept: true}
	for n := range c.methods {
		b := c.methods[n].body
		if b == nil || c.types[c.methods[n].class].frame {
			continue
		}
		whole := slices.ContainsFunc(b.Calls, func(m Member) bool { return m.Class == "java/lang/System" && m.Name == "getProperties" })
		puts := whole && slices.ContainsFunc(b.Calls, func(m Member) bool {
			return slices.Contains([]string{"java/util/Properties", "java/util/Hashtable"}, m.Class) && slices.Contains(putsProperties, m.Name)
		})
		reads := slices.ContainsFunc(b.Calls, func(m Member) bool {
			return m.Class == "java/lang/System" && strings.HasPrefix(m.Name, "getPropert") || m.Class == "java/lang/Integer" && m.Name == "getInteger" || m.Class == "java/lang/Boolean" && m.Name == "getBoolean" || m.Class == "java/lang/Long" && m.Name == "getLong"
		})
		c.global(at, int32(n), reads, puts)
	}
	c.keep(at)
	return nil
}

// reflection notes for each footprint that uses fields by reflection the fields of the classes that it looked at: it may have read them, or written them.
func (s *stretches) reflection() {
	s.readIn, s.writtenIn = make([][]int, len(s.from)), make([][]int32, len(s.all))
	for k := range s.from {
		classes := s.reflectedIn(k)
		if len(classes) == 0 {
			continue
		}
		gets, sets := s.usesFields(k)
		for c, at := range s.all {
			if at.kept || !classes[at.owner] {
				continue
			}
			if gets || sets {
				at.onces = nil // others may look at it, or write it
			}
			if gets {
				s.readIn[k] = append(s.readIn[k], c)
			}
			if sets {
				s.writtenIn[c] = append(s.writtenIn[c], int32(k))
			}
		}
	}
}

// usesFields tells whether a method of a footprint, but for those of test frameworks, gets or sets fields by reflection.
func (s *stretches) usesFields(k int) (gets, sets bool) {
	for _, n := range s.has[k] {
		if b := s.methods[n].body; b != nil && !s.types[s.methods[n].class].frame {
			g, w := b.usesFields()
			gets, sets = gets || g, sets || w
		}
	}
	return gets, sets
}

// usesFields tells whether a body gets or sets fields by reflection.
func (b *Body) usesFields() (gets, sets bool) {
	for _, m := range b.Calls {
		if m.Class == "java/lang/reflect/Field" {
			gets = gets || m.Name == "get" || strings.HasPrefix(m.Name, "get") && strings.HasPrefix(m.Descriptor, "(Ljava/lang/Object;)")
			sets = sets || strings.HasPrefix(m.Name, "set") && m.Name != "setAccessible"
		}
	}
	return gets, sets
}

// reflectedIn has the classes of the project that a footprint looked at by reflection, but for those in which the framework looks for tests.
func (s *stretches) reflectedIn(k int) map[int32]bool {
	out := map[int32]bool{}
	for _, class := range s.looked[k] {
		if !s.tests[s.types[class].name] {
			out[class] = true
		}
	}
	return out
}
