internal import StrongroomCore
internal import StrongroomEssentials

/// How far a table has been scanned: kept in the file, in the transactions that bring it further.
///
/// 1. It is there only while the table's record says that the table is to be scanned.
/// 2. Triggers have noted whatever was written since the scan began. A scan whose triggers were missing begins again.
struct ScanProgress: Sendable, Hashable {
    enum Phase: UInt8, Sendable {
        /// Rows of a table that was never shared here: each slice becomes a batch.
        case taking
        /// All of them are taken, and other tables are not.
        case taken
        /// Rows are compared with what is known, and differences are noted.
        case comparing
        /// Known rows are looked for: those that are gone are noted.
        case missing
    }

    var phase: Phase
    /// How many rows were read.
    var rowCount: UInt64 = 0
    /// The bytes of the last key that was read; nil at the beginning of a phase.
    var last: [UInt8]?
    /// Stands for the table as it was when the scan began, if it is taken slice by slice.
    var schema: [UInt8] = []

    init(_ phase: Phase, schema: [UInt8] = []) {
        self.phase = phase
        self.schema = schema
    }

    /// Whether the table was never shown before, and is taken slice by slice.
    var isFirst: Bool { phase == .taking || phase == .taken }

    /// What the file has; nil for nothing, and for what cannot be read: the scan begins again then.
    ///
    /// - Parameter number: The number of the table in notes.
    static func load(_ db: Database, number: Int) throws -> ScanProgress? {
        let data = try Data.fetchOne(
            db, sql: "SELECT value FROM main.strongroom_sync_setting WHERE name = ?",
            arguments: [name(number)])
        return data.flatMap { try? ScanProgress(Array($0)) }
    }

    private init?(_ bytes: [UInt8]) throws {
        var reader = ByteReader(bytes)
        guard let phase = Phase(rawValue: try reader.byte()) else { return nil }
        self.init(phase)
        rowCount = try reader.number()
        if try reader.byte() == 1 { last = Array(try reader.counted()) }
        schema = Array(try reader.counted())
    }

    func save(_ db: Database, number: Int) throws {
        var bytes: [UInt8] = [phase.rawValue]
        bytes.append(number: rowCount)
        bytes.append(last == nil ? 0 : 1)
        if let last { bytes.append(counted: last) }
        bytes.append(counted: schema)
        try db.execute(
            sql: """
                INSERT INTO main.strongroom_sync_setting (name, value) VALUES (?1, ?2)
                ON CONFLICT (name) DO UPDATE SET value = ?2
                """, arguments: [Self.name(number), Data(bytes)])
    }

    static func remove(_ db: Database, number: Int) throws {
        try db.execute(
            sql: "DELETE FROM main.strongroom_sync_setting WHERE name = ?",
            arguments: [name(number)])
    }

    /// Has scans begin again: migrations write rows without notes.
    static func restart(_ db: Database, number: Int) throws {
        guard let progress = try load(db, number: number) else { return }
        guard progress.isFirst else { return try remove(db, number: number) }
        try ScanProgress(.taking, schema: progress.schema).save(db, number: number)
    }

    private static func name(_ number: Int) -> String { "scan-\(number)" }
}
