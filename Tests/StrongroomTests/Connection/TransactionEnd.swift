import Strongroom

/// Ways in which SQLite ends a transaction by itself: each is a statement that fails.
enum TransactionEnd: String, CaseIterable, Sendable {
    case conflict = "INSERT OR ROLLBACK INTO account VALUES (1, 0)"
    case trigger = "INSERT INTO forbidden VALUES (1)"
    case inputOutput = "INSERT INTO scrap VALUES (fail('SQLITE_IOERR'))"
    case noMemory = "INSERT INTO scrap VALUES (fail('SQLITE_NOMEM'))"
    case diskFull = "INSERT INTO scrap VALUES (zeroblob(10000000))"
    case interruption = """
        INSERT INTO scrap
        WITH RECURSIVE n(i) AS (SELECT interrupt() UNION ALL SELECT 1 FROM n) SELECT i FROM n
        """

    /// Makes what the statements need.
    static func prepare(_ writer: any DatabaseWriter) throws {
        try writer.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE account(id INTEGER PRIMARY KEY, balance INTEGER NOT NULL);
                    INSERT INTO account VALUES (1, 100), (2, 100);
                    CREATE TABLE scrap(a);
                    CREATE TABLE forbidden(a);
                    CREATE TRIGGER refusal BEFORE INSERT ON forbidden
                    BEGIN SELECT RAISE(ROLLBACK, 'refused'); END
                    """)
        }
        try writer.writeWithoutTransaction { db in
            let codes: [String: ResultCode] = [
                "SQLITE_IOERR": .SQLITE_IOERR, "SQLITE_NOMEM": .SQLITE_NOMEM,
            ]
            db.add(
                function: DatabaseFunction("fail", argumentCount: 1) { values in
                    let name = String.fromDatabaseValue(values[0]) ?? ""
                    throw DatabaseError(resultCode: codes[name] ?? .SQLITE_ERROR)
                })
            // The connection owns the function: it must not own the connection.
            db.add(
                function: DatabaseFunction("interrupt", argumentCount: 0) { [weak writer] _ in
                    writer?.interrupt()
                    return nil
                })
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            try db.execute(sql: "PRAGMA max_page_count = \(pages + 100)")
        }
    }
}
