extension DatabaseReader {
    /// Prints what all statements of an SQL text give.
    ///
    ///     try dbQueue.dumpSQL("SELECT name, score FROM player")
    ///
    /// - Throws: As `Database.dumpSQL(_:format:to:)`.
    public func dumpSQL(
        _ sql: SQL, format: some DumpFormat = .debug(), to stream: (any TextOutputStream)? = nil
    ) throws {
        try unsafeReentrantRead { try $0.dumpSQL(sql, format: format, to: stream) }
    }

    /// Prints the rows of a request.
    ///
    ///     try dbQueue.dumpRequest(Player.filter(Column("score") > 100))
    ///
    /// - Parameters:
    ///   - request: The request to run.
    ///   - format: The format of the output.
    ///   - stream: Where to print; the standard output if nil.
    /// - Throws: `DatabaseError` when a statement fails.
    public func dumpRequest(
        _ request: some FetchRequest, format: some DumpFormat = .debug(),
        to stream: (any TextOutputStream)? = nil
    ) throws {
        try unsafeReentrantRead { try $0.dumpRequest(request, format: format, to: stream) }
    }

    /// Prints the rows of tables and views.
    ///
    /// Those of tables come by primary key, or else by rowid; those of views sorted by all columns
    /// if `stableOrder`.
    ///
    ///     try dbQueue.dumpTables(["player"])
    ///
    /// - Throws: As `Database.dumpTables(_:format:tableHeader:stableOrder:to:)`.
    public func dumpTables(
        _ tables: [String], format: some DumpFormat = .debug(),
        tableHeader: DumpTableHeaderOptions = .automatic, stableOrder: Bool = false,
        to stream: (any TextOutputStream)? = nil
    ) throws {
        try unsafeReentrantRead {
            try $0.dumpTables(
                tables, format: format, tableHeader: tableHeader, stableOrder: stableOrder,
                to: stream)
        }
    }

    /// Prints the definitions of all tables, indexes, triggers and views, and the rows of all tables.
    ///
    ///     try dbQueue.dumpContent()
    ///
    /// - Parameters:
    ///   - format: The format of the output.
    ///   - stream: Where to print; the standard output if nil.
    /// - Throws: `DatabaseError` when a statement fails.
    public func dumpContent(
        format: some DumpFormat = .debug(), to stream: (any TextOutputStream)? = nil
    ) throws {
        try unsafeReentrantRead { try $0.dumpContent(format: format, to: stream) }
    }

    /// Prints the definitions of all tables, indexes, triggers and views.
    ///
    ///     try dbQueue.dumpSchema()
    ///
    /// - Parameter stream: Where to print; the standard output if nil.
    /// - Throws: `DatabaseError` when a statement fails.
    public func dumpSchema(to stream: (any TextOutputStream)? = nil) throws {
        try unsafeReentrantRead { try $0.dumpSchema(to: stream) }
    }
}
