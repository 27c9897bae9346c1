import java.io.ByteArrayOutputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import junit.framework.TestCase;
import junit.framework.TestSuite;

/** Looks at classes by reflection, everything twice: the JDK keeps what it found the first time. */
public class Mirror extends TestCase {
    static final Map<String, Callable<?>> LOOKS = new LinkedHashMap<>();
    static final Method METHOD;
    static final Constructor<?> CONSTRUCTOR;
    static final Field FIELD;
    static final Mark MARK;
    static Object sink;

    static {
        try {
            METHOD = Image.class.getDeclaredMethod("method", String.class);
            CONSTRUCTOR = Image.class.getDeclaredConstructor();
            FIELD = Image.class.getDeclaredField("field");
            MARK = Image.class.getAnnotation(Mark.class);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
        Class<?> c = Image.class;
        ClassLoader l = Mirror.class.getClassLoader();
        MethodHandles.Lookup in = MethodHandles.lookup();
        // Each look names what it must be seen to look at.
        look("Image getDeclaredMethods", c::getDeclaredMethods);
        look("Image getDeclaredMethod", () -> c.getDeclaredMethod("method", String.class));
        look("Image getMethods", c::getMethods);
        look("Image,Parent getMethod", () -> c.getMethod("inherited"));
        look("Image getDeclaredFields", c::getDeclaredFields);
        look("Image getFields", c::getFields);
        look("Image,Parent getField", () -> c.getField("parent"));
        look("Image getDeclaredConstructors", c::getDeclaredConstructors);
        look("Image getConstructor", () -> c.getConstructor());
        look("Image getAnnotations", c::getAnnotations);
        look("Image getAnnotation", () -> c.getAnnotation(Mark.class));
        look("Image isAnnotationPresent", () -> c.isAnnotationPresent(Mark.class));
        look("Image getGenericSuperclass", c::getGenericSuperclass);
        look("Image getGenericInterfaces", c::getGenericInterfaces);
        look("Image getTypeParameters", c::getTypeParameters);
        look("Image getAnnotatedSuperclass", c::getAnnotatedSuperclass);
        look("Image getDeclaredClasses", c::getDeclaredClasses);
        look("Image getClasses", c::getClasses);
        look("Image$Part getDeclaringClass", Image.Part.class::getDeclaringClass);
        look("Image$Part getEnclosingClass", Image.Part.class::getEnclosingClass);
        look("Image$1 getEnclosingMethod", Image.LOCAL::getEnclosingMethod);
        look("Image newInstance", () -> newInstance(c));
        look("Image array", () -> Image[].class.getComponentType().getDeclaredFields());
        look("Tint getEnumConstants", Tint.class::getEnumConstants);
        look("Tint valueOf", () -> Enum.valueOf(Tint.class, "RED"));
        look("Image Method.invoke", () -> METHOD.invoke(null, ""));
        look("Image Method.getAnnotations", METHOD::getAnnotations);
        look("Image Method.getParameterAnnotations", METHOD::getParameterAnnotations);
        look("Image Method.getParameters", METHOD::getParameters);
        look("Image Method.getGenericReturnType", METHOD::getGenericReturnType);
        look("Image Method.getGenericParameterTypes", METHOD::getGenericParameterTypes);
        look("Image Method.getGenericExceptionTypes", METHOD::getGenericExceptionTypes);
        look("Image Method.getTypeParameters", METHOD::getTypeParameters);
        look("Image Method.getAnnotatedReturnType", METHOD::getAnnotatedReturnType);
        look("Image Method.getDefaultValue", METHOD::getDefaultValue);
        look("Image Constructor.newInstance", () -> CONSTRUCTOR.newInstance());
        look("Image Constructor.getAnnotation", () -> CONSTRUCTOR.getAnnotation(Mark.class));
        look("Image Field.get", () -> FIELD.get(null));
        look("Image Field.setInt", () -> { FIELD.setInt(null, 1); return null; });
        look("Image Field.getAnnotations", FIELD::getAnnotations);
        look("Image Field.getGenericType", FIELD::getGenericType);
        look("Mark value", MARK::value);
        look("Mark toString", MARK::toString);
        look("Image writeObject", () -> { new ObjectOutputStream(new ByteArrayOutputStream()).writeObject(Image.ONE); return null; });
        look("Face Proxy", () -> Proxy.newProxyInstance(l, new Class<?>[] {Face.class}, (p, m, a) -> null));
        look("Image findStatic", () -> in.findStatic(c, "method", MethodType.methodType(Object.class, String.class)));
        look("Image findConstructor", () -> in.findConstructor(c, MethodType.methodType(void.class)));
        look("Image findStaticVarHandle", () -> in.findStaticVarHandle(c, "field", int.class));
        look("Image bind", () -> in.bind(Image.ONE, "instance", MethodType.methodType(void.class)));
        look("Image unreflect", () -> in.unreflect(METHOD));
        look("Image getBeanInfo", () -> java.beans.Introspector.getBeanInfo(c));
        // What a class is to running code is not reflection.
        look("- getName", c::getName);
        look("- getSuperclass", c::getSuperclass);
        look("- getModifiers", c::getModifiers);
        look("- isInstance", () -> c.isInstance(""));
        look("- ofJdk", String.class::getDeclaredMethods);
        look("@Image forName", () -> Class.forName("Image"));
        look("@Image forName3", () -> Class.forName("Image", false, l));
        look("@Image forNameArray", () -> Class.forName("[[LImage;"));
        look("@Image loadClass", () -> l.loadClass("Image"));
        look("@- forNameOfJdk", () -> Class.forName("java.lang.String"));
    }

    static void look(String name, Callable<?> look) {
        LOOKS.put(name, look);
    }

    @SuppressWarnings("deprecation")
    static Object newInstance(Class<?> c) throws Exception {
        return c.newInstance();
    }

    public Mirror(String name) {
        super(name);
    }

    public static junit.framework.Test suite() {
        TestSuite s = new TestSuite();
        for (int i = 0; i < 2; i++) {
            for (String name : LOOKS.keySet()) {
                s.addTest(new Mirror(name));
            }
        }
        return s;
    }

    @Override
    protected void runTest() throws Exception {
        sink = LOOKS.get(getName()).call();
    }

    /** Measures a loop that reflects, in processor time. */
    public static class Loop {
        public static void main(String[] args) throws Exception {
            int n = Integer.parseInt(args[0]);
            Callable<?>[] all = {LOOKS.get("Image getDeclaredMethod"), LOOKS.get("Image getAnnotation"), LOOKS.get("Image Method.invoke"), LOOKS.get("Image Field.get")};
            java.lang.management.ThreadMXBean clock = java.lang.management.ManagementFactory.getThreadMXBean();
            long start = 0;
            for (int i = -n; i < n; i++) {
                if (i == 0) {
                    start = clock.getCurrentThreadCpuTime();
                }
                for (Callable<?> c : all) {
                    sink = c.call();
                }
            }
            System.out.println((clock.getCurrentThreadCpuTime() - start) / n / all.length);
        }
    }
}

@Retention(RetentionPolicy.RUNTIME)
@interface Mark {
    int value() default 3;
}

interface Face {
    void face();
}

enum Tint {
    RED
}

class Parent {
    public int parent;

    public void inherited() {}
}

@Mark
class Image extends Parent implements Serializable {
    static final Image ONE = new Image();
    static final Class<?> LOCAL = local();
    static int field;

    public Image() {}

    static Class<?> local() {
        return new Object() {}.getClass();
    }

    static Object method(String s) {
        return s;
    }

    void instance() {}

    static class Part {}
}
