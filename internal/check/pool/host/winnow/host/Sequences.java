package winnow.host;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * Finds call sequences, directed by feedback: a sequence is extended by random calls and tried; one that throws is kept as it is and extended no further. Arguments are
 * results of earlier calls or from a list for each type. The seed decides everything.
 */
final class Sequences implements Runnable {
    private static final Map<Class<?>, String[]> LITERALS = Map.of(
        int.class, new String[] {"0", "1", "-1", "10", "100"},
        long.class, new String[] {"0L", "1L", "-1L", "10L"},
        boolean.class, new String[] {"true", "false"},
        double.class, new String[] {"0.0", "1.5"},
        char.class, new String[] {"'a'"},
        byte.class, new String[] {"(byte) 1"},
        short.class, new String[] {"(short) 1"},
        float.class, new String[] {"1.5f"},
        String.class, new String[] {"\"\"", "\"hi!\""});
    private static final Map<String, Object> VALUES = values();

    private final Wire wire;
    private final Unit unit;
    private final Set<String> names;
    private final Random random;
    private final int[] lengths;
    private final int most;
    private final List<Call> calls = new ArrayList<>();
    private final List<List<Sequence>> found = new ArrayList<>();
    private Throwable failure;

    Sequences(Wire wire, ClassLoader around) throws IOException {
        this.wire = wire;
        random = new Random(wire.wide());
        lengths = new int[wire.number()];
        for (int i = 0; i < lengths.length; i++) {
            lengths[i] = wire.number();
        }
        most = wire.number();
        Map<String, byte[]> classes = new TreeMap<>(wire.files());
        names = classes.keySet();
        unit = new Unit(classes, wire.files(), around, name -> { });
    }

    void answer() throws Exception {
        Thread runner = new Thread(null, this, "main", Running.STACK);
        runner.start();
        runner.join();
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        wire.put(found.size());
        for (List<Sequence> group : found) {
            wire.put(group.size());
            for (Sequence s : group) {
                write(s);
            }
        }
    }

    @Override
    public void run() {
        try {
            Thread.currentThread().setContextClassLoader(unit);
            for (String name : names) {
                collect(name.replace('/', '.'));
            }
            calls.sort(Comparator.comparing(c -> c.key));
            for (int length : lengths) {
                found.add(search(length));
            }
        } catch (Throwable t) {
            failure = t;
        }
    }

    /** A call that a test could make; a constant of an enum counts as one. */
    private static final class Call {
        final Executable target; // null for a constant
        final Field constant;
        final Class<?> owner; // the class by which it is named
        final String key;

        Call(Executable target, Field constant, Class<?> owner) {
            this.target = target;
            this.constant = constant;
            this.owner = owner;
            key = owner.getName() + " " + (target == null ? constant.getName() : target.toString());
        }

        boolean needsReceiver() {
            return target instanceof Method && !Modifier.isStatic(target.getModifiers());
        }

        Class<?> result() {
            return target == null || target instanceof Constructor ? owner : ((Method) target).getReturnType();
        }
    }

    /** A step is a call with its receiver, or -1, and its arguments: numbers of earlier steps, or literals. */
    private static final class Step {
        final Call call;
        final int receiver;
        final Object[] arguments;

        Step(Call call, int receiver, Object[] arguments) {
            this.call = call;
            this.receiver = receiver;
            this.arguments = arguments;
        }
    }

    private static final class Sequence {
        final List<Step> steps;
        boolean throwing;

        Sequence(List<Step> steps) {
            this.steps = steps;
        }

        String key() {
            StringBuilder out = new StringBuilder();
            for (Step s : steps) {
                out.append(s.call.key).append(' ').append(s.receiver);
                for (Object a : s.arguments) {
                    out.append(' ').append(a);
                }
                out.append('\n');
            }
            return out.toString();
        }
    }

