/// What the access that is going on may do with its connection.
struct AccessState {
    /// Which access this is: it changes when one ends, so that what escapes from it is noticed.
    var number = 0

    /// How many nested accesses forbid writes.
    var readOnlyDepth = 0

    /// Whether SQLite itself refuses writes at the moment.
    var isQueryOnly = false

    /// Whether reads leave the other users of the file alone, as those of a write-ahead log do.
    var readsTakeNoLock = false
}
