public import StrongroomCore

extension SyncEngine {
    /// Compares declarations with a database, and returns everything that does not fit.
    ///
    ///     #expect(try SyncEngine.check(database, [SyncedTable("player")]).isEmpty)
    ///
    /// Opening an engine does the same, and refuses tables that cannot be shared.
    ///
    /// - Parameters:
    ///   - database: The database, after its migrations.
    ///   - tables: The tables that are to be shared.
    /// - Returns: Findings, each with its table, its column, the reason, and what to write instead.
    /// - Throws: `DatabaseError` if the schema cannot be read.
    public static func check(
        _ database: any DatabaseReader, _ tables: [SyncedTable]
    ) throws -> [SyncFinding] {
        try database.read { try SyncSchema.check($0, tables) }
    }
}
