import CSQLCipher
import Strongroom
import StrongroomSync

// Writes to a table whose changes are noted for synchronisation, next to writes to one that is not
// shared. Both sides use the C API: the difference is what the triggers cost.

private let rowCount = 10_000
private let commitCount = 500

func capturingWorkloads() -> [Workload] {
    [
        capturing("insert rows that are shared", 2.0, rowCount, isEmpty: true) { table in
            try table.insertRows()
        },
        capturing("update two columns of shared rows", 2.5, rowCount) { table in
            try table.updateRows()
        },
        capturing("update all shared rows at once", 2.1, rowCount) { table in
            try table.run("UPDATE \(table.name) SET done = 1 - done")
        },
        capturing("delete rows that are shared", 2.1, rowCount) { table in
            try table.deleteRows()
        },
        capturing("commit one shared row after the other", 2.0, commitCount, isEmpty: true) {
            table in
            try table.commitRows()
        },
    ]
}

private func capturing(
    _ name: String, _ aim: Double, _ operations: Int, isEmpty: Bool = false,
    _ body: @escaping (NotedTable) throws -> Void
) -> Workload {
    func side(_ table: String, _ database: BenchmarkDatabase) throws -> Workload.Outcome {
        try database.withConnection { try body(NotedTable(name: table, connection: $0)) }
        return { (try? outcome(of: table, database, operations)) ?? UInt64(table.count) }
    }
    return Workload(
        name: name, aim: .ratio(aim), operations: operations,
        prepare: { try prepare($0, rows: isEmpty ? 0 : rowCount) },
        library: { try side("shared", $0) }, c: { try side("own", $0) })
}

/// Both tables anew, with equal rows, and an empty journal.
private func prepare(_ database: BenchmarkDatabase, rows: Int) throws {
    try database.queue.write { db in
        try Capture.remove(db)
        for name in ["shared", "own"] {
            try db.execute(
                sql: """
                    DROP TABLE IF EXISTS \(name);
                    CREATE TABLE \(name) (id TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL, note TEXT,
                        score INTEGER NOT NULL, price REAL, due TEXT, done INTEGER NOT NULL DEFAULT 0,
                        kind TEXT, rank INTEGER, body TEXT)
                    """)
        }
        try Capture.install(db, SyncSchema(db, [SyncedTable("shared")]))
    }
    guard rows > 0 else { return }
    for name in ["shared", "own"] {
        try database.withConnection { connection in
            try NotedTable(name: name, connection: connection).insertRows()
        }
    }
    try database.queue.write { db in
        try Journal.remove(db, through: try Journal.lastID(db))
    }
    _ = try database.queue.inDatabase { try $0.checkpoint(.truncate) }
}

/// What the rows come to, if as many notes were taken as there are operations.
private func outcome(
    of table: String, _ database: BenchmarkDatabase, _ operations: Int
) throws -> UInt64 {
    struct MissingNotes: Error {}
    var digest = Digest()
    try database.queue.inDatabase { db in
        if table == "shared", try Journal.noteCount(db) != operations { throw MissingNotes() }
        let sql =
            "SELECT count(*), sum(score), sum(done), sum(length(title)), max(id) FROM \(table)"
        if let row = try Row.fetchOne(db, sql: sql) {
            row.databaseValues.forEach { Cell($0).add(to: &digest) }
        }
    }
    return digest.value
}

private struct NotedTable {
    let name: String
    let connection: OpaquePointer

    /// A key as random as a UUID, the same in each run.
    private func key(_ number: Int) -> String {
        func digits(_ seed: Int) -> String {
            let mixed = UInt64(bitPattern: Int64(seed)) &* 0x9E37_79B9_7F4A_7C15
            let text = String(mixed ^ (mixed >> 29), radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }
        let (one, two) = (digits(number), digits(number + 77_777))
        return "\(one.prefix(8))-\(one.dropFirst(8).prefix(4))-\(one.suffix(4))"
            + "-\(two.prefix(4))-\(two.suffix(12))"
    }

    func run(_ sql: String) throws {
        try CStatement.execute(connection, sql)
    }

    private func inTransaction(_ body: () throws -> Void) throws {
        try run("BEGIN IMMEDIATE")
        try body()
        try run("COMMIT")
    }

    private func insertion() throws -> CStatement {
        try CStatement(
            connection,
            """
            INSERT INTO \(name) (id, title, note, score, price, due, kind, rank, body)
            VALUES (?, ?, ?, ?, ?, '2026-11-29 10:00:00', 'task', ?, ?)
            """)
    }

    private func insert(_ number: Int, _ statement: CStatement) throws {
        statement.bind(1, key(number))
        statement.bind(2, "Title of row \(number)")
        statement.bind(3, "a note")
        statement.bind(4, Int64(number))
        statement.bind(5, Double(number) / 4)
        statement.bind(6, Int64(number % 10))
        statement.bind(7, "The body of row \(number)")
        try statement.run()
    }

    func insertRows() throws {
        let statement = try insertion()
        defer { statement.finalize() }
        try inTransaction { for number in 0..<rowCount { try insert(number, statement) } }
    }

    func commitRows() throws {
        let statement = try insertion()
        defer { statement.finalize() }
        for number in 0..<commitCount { try inTransaction { try insert(number, statement) } }
    }

    func updateRows() throws {
        let statement = try CStatement(
            connection, "UPDATE \(name) SET title = ?, score = score + 1 WHERE id = ?")
        defer { statement.finalize() }
        try inTransaction {
            for number in 0..<rowCount {
                statement.bind(1, "New title \(number)")
                statement.bind(2, key(number))
                try statement.run()
            }
        }
    }

    func deleteRows() throws {
        let statement = try CStatement(connection, "DELETE FROM \(name) WHERE id = ?")
        defer { statement.finalize() }
        try inTransaction {
            for number in 0..<rowCount {
                statement.bind(1, key(number))
                try statement.run()
            }
        }
    }
}
