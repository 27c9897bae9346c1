package agent

import (
	"slices"

	"winnow/internal/jvm/instrument"
)

// hook is a hook that passes parameters of one method.
func hook(class, method, descriptor, target string, pass ...instrument.Parameter) instrument.Hook {
	return instrument.Hook{Class: class, Target: target, Pass: pass, Methods: []instrument.Method{{Name: method, Descriptor: descriptor}}}
}

// leaving is a hook before each return of one method.
func leaving(class, method, descriptor, target string) instrument.Hook {
	h := hook(class, method, descriptor, target)
	h.Leaving = true
	return h
}

// frameworkHooks are the hooks into test frameworks. The targets are methods of the probe class. Where a method has a result or a failure to
// tell, it is passed, too; instrument.FrameworkHooks has the places without that.
func frameworkHooks() []instrument.Hook {
	const (
		adapter     = "org/junit/platform/launcher/core/ExecutionListenerAdapter"
		hierarchy   = "org/junit/platform/engine/support/hierarchical/"
		vintage     = "org/junit/vintage/engine/VintageTestEngine"
		discovery   = "org/junit/vintage/engine/discovery/"
		descriptor  = "(Lorg/junit/platform/engine/TestDescriptor;)V"
		request     = "(Lorg/junit/platform/engine/ExecutionRequest;)V"
		notifier    = "org/junit/runner/notification/RunNotifier"
		runner      = "org/junit/runners/ParentRunner"
		description = "(Lorg/junit/runner/Description;)V"
		failure     = "(Lorg/junit/runner/notification/Failure;)V"
		result      = "junit/framework/TestResult"
		suite       = "junit/framework/TestSuite"
		testng      = "org/testng/internal/TestListenerHelper"
		testRunner  = "org/testng/TestRunner"
		sixMakes    = "org/testng/internal/ClassHelper"
		sevenMakes  = "org/testng/internal/InstanceCreator" // before 7.5
		newMakes    = "org/testng/internal/objects/SimpleObjectDispenser"
		oldInvoker  = "org/testng/internal/Invoker" // before 6.12
		oldWorker   = "org/testng/internal/TestMethodWorker"
		newWorker   = "org/testng/internal/invokers/TestMethodWorker"
		worker      = "(Lorg/testng/ITestClass;Lorg/testng/IMethodInstance;)V"
		makesSix    = "(Ljava/lang/Class;Ljava/util/Map;Lorg/testng/xml/XmlTest;Lorg/testng/internal/annotations/IAnnotationFinder;Lorg/testng/ITestObjectFactory;)Ljava/lang/Object;"
		makesSeven  = "(Ljava/lang/Class;Ljava/util/Map;Lorg/testng/xml/XmlTest;Lorg/testng/internal/annotations/IAnnotationFinder;Lorg/testng/ITestObjectFactory;ZLjava/lang/String;)Ljava/lang/Object;"
	)
	return []instrument.Hook{
		hook(hierarchy+"HierarchicalTestEngine", "execute", request, "platformFound", 0),
		hook(vintage, "execute", request, "platformFound", 0),
		hook(discovery+"DefensiveAllDefaultPossibilitiesBuilder", "runnerForClass", "(Ljava/lang/Class;)Lorg/junit/runner/Runner;", "vintageLooks", 0), // since 5.3
		{Class: "org/junit/vintage/engine/descriptor/RunnerTestDescriptor", Target: "vintageFound", Pass: []instrument.Parameter{1}, Methods: []instrument.Method{
			{Name: "<init>", Descriptor: "(Lorg/junit/platform/engine/UniqueId;Ljava/lang/Class;Lorg/junit/runner/Runner;)V"},
			{Name: "<init>", Descriptor: "(Lorg/junit/platform/engine/UniqueId;Ljava/lang/Class;Lorg/junit/runner/Runner;Z)V"}}},
		hook(hierarchy+"NodeTestTask", "prepare", "()V", "platformPreparing"), // since 1.3
		hook(adapter, "dynamicTestRegistered", descriptor, "platformRegistered", 0),
		hook(adapter, "executionStarted", descriptor, "platformStarted", 0),
		hook(adapter, "executionSkipped", "(Lorg/junit/platform/engine/TestDescriptor;Ljava/lang/String;)V", "platformSkipped", 0),
		hook(adapter, "executionFinished", "(Lorg/junit/platform/engine/TestDescriptor;Lorg/junit/platform/engine/TestExecutionResult;)V", "platformFinished", 0, 1),

		hook(runner, "run", "(Lorg/junit/runner/notification/RunNotifier;)V", "junit4Found", instrument.This, 0),
		hook(notifier, "fireTestSuiteStarted", description, "junit4SuiteStarted", instrument.This, 0), // since 4.13
		hook(notifier, "fireTestSuiteFinished", description, "junit4SuiteFinished", instrument.This, 0),
		hook(notifier, "fireTestStarted", description, "junit4Started", instrument.This, 0),
		hook(notifier, "fireTestFinished", description, "junit4Finished", instrument.This, 0),
		hook(notifier, "fireTestIgnored", description, "junit4Ignored", instrument.This, 0),
		hook(notifier, "fireTestFailure", failure, "junit4Failed", instrument.This, 0),
		hook(notifier, "fireTestAssumptionFailed", failure, "junit4Assumed", instrument.This, 0),

		{Class: "org/apache/maven/surefire/junit4/JUnit4Provider", Target: "setStarted", Pass: []instrument.Parameter{0}, Methods: testSet(
			"(Ljava/lang/Class;Lorg/apache/maven/surefire/report/RunListener;Lorg/junit/runner/notification/RunNotifier;)V",
			"(Ljava/lang/Class;Lorg/apache/maven/surefire/report/RunListener;Lorg/apache/maven/surefire/common/junit4/Notifier;)V",
			"(Ljava/lang/Class;Lorg/apache/maven/surefire/api/report/RunListener;Lorg/apache/maven/surefire/common/junit4/Notifier;)V",
			"(Ljava/lang/Class;Lorg/apache/maven/surefire/api/report/RunListener;Lorg/apache/maven/surefire/common/junit4/Notifier;Lorg/apache/maven/surefire/report/RunModeSetter;)V")},
		{Class: "org/apache/maven/surefire/junit/JUnit3Provider", Target: "setStarted", Pass: []instrument.Parameter{0}, Methods: testSet(
			"(Lorg/apache/maven/surefire/junit/SurefireTestSet;Lorg/apache/maven/surefire/report/RunListener;Ljava/lang/ClassLoader;)V",
			"(Lorg/apache/maven/surefire/junit/SurefireTestSet;Lorg/apache/maven/surefire/report/RunListener;Ljava/lang/ClassLoader;Ljava/util/Map;)V",
			"(Lorg/apache/maven/surefire/junit/SurefireTestSet;Lorg/apache/maven/surefire/api/report/RunListener;Ljava/lang/ClassLoader;Ljava/util/Map;)V",
			"(Ljava/lang/Class;Lorg/apache/maven/surefire/junit/SurefireTestSetExecutor;Lorg/apache/maven/surefire/junit/JUnit3Reporter;Ljava/util/Map;)V")},
		hook("org/apache/maven/surefire/booter/ForkingRunListener", "testSetCompleted", "(Lorg/apache/maven/surefire/report/TestSetReportEntry;)V", "setFinished"),
		hook("org/apache/maven/surefire/api/booter/ForkingRunListener", "testSetCompleted", "(Lorg/apache/maven/surefire/api/report/TestSetReportEntry;)V", "setFinished"),

		hook(result, "startTest", "(Ljunit/framework/Test;)V", "junit3Started", 0),
		hook(result, "endTest", "(Ljunit/framework/Test;)V", "junit3Finished", 0),
		hook(result, "addError", "(Ljunit/framework/Test;Ljava/lang/Throwable;)V", "junit3Failed", 0, 1),
		hook(result, "addFailure", "(Ljunit/framework/Test;Ljunit/framework/AssertionFailedError;)V", "junit3Failed", 0, 1),

		hook(suite, "run", "(Ljunit/framework/TestResult;)V", "junit3Found", instrument.This),

		hook(oldInvoker, "runTestListeners", "(Lorg/testng/ITestResult;Ljava/util/List;)V", "testngReported", 0),
		hook(testng, "runTestListeners", "(Lorg/testng/ITestResult;Ljava/util/List;)V", "testngReported", 0),
		hook(testRunner, "run", "()V", "testngRunning", instrument.This),
		hook(testRunner, "afterRun", "()V", "testngEnds", instrument.This),
		hook(sixMakes, "createInstance", makesSix, "testngMakes", 0),
		leaving(sixMakes, "createInstance", makesSix, "testngMade"),
		hook(sevenMakes, "createInstance", makesSeven, "testngMakes", 0),
		leaving(sevenMakes, "createInstance", makesSeven, "testngMade"),
		hook(newMakes, "createInstance", makesSeven, "testngMakes", 0),
		leaving(newMakes, "createInstance", makesSeven, "testngMade"),
		hook(oldWorker, "invokeBeforeClassMethods", worker, "testngClassBegins", 0),
		hook(oldWorker, "invokeAfterClassMethods", worker, "testngMethodEnds", 0),
		hook(newWorker, "invokeBeforeClassMethods", worker, "testngClassBegins", 0),
		hook(newWorker, "invokeAfterClassMethods", worker, "testngMethodEnds", 0),
	}
}

