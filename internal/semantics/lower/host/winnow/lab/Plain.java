package winnow.lab;

/** An instance of the small JVM's Object, which can be thrown as everything there. */
public class Plain extends Error {}
