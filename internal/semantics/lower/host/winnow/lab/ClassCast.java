package winnow.lab;

/** The system exception ClassCast of the small JVM: an Error, so that it leaves static initializers as it is. */
public class ClassCast extends Error {}