// testSet is where a provider of Surefire runs a class, in all versions that have such a method.
func testSet(descriptors ...string) []instrument.Method {
	var all []instrument.Method
	for _, d := range descriptors {
		all = append(all, instrument.Method{Name: "executeTestSet", Descriptor: d})
	}
	return all
}

// LibrariesSince is the first feature version of Java in which loading of native libraries is noted.
const LibrariesSince = 17

// jdkHooks are the hooks into a JDK of a feature version: those of package instrument, reflection, modules, the network, native libraries, virtual threads and the end of the program.
func jdkHooks(feature int) []instrument.Hook {
	out := slices.Concat(instrument.JDKHooks(), reflectionHooks(feature), moduleHooks(), networkHooks(feature))
	out = append(out, hook("java/lang/ApplicationShutdownHooks", "runHooks", "()V", "closing"))
	if feature >= LibrariesSince {
		out = append(out, hook("jdk/internal/loader/NativeLibraries", "loadLibrary", "(Ljava/lang/Class;Ljava/lang/String;Z)Ljdk/internal/loader/NativeLibrary;", "libraryLoaded", 0, 1))
	}
	if feature >= 21 {
		out = append(out, hook("java/lang/VirtualThread", "start", "(Ljdk/internal/vm/ThreadContainer;)V", "threadStarted", instrument.This))
	}
	return out
}

