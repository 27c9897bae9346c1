package winnow.lab;

/** The system exception NullPointer of the small JVM: an Error, so that it leaves static initializers as it is. */
public class NullPointer extends Error {}
