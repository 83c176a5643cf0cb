import Strongroom
import StrongroomCore
import StrongroomSchema
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

// The engine that will use capture is in the same module, so its parts are package declarations:
// `@testable` is for the texts of triggers, which the mutants change.

/// An encrypted database with a schema, and capture of some of its tables.
struct CaptureFixture {
    let database: FixtureDatabase
    let queue: DatabaseQueue
    let declarations: [SyncedTable]

    init(_ sql: String, _ declarations: [SyncedTable]) throws {
        database = try FixtureDatabase()
        queue = try database.open()
        self.declarations = declarations
        try queue.write { db throws in
            try db.execute(sql: sql)
            try Capture.install(db, SyncSchema(db, declarations))
        }
    }

    /// What has been noted since the last call, and no longer is.
    func taken(_ db: Database) throws -> [NotedRow] {
        let found = try Journal.rows(db)
        try Journal.remove(db, through: found.last)
        return found.rows
    }

    /// The notes of some SQL, in words: the table, the key, what happened.
    func words(_ db: Database, _ sql: String) throws -> [String] {
        try db.execute(sql: sql)
        return try words(db, taken(db))
    }

    func words(_ db: Database, _ rows: [NotedRow]) throws -> [String] {
        let tables = try Capture.tables(db, SyncSchema(db, declarations))
        return rows.map { row in row.words(tables.first { $0.number == row.table }) }
    }

    func write<T>(_ body: (Database) throws -> T) throws -> T { try queue.write(body) }
}

extension NotedRow {
    /// `player 'a': deleted inserted title +score 3`
    func words(_ table: CapturedTable?) -> String {
        func name(_ position: Int) -> String {
            table?.columnIndex(at: position).flatMap { table?.table.columns[$0].name }
                ?? "column \(position)"
        }
        var words = [deleted == nil ? "" : "deleted", looked == nil ? "" : "looked"]
        words.append(inserted == nil ? "" : "inserted")
        words += columns.keys.sorted().map(name)
        words += differences.sorted { $0.key < $1.key }.map {
            "+\(name($0.key)) \($0.value.amount)"
        }
        let key = key.map(\.words).joined(separator: ",")
        return "\(table?.table.stored.name ?? "gone") \(key): "
            + words.filter { !$0.isEmpty }.joined(separator: " ")
    }
}

extension CapturedValue {
    var words: String {
        switch self {
        case .null: "NULL"
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)"
        case .text(let bytes): "'\(String(decoding: bytes, as: UTF8.self))'"
        case .blob(let bytes): "x\(bytes)"
        }
    }

    static func text(_ text: String) -> CapturedValue { .text(Array(text.utf8)) }
}