    /** Lists the calls of a class. One that does not link has none. */
    private void collect(String name) throws ClassNotFoundException {
        Class<?> c;
        try {
            c = Class.forName(name, false, unit);
            if (!isVisible(c) || c.isAnnotation() || c.isAnonymousClass() || c.isLocalClass()) {
                return;
            }
            boolean inner = c.isMemberClass() && !Modifier.isStatic(c.getModifiers());
            if (!Modifier.isAbstract(c.getModifiers()) && !inner && !c.isEnum()) {
                for (Constructor<?> k : c.getConstructors()) {
                    add(k, c);
                }
            }
            for (Method m : c.getMethods()) {
                if (Unit.has(m.getDeclaringClass()) && (!Modifier.isStatic(m.getModifiers()) || m.getDeclaringClass() == c)) {
                    add(m, c);
                }
            }
            for (Field f : c.getFields()) {
                if (f.isEnumConstant()) {
                    calls.add(new Call(null, f, c));
                }
            }
        } catch (LinkageError e) {
            return;
        }
    }

    private void add(Executable e, Class<?> owner) {
        if (e.isSynthetic() || e instanceof Method && ((Method) e).isBridge()) {
            return;
        }
        for (Class<?> p : e.getParameterTypes()) {
            if (!isNameable(p)) {
                return;
            }
        }
        if (e instanceof Method && !isNameable(((Method) e).getReturnType())) {
            return;
        }
        calls.add(new Call(e, null, owner));
    }

    private static boolean isNameable(Class<?> c) {
        while (c.isArray()) {
            c = c.getComponentType();
        }
        return c.isPrimitive() || isVisible(c) && c.getCanonicalName() != null;
    }

    private static boolean isVisible(Class<?> c) {
        for (; c != null; c = c.getDeclaringClass()) {
            if (!Modifier.isPublic(c.getModifiers())) {
                return false;
            }
        }
        return true;
    }

    private List<Sequence> search(int length) throws Exception {
        List<Sequence> kept = new ArrayList<>();
        List<Sequence> open = new ArrayList<>();
        open.add(new Sequence(new ArrayList<>()));
        Set<String> seen = new HashSet<>();
        for (int attempt = 0; attempt < 10 * most && kept.size() < most && !calls.isEmpty(); attempt++) {
            Sequence s = extend(open.get(random.nextInt(open.size())), length);
            if (s == null) {
                continue;
            }
            s = attempt(s);
            if (!seen.add(s.key())) {
                continue;
            }
            kept.add(s);
            if (!s.throwing && s.steps.size() < length) {
                open.add(s);
            }
        }
        return kept;
    }

    /** Adds some calls, null if there is no room for one. */
    private Sequence extend(Sequence base, int length) {
        List<Step> steps = new ArrayList<>(base.steps);
        int wanted = Math.min(length, steps.size() + more(length));
        for (int tries = 0; steps.size() < wanted && tries < 3 * length; tries++) {
            append(steps, calls.get(random.nextInt(calls.size())), Math.min(wanted, length));
        }
        return steps.size() > base.steps.size() ? new Sequence(steps) : null;
    }

    /** How many calls to add: mostly few, seldom many, so that long tests exist and do not cost more than all others together. */
    private int more(int length) {
        if (random.nextInt(16) == 0) {
            return 1 + random.nextInt(length);
        }
        int mean = 2 + length / 25;
        int n = 1;
        while (n < length && random.nextInt(mean) > 0) {
            n++;
        }
        return n;
    }

    private void append(List<Step> steps, Call call, int limit) {
        int receiver = -1;
        if (call.needsReceiver()) {
            receiver = pick(steps, call.owner);
            if (receiver < 0) {
                Call maker = maker(call.owner);
                if (maker == null || steps.size() + 2 > limit) {
                    return;
                }
                steps.add(new Step(maker, -1, arguments(steps, maker)));
                receiver = steps.size() - 1;
            }
        }
        if (steps.size() < limit) {
            steps.add(new Step(call, receiver, arguments(steps, call)));
        }
    }

