package winnow.agent;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;

/** An interceptor of TestNG around another one: what that one gives, without the excluded methods. */
final class TestngFilter implements InvocationHandler {
    static final String INTERCEPTOR = "org.testng.IMethodInterceptor";

    private final Object inner;
    private final Testng testng;

    private TestngFilter(Object inner, Testng testng) {
        this.inner = inner;
        this.testng = testng;
    }

    static Object around(Object inner, Testng testng) {
        Class<?> type = Ask.supertype(inner.getClass(), INTERCEPTOR);
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, new TestngFilter(inner, testng));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] args) throws Throwable {
        if (method.getName().equals("equals")) {
            return proxy == args[0];
        }
        Object result;
        try {
            method.setAccessible(true);
            result = method.invoke(inner, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        if (!method.getName().equals("intercept")) {
            return result;
        }
        try {
            return testng.filter((List<?>) result);
        } catch (Exception e) {
            testng.failed(e);
            return result;
        }
    }
}
