package instrument

// The hooks that recording needs. Each row was seen to match in the version that hooktable_test.go names for it; in other versions a row may match
// nothing, which Result.Unmatched reports. What the probe class must offer follows from Target and Pass.

// FrameworkHooks are the hooks into test frameworks: where tests, and groups of them, begin and end. They pass the framework's own objects,
// from which names can be read by reflection.
func FrameworkHooks() []Hook {
	const (
		adapter  = "org/junit/platform/launcher/core/ExecutionListenerAdapter"
		notifier = "org/junit/runner/notification/RunNotifier"
		result   = "junit/framework/TestResult"
		testng   = "org/testng/internal/invokers/MethodInvocationHelper"
	)
	return []Hook{
		// JUnit Platform: every engine reports to this adapter.
		first(adapter, "dynamicTestRegistered", "(Lorg/junit/platform/engine/TestDescriptor;)V", "testRegistered"),
		first(adapter, "executionStarted", "(Lorg/junit/platform/engine/TestDescriptor;)V", "testStarted"),
		first(adapter, "executionSkipped", "(Lorg/junit/platform/engine/TestDescriptor;Ljava/lang/String;)V", "testSkipped"),
		first(adapter, "executionFinished", "(Lorg/junit/platform/engine/TestDescriptor;Lorg/junit/platform/engine/TestExecutionResult;)V", "testFinished"),
		// JUnit Platform: the tests of an engine are known and none has begun.
		first("org/junit/platform/engine/support/hierarchical/HierarchicalTestEngine", "execute", "(Lorg/junit/platform/engine/ExecutionRequest;)V", "testsFound"),
		// JUnit 4.
		first(notifier, "fireTestSuiteStarted", "(Lorg/junit/runner/Description;)V", "testStarted"),
		first(notifier, "fireTestSuiteFinished", "(Lorg/junit/runner/Description;)V", "testFinished"),
		first(notifier, "fireTestStarted", "(Lorg/junit/runner/Description;)V", "testStarted"),
		first(notifier, "fireTestIgnored", "(Lorg/junit/runner/Description;)V", "testSkipped"),
		first(notifier, "fireTestFinished", "(Lorg/junit/runner/Description;)V", "testFinished"),
		// JUnit 3.
		first(result, "startTest", "(Ljunit/framework/Test;)V", "testStarted"),
		first(result, "endTest", "(Ljunit/framework/Test;)V", "testFinished"),
		// TestNG: the method and the object that it is called on.
		{Class: testng, Target: "testInvoked", Pass: []Parameter{0, 1}, Methods: []Method{
			{"invokeMethod", "(Ljava/lang/reflect/Method;Ljava/lang/Object;Ljava/util/List;)Ljava/lang/Object;"},
			{"invokeMethod", "(Ljava/lang/reflect/Method;Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;"},
		}},
	}
}

