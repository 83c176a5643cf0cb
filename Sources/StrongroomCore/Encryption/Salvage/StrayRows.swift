/// Rows whose table is not known any more, in a table that is made for them.
struct StrayRows {
    private let database: Database
    private let reader: TreeReader
    private let writer: RowWriter

    init(_ database: Database, reader: TreeReader, writer: RowWriter) {
        self.database = database
        self.reader = reader
        self.writer = writer
    }

    /// - Returns: The name of the table, and how many rows there are.
    func write(pages: [UInt32]) throws -> (String?, Int) {
        let columnCount = try pages.reduce(0) { count, number in
            try max(count, entries(number).map(\.record.values.count).max() ?? 0)
        }
        guard columnCount > 0 else { return (nil, 0) }
        let name = try freeName()
        let columns = ["page", "id"] + (0..<columnCount).map { "c\($0)" }
        try database.hooks.beyondLimits { () throws(DatabaseError) in
            try database.run("CREATE TABLE main.\(name) (\(columns.joined(separator: ", ")))")
        }
        var rowCount = 0
        for number in pages {
            for entry in try entries(number) {
                let values = entry.record.values
                let id = entry.rowID.map { StoredValue.integer($0) } ?? .null
                let names = columns.prefix(2 + values.count)
                let places = Array(repeating: "?", count: names.count).joined(separator: ", ")
                let sql = """
                    INSERT INTO main.\(name) (\(names.joined(separator: ", "))) VALUES (\(places))
                    """
                if try writer.insert(sql, [.integer(Int64(number)), id] + values) { rowCount += 1 }
            }
        }
        return (name, rowCount)
    }

    private func entries(_ page: UInt32) throws -> [TreeReader.Entry] {
        guard let page = try reader.treePage(page) else { return [] }
        return try reader.entries(of: page).entries
    }

    private func freeName() throws -> String {
        for number in 0... {
            let name = "lost_and_found" + (number == 0 ? "" : "_\(number)")
            let taken = try Int.fetchOne(
                database, sql: "SELECT count(*) FROM main.sqlite_master WHERE lower(name) = ?",
                arguments: [name])
            if taken == 0 { return name }
        }
        return "lost_and_found"
    }
}
