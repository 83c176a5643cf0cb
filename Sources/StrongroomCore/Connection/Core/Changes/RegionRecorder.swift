/// What the statements read that run while a value is fetched whose changes are to be noticed.
final class RegionRecorder {
    private(set) var region = DatabaseRegion()

    /// The rows that the next statement will be limited to, if its SQL is this one.
    private var announced: (sql: String, rows: StatementRows)?

    func note(_ region: DatabaseRegion) {
        self.region.formUnion(region)
    }

    func note(_ statement: Statement) {
        let region = statement.regionReadWhileFetching
        guard let rows = statement.rows else { return note(region) }
        note(region.limited(toRows: rows.rowIDs, of: rows.table))
    }

    func announce(_ rows: StatementRows, of sql: String) {
        announced = (sql, rows)
    }

    func takeAnnouncedRows(of sql: String) -> StatementRows? {
        defer { announced = nil }
        return announced.flatMap { $0.sql == sql ? $0.rows : nil }
    }
}

/// The only rows of a table that a statement reads, with the arguments that it has.
struct StatementRows {
    let table: String
    let rowIDs: Set<Int64>
}

extension Database {
    /// Adds a region to what an observation tracks, without fetching anything from it.
    ///
    /// Call it in the function that fetches the value of a `ValueObservation`; elsewhere it does
    /// nothing.
    ///
    /// - Throws: What finding the region in the schema throws.
    public func registerAccess(to region: some DatabaseRegionConvertible) throws {
        guard let recorder = observation.recorder else { return }
        // To find a region may take statements of its own.
        observation.recorder = nil
        defer { observation.recorder = recorder }
        recorder.note(try region.databaseRegion(self))
    }

    /// Runs a function, and collects what it reads.
    package func recordingRegion<T>(_ body: () throws -> T) throws -> (T, DatabaseRegion) {
        let outer = observation.recorder
        let recorder = RegionRecorder()
        observation.recorder = recorder
        defer { observation.recorder = outer }
        let value = try body()
        outer?.note(recorder.region)
        return (value, recorder.region)
    }

    /// Says that the statement which is about to be lent for some SQL reads these rows only.
    package func announce(rowIDs: Set<Int64>, of table: String, in sql: String) {
        observation.recorder?.announce(StatementRows(table: table, rowIDs: rowIDs), of: sql)
    }

    /// Whether somebody wants to know what statements read.
    package var isRecordingRegion: Bool { observation.recorder != nil }
}