// JDKHooks are the hooks into java.base of a JDK on Linux: files, directories, properties, variables, processes, and look-ups of resources and classes.
// They see what was looked for in vain, too. A probe class must only store what it gets: the hooks run inside System.getProperty.
func JDKHooks() []Hook {
	const (
		native = "sun/nio/fs/UnixNativeDispatcher"
		secure = "sun/nio/fs/UnixSecureDirectoryStream"
		loader = "jdk/internal/loader/BuiltinClassLoader"
		system = "java/lang/System"
		files  = "java/io/UnixFileSystem"

		variables = "java/lang/ProcessEnvironment$String"
	)
	return []Hook{
		first("java/io/FileInputStream", "open", "(Ljava/lang/String;)V", "fileRead"),
		first("java/io/FileOutputStream", "open", "(Ljava/lang/String;Z)V", "fileWritten"),
		{Class: "java/io/RandomAccessFile", Target: "fileOpened", Pass: []Parameter{0, 1}, Methods: []Method{{"open", "(Ljava/lang/String;I)V"}}},
		{Class: "java/io/FileOutputStream", Target: "streamWritten", Pass: []Parameter{This}, Methods: []Method{{"write", "(I)V"}, {"write", "([B)V"}, {"write", "([BII)V"}}},
		{Class: "java/io/RandomAccessFile", Target: "streamWritten", Pass: []Parameter{This}, Methods: []Method{{"write", "(I)V"}, {"write", "([B)V"}, {"write", "([BII)V"}}},
		{Class: "sun/nio/ch/FileChannelImpl", Target: "streamWritten", Pass: []Parameter{This}, Methods: []Method{
			{"write", "(Ljava/nio/ByteBuffer;)I"}, {"write", "([Ljava/nio/ByteBuffer;II)J"}, {"write", "(Ljava/nio/ByteBuffer;J)I"}, {"truncate", "(J)Ljava/nio/channels/FileChannel;"},
			{"transferFrom", "(Ljava/nio/channels/ReadableByteChannel;JJ)J"}}},
		{Class: native, Target: "fileOpened", Pass: []Parameter{0, 1}, Methods: []Method{{"open", "(Lsun/nio/fs/UnixPath;II)I"}}},
		// What comes into being and what goes away is written, too. Directories that are made are not here: most often they are there already.
		{Class: native, Target: "fileWritten", Pass: []Parameter{1}, Methods: []Method{
			{"rename", "(Lsun/nio/fs/UnixPath;Lsun/nio/fs/UnixPath;)V"}, {"link", "(Lsun/nio/fs/UnixPath;Lsun/nio/fs/UnixPath;)V"}, {"symlink", "([BLsun/nio/fs/UnixPath;)V"}}},
		{Class: native, Target: "fileLinked", Pass: []Parameter{0, 1}, Methods: []Method{{"symlink", "([BLsun/nio/fs/UnixPath;)V"}}},
		{Class: native, Target: "fileRead", Pass: []Parameter{0}, Methods: []Method{{"link", "(Lsun/nio/fs/UnixPath;Lsun/nio/fs/UnixPath;)V"}}},
		{Class: native, Target: "fileWritten", Pass: []Parameter{0}, Methods: []Method{
			{"rename", "(Lsun/nio/fs/UnixPath;Lsun/nio/fs/UnixPath;)V"}, {"unlink", "(Lsun/nio/fs/UnixPath;)V"}, {"rmdir", "(Lsun/nio/fs/UnixPath;)V"}}},
		first("java/io/File", "renameTo", "(Ljava/io/File;)Z", "fileWritten"),
		{Class: "java/io/File", Target: "fileWritten", Pass: []Parameter{This}, Methods: []Method{{"renameTo", "(Ljava/io/File;)Z"}, {"createNewFile", "()Z"}, {"delete", "()Z"}}},
		{Class: files, Target: "fileAsked", Pass: []Parameter{0}, Methods: []Method{
			{"getBooleanAttributes", "(Ljava/io/File;)I"}, {"hasBooleanAttributes", "(Ljava/io/File;I)Z"}}}, // the second not in 11
		{Class: native, Target: "fileAsked", Pass: []Parameter{0}, Methods: []Method{
			{"stat", "(Lsun/nio/fs/UnixPath;Lsun/nio/fs/UnixFileAttributes;)V"},
			{"stat", "(Lsun/nio/fs/UnixPath;)I"},                                 // 17
			{"stat2", "(Lsun/nio/fs/UnixPath;Lsun/nio/fs/UnixFileAttributes;)I"}, // 25
			{"lstat", "(Lsun/nio/fs/UnixPath;Lsun/nio/fs/UnixFileAttributes;)V"},
			{"exists", "(Lsun/nio/fs/UnixPath;)Z"},  // 17
			{"access", "(Lsun/nio/fs/UnixPath;I)V"}, // 17
			{"access", "(Lsun/nio/fs/UnixPath;I)I"}, // 25
		}},
		{Class: "java/io/File", Target: "fileAsked", Pass: []Parameter{This}, Methods: []Method{
			{"length", "()J"}, {"canExecute", "()Z"}, {"canRead", "()Z"}, {"canWrite", "()Z"}, {"getCanonicalPath", "()Ljava/lang/String;"},
			{"createNewFile", "()Z"}, {"mkdir", "()Z"}}}, // they say whether there was something
		{Class: native, Target: "fileAsked", Pass: []Parameter{0}, Methods: []Method{
			{"readlink", "(Lsun/nio/fs/UnixPath;)[B"}, {"realpath", "(Lsun/nio/fs/UnixPath;)[B"}}},
		{Class: system, Target: "propertyWritten", Pass: []Parameter{0}, Methods: []Method{
			{"setProperty", "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;"}, {"clearProperty", "(Ljava/lang/String;)Ljava/lang/String;"}}},
		{Class: "java/util/Locale", Target: "localeSet", Methods: []Method{
			{"setDefault", "(Ljava/util/Locale;)V"}, {"setDefault", "(Ljava/util/Locale$Category;Ljava/util/Locale;)V"}}},
		{Class: "java/util/TimeZone", Target: "timeZoneSet", Methods: []Method{{"setDefault", "(Ljava/util/TimeZone;)V"}}},
		{Class: "java/io/File", Target: "directoryListed", Pass: []Parameter{This}, Methods: []Method{
			{"list", "()[Ljava/lang/String;"}, {"normalizedList", "()[Ljava/lang/String;"}}},
		first(native, "opendir", "(Lsun/nio/fs/UnixPath;)J", "directoryListed"),
		{Class: secure, Target: "directoryListed", Pass: []Parameter{0}, Methods: []Method{{"<init>", "(Lsun/nio/fs/UnixPath;JILjava/nio/file/DirectoryStream$Filter;)V"}}},
		{Class: secure, Target: "fileOpenedIn", Pass: []Parameter{This, 0, 1}, Methods: []Method{
			{"newByteChannel", "(Ljava/nio/file/Path;Ljava/util/Set;[Ljava/nio/file/attribute/FileAttribute;)Ljava/nio/channels/SeekableByteChannel;"}}},
		{Class: secure, Target: "fileAskedIn", Pass: []Parameter{This, 0}, Methods: []Method{
			{"getFileAttributeView", "(Ljava/nio/file/Path;Ljava/lang/Class;[Ljava/nio/file/LinkOption;)Ljava/nio/file/attribute/FileAttributeView;"}}},
		{Class: secure, Target: "fileWrittenIn", Pass: []Parameter{This, 0}, Methods: []Method{
			{"deleteFile", "(Ljava/nio/file/Path;)V"}, {"deleteDirectory", "(Ljava/nio/file/Path;)V"}, {"move", "(Ljava/nio/file/Path;Ljava/nio/file/SecureDirectoryStream;Ljava/nio/file/Path;)V"}}},
		{Class: secure, Target: "fileWrittenIn", Pass: []Parameter{1, 2}, Methods: []Method{{"move", "(Ljava/nio/file/Path;Ljava/nio/file/SecureDirectoryStream;Ljava/nio/file/Path;)V"}}},
		{Class: "sun/net/www/protocol/jar/JarURLConnection", Target: "jarOpened", Pass: []Parameter{This}, Methods: []Method{{"getJarFile", "()Ljava/util/jar/JarFile;"}}},
		{Class: "java/lang/Package", Target: "manifestAsked", Methods: manifestGetters()},
		{Class: system, Target: "propertyRead", Pass: []Parameter{0}, Methods: []Method{
			{"getProperty", "(Ljava/lang/String;)Ljava/lang/String;"}, {"getProperty", "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;"}}},
		{Class: system, Target: "propertiesRead", Methods: []Method{{"getProperties", "()Ljava/util/Properties;"}}},
		first(system, "getenv", "(Ljava/lang/String;)Ljava/lang/String;", "variableRead"),
		// The map that System.getenv gives out, with its views.
		{Class: variables + "Environment", Target: "variableRead", Pass: []Parameter{0}, Methods: []Method{
			{"get", "(Ljava/lang/Object;)Ljava/lang/String;"}, {"containsKey", "(Ljava/lang/Object;)Z"},
			{"put", "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;"}, {"remove", "(Ljava/lang/Object;)Ljava/lang/String;"}}},
		{Class: variables + "KeySet", Target: "variableRead", Pass: []Parameter{0}, Methods: []Method{{"contains", "(Ljava/lang/Object;)Z"}, {"remove", "(Ljava/lang/Object;)Z"}}},
		{Class: variables + "Entry", Target: "variableMet", Pass: []Parameter{This}, Methods: []Method{
			{"getValue", "()Ljava/lang/String;"}, {"setValue", "(Ljava/lang/String;)Ljava/lang/String;"}, {"toString", "()Ljava/lang/String;"},
			{"equals", "(Ljava/lang/Object;)Z"}, {"hashCode", "()I"}}},
		{Class: variables + "Environment", Target: "variableNamesRead", Methods: sizes()},
		{Class: variables + "EntrySet", Target: "variableNamesRead", Methods: append(sizes(), iterator)},
		{Class: variables + "KeySet", Target: "variableNamesRead", Methods: append(sizes(), iterator)},
		{Class: variables + "Values", Target: "variableNamesRead", Methods: sizes()},
		{Class: variables + "Environment", Target: "variablesRead", Methods: []Method{{"containsValue", "(Ljava/lang/Object;)Z"}}},
		{Class: variables + "EntrySet", Target: "variablesRead", Methods: contents()},
		{Class: variables + "Values", Target: "variablesRead", Methods: append(contents(), iterator)},
		first("java/lang/ProcessImpl", "start", "([Ljava/lang/String;Ljava/util/Map;Ljava/lang/String;[Ljava/lang/ProcessBuilder$Redirect;Z)Ljava/lang/Process;", "processStarted"),
		{Class: "java/lang/ClassLoader", Target: "resourceSought", Pass: []Parameter{0}, Methods: []Method{
			{"getResource", "(Ljava/lang/String;)Ljava/net/URL;"}, {"getResources", "(Ljava/lang/String;)Ljava/util/Enumeration;"}}},
		{Class: loader, Target: "resourceSought", Pass: []Parameter{0}, Methods: []Method{
			{"findResource", "(Ljava/lang/String;)Ljava/net/URL;"}, {"findResources", "(Ljava/lang/String;)Ljava/util/Enumeration;"}}},
		first(loader, "findClassOnClassPathOrNull", "(Ljava/lang/String;)Ljava/lang/Class;", "classSought"),
	}
}

var iterator = Method{"iterator", "()Ljava/util/Iterator;"}

// sizes are the methods of a collection that say how much there is.
func sizes() []Method { return []Method{{"size", "()I"}, {"isEmpty", "()Z"}} }

// contents are the methods of a collection that can tell anything about its elements.
func contents() []Method {
	return []Method{{"contains", "(Ljava/lang/Object;)Z"}, {"remove", "(Ljava/lang/Object;)Z"}, {"equals", "(Ljava/lang/Object;)Z"}, {"hashCode", "()I"}}
}

// manifestGetters are the methods that say what the manifest of a package's jar says, which whoever defined the first class of the package has read. Whether the jar is sealed is not among them: loaders ask that for each class.
func manifestGetters() []Method {
	var out []Method
	for _, kind := range []string{"Specification", "Implementation"} {
		for _, about := range []string{"Title", "Version", "Vendor"} {
			out = append(out, Method{"get" + kind + about, "()Ljava/lang/String;"})
		}
	}
	return out
}

// first is a hook that passes the first parameter of one method.
func first(class, method, descriptor, target string) Hook {
	return Hook{Class: class, Target: target, Pass: []Parameter{0}, Methods: []Method{{method, descriptor}}}
}
