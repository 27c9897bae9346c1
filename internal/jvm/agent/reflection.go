package agent

import "winnow/internal/jvm/instrument"

// A place is a method of the JDK that some versions have.
type place struct {
	class, method, descriptor string
	target                    string
	pass                      instrument.Parameter
	since, until              int // feature versions; 0 is no bound
}

func (p *place) in(feature int) bool {
	return feature >= p.since && (p.until == 0 || feature <= p.until)
}

// reflectionHooks are the hooks into reflection of a JDK. The JDK keeps what it found about a class, so each place is one that is passed every time.
//
// Not hooked, because they are compiled specially or too frequent, and because what they show belongs to a class that is touched at all: getSuperclass, getInterfaces,
// getModifiers, isInstance, isAssignableFrom, cast, isInterface, isEnum, isRecord, isSealed, getSimpleName, getCanonicalName, isAnonymousClass, isLocalClass, isMemberClass. Of
// getName only names with a compiler's number count.
func reflectionHooks(feature int) []instrument.Hook {
	var out []instrument.Hook
	for _, p := range reflectionPlaces() {
		if p.in(feature) {
			out = append(out, hook(p.class, p.method, p.descriptor, p.target, p.pass))
		}
	}
	// The JDK keeps bundles, too.
	return append(out, hook("java/util/ResourceBundle", "getBundleImpl",
		"(Ljava/lang/Module;Ljava/lang/Module;Ljava/lang/String;Ljava/util/Locale;Ljava/util/ResourceBundle$Control;)Ljava/util/ResourceBundle;", "bundleSought", 2, 3))
}

func reflectionPlaces() []place {
	var out []place
	out = append(out, classPlaces()...)
	out = append(out, memberPlaces()...)
	out = append(out, lookupPlaces()...)
	return append(out, namePlaces()...)
}

// all gives places of one class that differ in method and descriptor only.
func all(class, target string, pass instrument.Parameter, methods ...[2]string) []place {
	var out []place
	for _, m := range methods {
		out = append(out, place{class: class, method: m[0], descriptor: m[1], target: target, pass: pass})
	}
	return out
}

// classPlaces are where an object of java.lang.Class is asked for what it declares.
func classPlaces() []place {
	const class = "java/lang/Class"
	out := all(class, "classReflected", instrument.This,
		[2]string{"privateGetDeclaredFields", "(Z)[Ljava/lang/reflect/Field;"},
		[2]string{"privateGetPublicFields", "()[Ljava/lang/reflect/Field;"},
		[2]string{"privateGetDeclaredConstructors", "(Z)[Ljava/lang/reflect/Constructor;"},
		[2]string{"privateGetDeclaredMethods", "(Z)[Ljava/lang/reflect/Method;"},
		[2]string{"privateGetPublicMethods", "()[Ljava/lang/reflect/Method;"},
		[2]string{"annotationData", "()Ljava/lang/Class$AnnotationData;"},
		[2]string{"getAnnotatedSuperclass", "()Ljava/lang/reflect/AnnotatedType;"},
		[2]string{"getAnnotatedInterfaces", "()[Ljava/lang/reflect/AnnotatedType;"},
		[2]string{"getGenericInfo", "()Lsun/reflect/generics/repository/ClassRepository;"},
		[2]string{"getEnclosingMethodInfo", "()Ljava/lang/Class$EnclosingMethodInfo;"},
		[2]string{"getDeclaringClass", "()Ljava/lang/Class;"},
		[2]string{"getClasses", "()[Ljava/lang/Class;"},
		[2]string{"getDeclaredClasses", "()[Ljava/lang/Class;"},
		[2]string{"getEnumConstantsShared", "()[Ljava/lang/Object;"},
		[2]string{"enumConstantDirectory", "()Ljava/util/Map;"},
		[2]string{"newInstance", "()Ljava/lang/Object;"}, // keeps the constructor
	)
	out = append(out, all(class, "nameRead", instrument.This, [2]string{"getName", "()Ljava/lang/String;"})...)
	out = append(out, all(class, "classReflected", instrument.This, [2]string{"getNestMembers", "()[Ljava/lang/Class;"}, [2]string{"getNestHost", "()Ljava/lang/Class;"})...)
	out = append(out, place{class: class, method: "getPermittedSubclasses", descriptor: "()[Ljava/lang/Class;", target: "classReflected", pass: instrument.This, since: 17})
	return append(out, place{class: class, method: "getRecordComponents", descriptor: "()[Ljava/lang/reflect/RecordComponent;", target: "classReflected", pass: instrument.This, since: 16})
}

