package plugins;

/** Lies outside of all modules. */
public class Plugin {}
