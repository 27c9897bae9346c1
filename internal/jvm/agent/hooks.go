package agent

import "winnow/internal/jvm/instrument"

// hook is a hook that passes parameters of one method.
func hook(class, method, descriptor, target string, pass ...instrument.Parameter) instrument.Hook {
	return instrument.Hook{Class: class, Target: target, Pass: pass, Methods: []instrument.Method{{Name: method, Descriptor: descriptor}}}
}

// frameworkHooks are the hooks into test frameworks. The targets are methods of the probe class. Where a method has a result or a failure to
// tell, it is passed, too; instrument.FrameworkHooks has the places without that.
func frameworkHooks() []instrument.Hook {
	const (
		adapter     = "org/junit/platform/launcher/core/ExecutionListenerAdapter"
		engine      = "org/junit/platform/engine/support/hierarchical/HierarchicalTestEngine"
		vintage     = "org/junit/vintage/engine/VintageTestEngine"
		descriptor  = "(Lorg/junit/platform/engine/TestDescriptor;)V"
		request     = "(Lorg/junit/platform/engine/ExecutionRequest;)V"
		notifier    = "org/junit/runner/notification/RunNotifier"
		runner      = "org/junit/runners/ParentRunner"
		description = "(Lorg/junit/runner/Description;)V"
		failure     = "(Lorg/junit/runner/notification/Failure;)V"
		result      = "junit/framework/TestResult"
		testng      = "org/testng/internal/TestListenerHelper"
	)
	return []instrument.Hook{
		hook(engine, "execute", request, "platformFound", 0),
		hook(vintage, "execute", request, "platformFound", 0),
		hook(adapter, "dynamicTestRegistered", descriptor, "platformRegistered", 0),
		hook(adapter, "executionStarted", descriptor, "platformStarted", 0),
		hook(adapter, "executionSkipped", "(Lorg/junit/platform/engine/TestDescriptor;Ljava/lang/String;)V", "platformSkipped", 0),
		hook(adapter, "executionFinished", "(Lorg/junit/platform/engine/TestDescriptor;Lorg/junit/platform/engine/TestExecutionResult;)V", "platformFinished", 0, 1),

		hook(runner, "run", "(Lorg/junit/runner/notification/RunNotifier;)V", "junit4Found", instrument.This),
		hook(notifier, "fireTestSuiteStarted", description, "junit4SuiteStarted", 0), // since 4.13
		hook(notifier, "fireTestSuiteFinished", description, "junit4SuiteFinished", 0),
		hook(notifier, "fireTestStarted", description, "junit4Started", 0),
		hook(notifier, "fireTestFinished", description, "junit4Finished", 0),
		hook(notifier, "fireTestIgnored", description, "junit4Ignored", 0),
		hook(notifier, "fireTestFailure", failure, "junit4Failed", 0),
		hook(notifier, "fireTestAssumptionFailed", failure, "junit4Assumed", 0),

		hook(result, "startTest", "(Ljunit/framework/Test;)V", "junit3Started", 0),
		hook(result, "endTest", "(Ljunit/framework/Test;)V", "junit3Finished", 0),
		hook(result, "addError", "(Ljunit/framework/Test;Ljava/lang/Throwable;)V", "junit3Failed", 0, 1),
		hook(result, "addFailure", "(Ljunit/framework/Test;Ljunit/framework/AssertionFailedError;)V", "junit3Failed", 0, 1),

		hook(testng, "runTestListeners", "(Lorg/testng/ITestResult;Ljava/util/List;)V", "testngReported", 0),
	}
}

// jdkHooks are the hooks into a JDK of a feature version: those of package instrument, and the network.
func jdkHooks(feature int) []instrument.Hook {
	const net = "sun/nio/ch/Net"
	all := append(instrument.JDKHooks(),
		instrument.Hook{Class: net, Target: "networkUsed", Pass: []instrument.Parameter{2}, Methods: []instrument.Method{
			{Name: "connect", Descriptor: "(Ljava/net/ProtocolFamily;Ljava/io/FileDescriptor;Ljava/net/InetAddress;I)I"},
			{Name: "bind", Descriptor: "(Ljava/net/ProtocolFamily;Ljava/io/FileDescriptor;Ljava/net/InetAddress;I)V"},
		}},
	)
	if feature < 13 { // later, java.net.Socket goes through Net, too
		const socket = "java/net/AbstractPlainSocketImpl"
		return append(all, hook(socket, "doConnect", "(Ljava/net/InetAddress;II)V", "networkUsed", 0), hook(socket, "bind", "(Ljava/net/InetAddress;I)V", "networkUsed", 0))
	}
	return append(all, hook("sun/nio/ch/DatagramChannelImpl", "send", "(Ljava/io/FileDescriptor;Ljava/nio/ByteBuffer;Ljava/net/InetSocketAddress;)I", "networkUsed", 2))
}
