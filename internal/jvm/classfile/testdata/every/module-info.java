/** Has every part of a module declaration. */
@Deprecated
open module every {
    requires transitive java.logging;
    requires static java.sql;
    exports every;
    exports every.inner to java.sql, java.logging;
    uses java.util.function.Supplier;
    provides Runnable with every.Every.Service;
}
