package winnow.agent;

import java.util.Locale;
import java.util.function.ObjIntConsumer;

/** Where the calls of inserted code arrive. The numbers are those of the probe class. */
final class Frameworks implements ObjIntConsumer<Object> {
    private static final int FIRST = 32;

    private final Recorder recorder;
    private final Events events;
    private final Platform platform;
    private final Sets sets;
    private final Junit4 junit4;
    private final Junit3 junit3;
    private final Testng testng;

    Frameworks(Recorder recorder, Events events, Plan plan) {
        this.recorder = recorder;
        this.events = events;
        platform = new Platform(recorder, plan.excluded);
        sets = new Sets(recorder);
        junit4 = new Junit4(recorder, plan.excluded);
        junit3 = new Junit3(recorder, plan.excluded);
        testng = new Testng(recorder, plan.excluded);
    }

    @Override
    public void accept(Object value, int kind) {
        if (kind < Events.REFLECTED) {
            events.add(kind, value);
            return;
        }
        if (kind < FIRST) {
            reflection(value, kind);
            return;
        }
        try {
            dispatch(value, kind);
        } catch (Throwable t) {
            recorder.problem(Recorder.FRAMEWORK, kind + " " + t.getClass().getName());
        }
    }

    private void reflection(Object value, int kind) {
        switch (kind) {
            case Events.REFLECTED:
                events.reflected((Class<?>) value);
                break;
            case 18:
                events.defaults.beforeWrite(value);
                events.add(Events.PROPERTY_WRITTEN, value);
                break;
            case 19:
                events.defaults.before(value);
                events.add(Events.DEFAULT_SET, value);
                break;
            case 20:
                events.opened((String) value);
                break;
            case Events.NAMED:
                if (value != null) {
                    events.named((String) value);
                }
                break;
            case 15:
                Class<?> c = Ask.isOwn(value) ? null : Members.owner(value);
                if (c != null) {
                    events.reflected(c);
                }
                break;
            case 21:
                events.received((Object[]) value);
                break;
            case 22:
                events.invoked(value);
                break;
            case 16:
                recorder.started((Thread) value);
                break;
            case 23:
                recorder.closing();
                break;
            case 24:
                events.add(Events.LIBRARY, value);
                break;
            case 25:
                events.linked((Object[]) value);
                break;
            case 27:
                events.add(Events.APPENDED, value);
                break;
            case 26:
                events.add(Events.JAR, Jars.of(value));
                break;
            default:
                Object[] nameAndLocale = (Object[]) value;
                Bundles.sought(events, (String) nameAndLocale[0], (Locale) nameAndLocale[1]);
        }
    }

    private void dispatch(Object value, int kind) throws Throwable {
        if (kind < 40) {
            onPlatform(value, kind);
        } else if (kind == 61) {
            testng.running(value, !recorder.runs(Node.PLATFORM));
        } else if (recorder.runs(Node.PLATFORM)) {
            // An engine of the platform runs another framework, or a test does: the platform's word counts.
            return;
        } else if (kind == 48) {
            sets.started(value);
        } else if (kind == 49) {
            sets.finished();
        } else if (kind < 50) {
            onJunit4(((Object[]) value)[0], ((Object[]) value)[1], kind);
        } else if (kind < 60) {
            onJunit3(value, kind);
        } else {
            onTestng(value, kind);
        }
    }

    private void onTestng(Object value, int kind) throws Exception {
        switch (kind) {
            case 60:
                testng.reported(value);
                break;
            case 62:
                testng.classBegins(value);
                break;
            case 63:
                testng.methodEnds(value);
                break;
            case 65:
                testng.makes((Class<?>) value);
                break;
            case 66:
                testng.made();
                break;
            default:
                testng.runnerEnds(value);
        }
    }

    private void onPlatform(Object value, int kind) throws Exception {
        switch (kind) {
            case 32:
                platform.found(value);
                break;
            case 33:
                platform.registered(value);
                break;
            case 34:
                platform.started(value);
                break;
            case 35:
                platform.skipped(value);
                break;
            case 37:
                recorder.preparing();
                break;
            case 38:
                recorder.looking(((Class<?>) value).getName());
                break;
            case 39:
                recorder.found(((Class<?>) value).getName());
                break;
            default:
                platform.finished(((Object[]) value)[0], ((Object[]) value)[1]);
        }
    }

    private void onJunit4(Object notifier, Object value, int kind) throws Exception {
        if (junit4.isInner(notifier)) {
            return;
        }
        switch (kind) {
            case 40:
                junit4.found(value);
                break;
            case 41:
                junit4.started(value, Node.CONTAINER);
                break;
            case 43:
                junit4.started(value, Node.TEST);
                break;
            case 45:
                junit4.ignored(value);
                break;
            case 46:
                junit4.failed(value, Node.FAILED);
                break;
            case 47:
                junit4.failed(value, Node.ABORTED);
                break;
            default:
                junit4.finished(value);
        }
    }

    private void onJunit3(Object value, int kind) throws Exception {
        switch (kind) {
            case 50:
                junit3.started(value);
                break;
            case 51:
                junit3.finished(value);
                break;
            case 53:
                junit3.found(value);
                break;
            default:
                junit3.failed(((Object[]) value)[0], ((Object[]) value)[1]);
        }
    }
}
