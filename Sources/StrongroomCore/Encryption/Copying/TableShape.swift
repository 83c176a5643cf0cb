/// A table as its rows are read and written: every cell that is stored, and the row's number.
///
/// SQLite's own `INSERT … SELECT *` gives new numbers to the rows of a table that has neither an
/// index nor an `INTEGER PRIMARY KEY`, and so does `sqlcipher_export`. Other tables may refer to
/// those numbers.
struct TableShape {
    let name: String
    /// The columns whose cells are stored, generated ones left out.
    let columns: [String]
    /// What the row's number is called; `nil` where it has no name, or the table none.
    let rowID: String?

    init(of name: String, in database: Database) throws {
        self.name = name
        let rows = try Row.fetchAll(
            database, sql: "SELECT name, hidden FROM pragma_table_xinfo(?, 'main')",
            arguments: [name])
        let all: [String] = rows.map { $0[0] }
        // 2 and 3 are generated columns. <https://www.sqlite.org/pragma.html#pragma_table_xinfo>
        columns = rows.filter { ($0[1] as Int) < 2 }.map { $0[0] }
        rowID = try ["rowid", "_rowid_", "oid"].first { name in
            !all.contains { $0.lowercased() == name }
        }.flatMap { candidate in
            try Self.has(candidate, name, database) ? candidate : nil
        }
    }

    /// A table WITHOUT ROWID has no such column.
    private static func has(
        _ rowID: String, _ table: String, _ database: Database
    ) throws -> Bool {
        do {
            _ = try database.makeStatement(
                sql:
                    "SELECT main.\(table.quotedDatabaseIdentifier).\(rowID) FROM main.\(table.quotedDatabaseIdentifier)"
            )
            return true
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            return false
        }
    }

    /// All rows, in the order in which the table keeps them.
    var selection: String {
        let list = (rowID.map { [$0] } ?? []) + columns.map(\.quotedDatabaseIdentifier)
        return
            "SELECT \(list.joined(separator: ", ")) FROM main.\(name.quotedDatabaseIdentifier) NOT INDEXED"
    }

    /// Takes what ``selection`` gives. A row that breaks a constraint is an error, whatever the
    /// constraint says.
    var insertion: String {
        let list = (rowID.map { [$0] } ?? []) + columns.map(\.quotedDatabaseIdentifier)
        let places = Array(repeating: "?", count: list.count).joined(separator: ", ")
        return """
            INSERT OR ABORT INTO main.\(name.quotedDatabaseIdentifier) (\(list.joined(separator: ", "))) \
            VALUES (\(places))
            """
    }
}
