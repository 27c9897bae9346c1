import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class Props {
    @Property(tries = 3)
    boolean holds(@ForAll int n) {
        return Prop.holds(n);
    }
}

class Prop {
    static boolean holds(int n) { return true; }
}
