package winnow.maven;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A message of the exchange: lines of a key, a space and a value, ended by an empty line. The first key is "message". A backslash, a line feed
 * and a carriage return in a value are written with a backslash. The other end of the exchange is message.go.
 */
final class Message {
    private final List<String> keys = new ArrayList<>();
    private final List<String> values = new ArrayList<>();

    Message() {
    }

    Message(String kind) {
        add("message", kind);
    }

    /** Adds a line; an absent value adds none. */
    Message add(String key, Object value) {
        if (value != null) {
            keys.add(key);
            values.add(value.toString());
        }
        return this;
    }

    String kind() {
        return get("message");
    }

    /** The first value of a key, or null. */
    String get(String key) {
        int i = keys.indexOf(key);
        return i < 0 ? null : values.get(i);
    }

    List<String> all(String key) {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            if (keys.get(i).equals(key)) {
                found.add(values.get(i));
            }
        }
        return found;
    }

    String encode() {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < keys.size(); i++) {
            out.append(keys.get(i)).append(' ').append(escape(values.get(i))).append('\n');
        }
        return out.append('\n').toString();
    }

    /** Reads one message, or null at the end of the stream. */
    static Message read(BufferedReader in) throws IOException {
        Message m = new Message();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.isEmpty()) {
                return m;
            }
            int space = line.indexOf(' ');
            if (space < 0) {
                throw new IOException("a line without a value: " + line);
            }
            m.add(line.substring(0, space), unescape(line.substring(space + 1)));
        }
        return null;
    }

    private static String escape(String s) {
        return s.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
    }

    private static String unescape(String s) {
        if (s.indexOf('\\') < 0) {
            return s;
        }
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            if (c == '\\' && i + 1 < s.length()) {
                c = s.charAt(++i);
                c = c == 'n' ? '\n' : c == 'r' ? '\r' : c;
            }
            out.append(c);
        }
        return out.toString();
    }
}
