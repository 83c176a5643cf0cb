public import StrongroomCore

/// The only rows of a table that a statement reads.
struct KeptRows {
    let table: String
    let rowIDs: Set<Int64>
}

extension SelectClauses {
    /// The rows that a condition on the key leaves, where the query reads the table once, and the
    /// key is the number of the row.
    func keptRows(_ db: Database, _ query: QueryFragment) throws -> KeptRows? {
        let table = from.tables[0]
        guard let keptRows, from.tables.count == 1, table.fragment == nil,
            !query.hasDeferred, query.segments.sourceCount(of: table.name) == 1
        else { return nil }
        let key = try db.primaryKey(table.name, in: table.schema)
        guard key.isRowID, key.tableHasRowID else { return nil }
        return KeptRows(table: table.name, rowIDs: keptRows)
    }
}

extension SelectStatement {
    /// What the query reads: of rows that are found by an integer key, these only.
    ///
    /// - Throws: `DatabaseError`, or `QueryBuildingError` when the statement cannot be built.
    public func databaseRegion(_ db: Database) throws -> DatabaseRegion {
        let clauses = _clauses.resolved
        let query = clauses.fragment(isFetched: true)
        if query.isEmpty { return DatabaseRegion() }
        let region = try SQLRequest<Row>(literal: query.literal).databaseRegion(db)
        guard let kept = try clauses.keptRows(db, query) else { return region }
        return region.limited(toRows: kept.rowIDs, of: kept.table)
    }
}

extension Statement {
    /// Tells an observation which rows alone the statement reads.
    func announceKeptRows(_ db: Database, _ query: QueryFragment) throws {
        guard db.isRecordingRegion, let select = self as? any SelectStatement,
            let kept = try select._clauses.resolved.keptRows(db, query)
        else { return }
        let sql = query.prepare { _ in "?" }.sql
        db.announce(rowIDs: kept.rowIDs, of: kept.table, in: sql)
    }
}