// memberPlaces are where a method, constructor, field, parameter or record component is used or asked; a program may have kept it from earlier.
func memberPlaces() []place {
	const (
		reflect    = "java/lang/reflect/"
		executable = reflect + "Executable"
		field      = reflect + "Field"
		component  = reflect + "RecordComponent"
		annotated  = "Ljava/lang/reflect/AnnotatedType;"
		types      = "()[Ljava/lang/reflect/Type;"
		target     = "memberReflected"
		this       = instrument.This
	)
	out := all(executable, target, this,
		[2]string{"declaredAnnotations", "()Ljava/util/Map;"},
		[2]string{"sharedGetParameterAnnotations", "([Ljava/lang/Class;[B)[[Ljava/lang/annotation/Annotation;"},
		[2]string{"getParameters", "()[Ljava/lang/reflect/Parameter;"},
		[2]string{"getGenericParameterTypes", types}, // methods and constructors call these two
		[2]string{"getGenericExceptionTypes", types},
		[2]string{"getAnnotatedReturnType0", "(Ljava/lang/reflect/Type;)" + annotated},
		[2]string{"getAnnotatedParameterTypes", "()[" + annotated},
		[2]string{"getAnnotatedExceptionTypes", "()[" + annotated},
		[2]string{"getAnnotatedReceiverType", "()" + annotated})
	out = append(out, all(reflect+"Method", target, this,
		[2]string{"invoke", "(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;"},
		[2]string{"getDefaultValue", "()Ljava/lang/Object;"},
		[2]string{"getTypeParameters", "()[Ljava/lang/reflect/TypeVariable;"},
		[2]string{"getGenericReturnType", "()Ljava/lang/reflect/Type;"})...)
	out = append(out, all(reflect+"Constructor", target, this,
		[2]string{"newInstance", "([Ljava/lang/Object;)Ljava/lang/Object;"},
		[2]string{"getTypeParameters", "()[Ljava/lang/reflect/TypeVariable;"},
		[2]string{"getAnnotatedReceiverType", "()" + annotated})...)
	out = append(out, all(field, target, this,
		[2]string{"declaredAnnotations", "()Ljava/util/Map;"},
		[2]string{"getGenericType", "()Ljava/lang/reflect/Type;"},
		[2]string{"getAnnotatedType", "()" + annotated})...)
	out = append(out, all(reflect+"Parameter", target, this, [2]string{"declaredAnnotations", "()Ljava/util/Map;"}, [2]string{"getName", "()Ljava/lang/String;"})...)
	for _, p := range all(component, target, this, [2]string{"declaredAnnotations", "()Ljava/util/Map;"}, [2]string{"getGenericType", "()Ljava/lang/reflect/Type;"},
		[2]string{"getAnnotatedType", "()" + annotated}) {
		p.since = 16
		out = append(out, p)
	}
	// All reading and writing of a field goes through one of these.
	out = append(out,
		place{class: field, method: "getFieldAccessor", descriptor: "(Ljava/lang/Object;)Ljdk/internal/reflect/FieldAccessor;", target: target, pass: this, until: 17},
		place{class: field, method: "getFieldAccessor", descriptor: "()Ljdk/internal/reflect/FieldAccessor;", target: target, pass: this, since: 18},
		place{class: field, method: "getOverrideFieldAccessor", descriptor: "()Ljdk/internal/reflect/FieldAccessor;", target: target, pass: this, since: 18})
	return out
}

