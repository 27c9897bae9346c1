module main {
    requires lib;
}
