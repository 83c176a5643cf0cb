internal import StrongroomCore

/// The statements that are run for each row of a shared table: their texts are made once.
struct TableSQL: Sendable {
    /// The columns, as SQL names them.
    let names: [String]
    let list: String
    let keyList: String
    /// That the key is equal byte by byte: its collation may take others for equal.
    let match: String
    let selection: String
    let insertion: String
    let deletion: String

    init(_ source: String, _ columns: [String], keyCount: Int) {
        names = columns.map(\.quotedDatabaseIdentifier)
        list = names.joined(separator: ", ")
        keyList = names.prefix(keyCount).joined(separator: ", ")
        match = names.prefix(keyCount).enumerated().map { index, column in
            let mark = "?\(index + 1)"
            return "\(column) = \(mark) AND \(column) IS \(mark) COLLATE BINARY"
                + " AND typeof(\(column)) = typeof(\(mark))"
        }.joined(separator: " AND ")
        selection = "SELECT \(list) FROM \(source) WHERE \(match)"
        let marks = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        insertion = "INSERT INTO \(source) (\(list)) VALUES (\(marks))"
        deletion = "DELETE FROM \(source) WHERE \(match)"
    }
}
