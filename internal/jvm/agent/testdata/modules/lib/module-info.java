module lib {
    exports lib;
    opens lib;
}
