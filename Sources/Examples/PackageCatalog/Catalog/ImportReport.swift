/// What an import changed.
struct ImportReport: Equatable {
    var added = 0
    var upgraded = 0
    var unchanged = 0
    var removed = 0

    /// How many packages the catalog holds now.
    var packageCount: Int { added + upgraded + unchanged }
}