// studyHooks are where the JDK calls methods and constructors for a program that has found them by reflection. Class.newInstance does not go through a constructor's own method.
func studyHooks() []instrument.Hook {
	return []instrument.Hook{
		hook("java/lang/reflect/Method", "invoke", "(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;", "memberInvoked", instrument.This),
		hook("java/lang/reflect/Constructor", "newInstance", "([Ljava/lang/Object;)Ljava/lang/Object;", "memberInvoked", instrument.This),
		hook("java/lang/Class", "newInstance", "()Ljava/lang/Object;", "memberInvoked", instrument.This),
	}
}

// moduleHooks are where the JDK's own loaders look for classes and resources in modules. A module that is a directory reads files, which have hooks; one that is a
// jar was opened long before.
func moduleHooks() []instrument.Hook {
	const (
		loader = "jdk/internal/loader/BuiltinClassLoader"
		jar    = "jdk/internal/module/ModuleReferences$JarModuleReader"
	)
	return []instrument.Hook{
		hook(loader, "findClassInModuleOrNull", "(Ljdk/internal/loader/BuiltinClassLoader$LoadedModule;Ljava/lang/String;)Ljava/lang/Class;", "classSought", 1),
		hook(loader, "findClass", "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/Class;", "classSought", 1),
		hook(loader, "findResource", "(Ljava/lang/String;Ljava/lang/String;)Ljava/net/URL;", "resourceSought", 1),
		hook(loader, "findResourceAsStream", "(Ljava/lang/String;Ljava/lang/String;)Ljava/io/InputStream;", "resourceSought", 1),
		hook(jar, "implFind", "(Ljava/lang/String;)Ljava/util/Optional;", "moduleOpened", 0),
		hook(jar, "implOpen", "(Ljava/lang/String;)Ljava/util/Optional;", "moduleOpened", 0),
	}
}

// networkHooks are where a socket gets an address, its own or another's.
func networkHooks(feature int) []instrument.Hook {
	const (
		net    = "sun/nio/ch/Net"
		old    = "java/net/AbstractPlainSocketImpl"
		unix   = "sun/nio/ch/UnixDomainSockets"
		packet = "(Ljava/net/DatagramPacket;)V"
	)
	out := []instrument.Hook{
		hook(net, "connect", "(Ljava/net/ProtocolFamily;Ljava/io/FileDescriptor;Ljava/net/InetAddress;I)I", "networkConnected", 2, 3),
		hook(net, "bind", "(Ljava/net/ProtocolFamily;Ljava/io/FileDescriptor;Ljava/net/InetAddress;I)V", "networkBound", 2, 3),
		hook("java/net/DatagramSocket", "send", packet, "networkConnected", 0),
	}
	if feature < 13 { // later, java.net.Socket goes through Net, too
		out = append(out, hook(old, "doConnect", "(Ljava/net/InetAddress;II)V", "networkConnected", 0, 1), hook(old, "bind", "(Ljava/net/InetAddress;I)V", "networkBound", 0, 1))
	} else {
		out = append(out, hook("sun/nio/ch/DatagramChannelImpl", "send", "(Ljava/io/FileDescriptor;Ljava/nio/ByteBuffer;Ljava/net/InetSocketAddress;)I", "networkConnected", 2))
	}
	if feature >= 16 {
		out = append(out, hook(unix, "connect", "(Ljava/io/FileDescriptor;Ljava/net/SocketAddress;)I", "networkConnected", 1),
			hook(unix, "bind", "(Ljava/io/FileDescriptor;Ljava/nio/file/Path;)V", "networkBound", 1))
	}
	return out
}