// lookupPlaces are where classes are handed to the parts of the JDK that look at them: annotations, proxies, serialization, method handles, beans.
func lookupPlaces() []place {
	const (
		lookup  = "java/lang/invoke/MethodHandles$Lookup"
		handle  = "Ljava/lang/invoke/MethodHandle;"
		named   = "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/invoke/MethodType;"
		typed   = "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)"
		proxy   = "java/lang/reflect/Proxy"
		beans   = "java/beans/Introspector"
		info    = ")Ljava/beans/BeanInfo;"
		members = "memberReflected"
	)
	out := all(lookup, "classReflected", 0,
		[2]string{"findStatic", named + ")" + handle}, [2]string{"findVirtual", named + ")" + handle}, [2]string{"findSpecial", named + "Ljava/lang/Class;)" + handle},
		[2]string{"findConstructor", "(Ljava/lang/Class;Ljava/lang/invoke/MethodType;)" + handle},
		[2]string{"findGetter", typed + handle}, [2]string{"findSetter", typed + handle}, [2]string{"findStaticGetter", typed + handle}, [2]string{"findStaticSetter", typed + handle},
		[2]string{"findVarHandle", typed + "Ljava/lang/invoke/VarHandle;"}, [2]string{"findStaticVarHandle", typed + "Ljava/lang/invoke/VarHandle;"})
	out = append(out, all(lookup, "objectReflected", 0, [2]string{"bind", "(Ljava/lang/Object;Ljava/lang/String;Ljava/lang/invoke/MethodType;)" + handle})...)
	out = append(out, all(lookup, members, 0,
		[2]string{"unreflect", "(Ljava/lang/reflect/Method;)" + handle},
		[2]string{"unreflectSpecial", "(Ljava/lang/reflect/Method;Ljava/lang/Class;)" + handle},
		[2]string{"unreflectConstructor", "(Ljava/lang/reflect/Constructor;)" + handle},
		[2]string{"unreflectGetter", "(Ljava/lang/reflect/Field;)" + handle}, [2]string{"unreflectSetter", "(Ljava/lang/reflect/Field;)" + handle},
		[2]string{"unreflectVarHandle", "(Ljava/lang/reflect/Field;)Ljava/lang/invoke/VarHandle;"})...)
	out = append(out, all("java/lang/invoke/MethodHandleProxies", "classReflected", 0,
		[2]string{"asInterfaceInstance", "(Ljava/lang/Class;Ljava/lang/invoke/MethodHandle;)Ljava/lang/Object;"})...)
	out = append(out, all("java/io/ObjectStreamClass", "classReflected", 0, [2]string{"lookup", "(Ljava/lang/Class;Z)Ljava/io/ObjectStreamClass;"})...)
	out = append(out, all(proxy, "classesReflected", 1,
		[2]string{"newProxyInstance", "(Ljava/lang/ClassLoader;[Ljava/lang/Class;Ljava/lang/reflect/InvocationHandler;)Ljava/lang/Object;"},
		[2]string{"getProxyClass", "(Ljava/lang/ClassLoader;[Ljava/lang/Class;)Ljava/lang/Class;"})...)
	// Defaults of an annotation's members are those of its type, which is a supertype of the proxy.
	out = append(out, all("sun/reflect/annotation/AnnotationInvocationHandler", "objectReflected", 0,
		[2]string{"invoke", "(Ljava/lang/Object;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;"})...)
	return append(out, all(beans, "classReflected", 0,
		[2]string{"getBeanInfo", "(Ljava/lang/Class;" + info}, [2]string{"getBeanInfo", "(Ljava/lang/Class;I" + info}, [2]string{"getBeanInfo", "(Ljava/lang/Class;Ljava/lang/Class;" + info},
		[2]string{"getBeanInfo", "(Ljava/lang/Class;Ljava/lang/Class;I" + info})...)
}

// namePlaces are where a class is asked for by its name. A JVM that links a class asks a loader in the same way, once.
func namePlaces() []place {
	const class = "java/lang/Class"
	out := all(class, "classNamed", 0,
		[2]string{"forName", "(Ljava/lang/String;)Ljava/lang/Class;"},
		[2]string{"forName", "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;"})
	out = append(out, all(class, "classNamed", 1, [2]string{"forName", "(Ljava/lang/Module;Ljava/lang/String;)Ljava/lang/Class;"})...)
	return append(out, all("java/lang/ClassLoader", "classNamed", 0, [2]string{"loadClass", "(Ljava/lang/String;)Ljava/lang/Class;"})...)
}
