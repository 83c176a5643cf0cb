extension Database {
    /// Prints what all statements of an SQL text give.
    ///
    ///     try db.dumpSQL("SELECT * FROM player WHERE id = \(id)")
    ///     // Prints 1|Arthur|1.5
    ///
    /// - Parameters:
    ///   - sql: One statement or several; the rows of each are printed.
    ///   - format: The format of the output.
    ///   - stream: Where to print; the standard output if nil.
    /// - Throws: `DatabaseError`, and what the format throws. What precedes is printed, and the
    ///   statements that precede have run.
    public func dumpSQL(
        _ sql: SQL, format: some DumpFormat = .debug(), to stream: (any TextOutputStream)? = nil
    ) throws {
        var dump = Dump(self, format, stream)
        let statements = try allStatements(literal: sql)
        while let statement = try statements.next() { try dump.write(statement) }
    }

    /// Prints the rows of a request, and those that it fetches after them, under their names.
    ///
    ///     try db.dumpRequest(Author.including(all: Author.books))
    ///     // Prints 1|Herman Melville
    ///     //
    ///     // books
    ///     // 1|1|Moby-Dick
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
        var dump = Dump(self, format, stream)
        guard
            let statements = try request._fetchSource(self, forSingleResult: false).shownStatements
        else {
            return try dump.write(
                request.makePreparedRequest(self, forSingleResult: false).statement)
        }
        try seeingOneState { try dump.write(statements()) }
    }

    /// Prints the rows of tables and views.
    ///
    /// Those of tables come by primary key, or else by rowid.
    ///
    ///     try db.dumpTables(["player", "team"])
    ///
    /// - Parameters:
    ///   - tables: The names of tables and views.
    ///   - format: The format of the output.
    ///   - tableHeader: When the name of a table is printed above its rows.
    ///   - stableOrder: Whether the rows of views are sorted, by all columns.
    ///   - stream: Where to print; the standard output if nil.
    /// - Throws: `DatabaseError` when there is no table of a name. Those before it are printed.
    public func dumpTables(
        _ tables: [String], format: some DumpFormat = .debug(),
        tableHeader: DumpTableHeaderOptions = .automatic, stableOrder: Bool = false,
        to stream: (any TextOutputStream)? = nil
    ) throws {
        var dump = Dump(self, format, stream)
        try seeingOneState {
            try dump.write(tables: tables, header: tableHeader, stableOrder: stableOrder)
        }
    }

    /// Prints the definitions of all tables, indexes, triggers and views, and the rows of all tables.
    ///
    ///     try db.dumpContent()
    ///
    /// - Parameters:
    ///   - format: The format of the output.
    ///   - stream: Where to print; the standard output if nil.
    /// - Throws: `DatabaseError` when a statement fails.
    public func dumpContent(
        format: some DumpFormat = .debug(), to stream: (any TextOutputStream)? = nil
    ) throws {
        var dump = Dump(self, format, stream)
        try seeingOneState {
            try dump.writeSchema()
            try dump.write(tables: DumpedTable.contentTables(self), header: .always)
        }
    }

    /// Prints the definitions of all tables, indexes, triggers and views.
    ///
    ///     try db.dumpSchema()
    ///
    /// - Parameter stream: Where to print; the standard output if nil.
    /// - Throws: `DatabaseError` when a statement fails.
    public func dumpSchema(to stream: (any TextOutputStream)? = nil) throws {
        var dump = Dump(self, DebugDumpFormat(), stream)
        try dump.writeSchema()
    }

    /// Other connections may write between two statements that are not in one transaction.
    private func seeingOneState(_ body: () throws -> Void) throws {
        guard !isInsideTransaction else { return try body() }
        try inTransaction(.deferred) {
            try body()
            return .commit
        }
    }
}