    /** A random earlier result of a type, -1 if there is none. */
    private int pick(List<Step> steps, Class<?> type) {
        List<Integer> fit = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            if (type.isAssignableFrom(steps.get(i).call.result())) {
                fit.add(i);
            }
        }
        return fit.isEmpty() ? -1 : fit.get(random.nextInt(fit.size()));
    }

    private Call maker(Class<?> type) {
        List<Call> fit = new ArrayList<>();
        for (Call c : calls) {
            if (!c.needsReceiver() && type.isAssignableFrom(c.result())) {
                fit.add(c);
            }
        }
        return fit.isEmpty() ? null : fit.get(random.nextInt(fit.size()));
    }

    private Object[] arguments(List<Step> steps, Call call) {
        Class<?>[] types = call.target == null ? new Class<?>[0] : call.target.getParameterTypes();
        Object[] out = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            String[] literals = LITERALS.getOrDefault(types[i], new String[] {"null"});
            int earlier = types[i] == Object.class || random.nextInt(4) > 0 ? pick(steps, types[i]) : -1;
            out[i] = earlier >= 0 ? (Object) earlier : literals[random.nextInt(literals.length)];
        }
        return out;
    }

    /** Runs a sequence, and cuts it behind the step that throws. */
    private Sequence attempt(Sequence s) throws Exception {
        Object[] results = new Object[s.steps.size()];
        for (int i = 0; i < results.length; i++) {
            Step step = s.steps.get(i);
            try {
                results[i] = run(step, results);
            } catch (InvocationTargetException | LinkageError | NullPointerException e) {
                Sequence cut = new Sequence(new ArrayList<>(s.steps.subList(0, i + 1)));
                cut.throwing = true;
                return cut;
            }
        }
        return s;
    }

    private static Object run(Step step, Object[] results) throws ReflectiveOperationException {
        if (step.call.target == null) {
            return step.call.constant.get(null);
        }
        Object[] arguments = new Object[step.arguments.length];
        for (int i = 0; i < arguments.length; i++) {
            Object a = step.arguments[i];
            arguments[i] = a instanceof Integer ? results[(Integer) a] : VALUES.get(a);
        }
        if (step.call.target instanceof Constructor) {
            return ((Constructor<?>) step.call.target).newInstance(arguments);
        }
        step.call.target.setAccessible(true); // a class that is not public may declare it
        return ((Method) step.call.target).invoke(step.receiver < 0 ? null : results[step.receiver], arguments);
    }

    private static Map<String, Object> values() {
        Map<String, Object> out = new TreeMap<>();
        for (int i : new int[] {0, 1, -1, 10, 100}) {
            out.put(i + "", i);
            out.put(i + "L", (long) i);
        }
        out.put("true", true);
        out.put("false", false);
        out.put("0.0", 0.0);
        out.put("1.5", 1.5);
        out.put("1.5f", 1.5f);
        out.put("'a'", 'a');
        out.put("(byte) 1", (byte) 1);
        out.put("(short) 1", (short) 1);
        out.put("\"\"", "");
        out.put("\"hi!\"", "hi!");
        return out;
    }

    private void write(Sequence s) throws IOException {
        wire.put(s.steps.size());
        for (Step step : s.steps) {
            Call call = step.call;
            String kind = call.target == null ? "constant" : call.target instanceof Constructor ? "new" : step.receiver < 0 ? "static" : "call";
            wire.put(kind).put(call.owner.getCanonicalName()).put(call.target == null ? call.constant.getName() : call.target.getName());
            wire.put(call.result().getCanonicalName()).put(step.receiver).put(step.arguments.length);
            Class<?>[] types = call.target == null ? new Class<?>[0] : call.target.getParameterTypes();
            for (int i = 0; i < step.arguments.length; i++) {
                Object a = step.arguments[i];
                String text = a instanceof Integer ? "v" + a : a.equals("null") ? "(" + types[i].getCanonicalName() + ") null" : (String) a;
                wire.put(text);
            }
        }
    }
}
