import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import junit.framework.TestCase;

/** Mocks a final class, for which Mockito rewrites the class itself while it is in use. */
public class Mocks extends TestCase {
    public void testMock() {
        Final f = mock(Final.class);
        when(f.value()).thenReturn(8);
        assertEquals(8, f.value());
    }

    public void testReal() {
        assertEquals(7, new Final().value());
    }
}

final class Final {
    int value() {
        return inner();
    }

    int inner() {
        return 7;
    }
}
