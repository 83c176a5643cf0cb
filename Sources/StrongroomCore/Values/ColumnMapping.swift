/// An adapter that renames columns and hides the others.
///
///     // [name:"Arthur"] out of SELECT 1 AS id, 'Arthur' AS player_name
///     let adapter = ColumnMapping(["name": "player_name"])
///
/// The columns keep their order. Fetching throws `SQLITE_MISUSE` when the statement lacks a column.
public struct ColumnMapping: RowAdapter {
    private let mapping: [String: String]

    /// Maps new names to the statement's own, which are found in any case.
    public init(_ mapping: [String: String]) {
        self.mapping = mapping
    }

    public var _adaptation: RowAdaptation {
        RowAdaptation { [mapping] base throws(DatabaseError) in
            var columns: [(index: Int, name: String)] = []
            for (name, original) in mapping.sorted(by: { $0.key < $1.key }) {
                guard let index = base.index(of: original) else {
                    throw DatabaseError(
                        code: .SQLITE_MISUSE,
                        message: """
                            Mapping references missing column \(original). Valid column names \
                            are: \(base.names.joined(separator: ", ")).
                            """,
                        sql: base.sql)
                }
                columns.append((index, name))
            }
            columns.sort { ($0.index, $0.name) < ($1.index, $1.name) }
            return RowLayout(base, columns: columns.map(\.index), names: columns.map(\.name))
        }
    }
}
