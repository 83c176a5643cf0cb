public import StrongroomTablesRuntime
public import Testing

/// Fails the test where the SQL of a statement, or the rows that it gives, are not these.
///
/// ```swift
/// try assertQuery(
///     Item.where(\.isDone).select { ($0.id, $0.title) },
///     sql: #"SELECT "items"."id", "items"."title" FROM "items" WHERE "items"."isDone""#,
///     rows: """
///         id  title
///          2  Rice
///         """)
/// ```
///
/// SQL and rows are those of ``StrongroomTablesRuntime/Database/renderTable(_:)``, which runs the
/// statement. The first line of the rows has the names of the columns as SQLite gives them. Two spaces
/// stand between columns, of which each is as wide as its longest value. Texts stand at the left,
/// without quotes and with `\n` for a line end, numbers at the right. NULL is `NULL`, bytes are
/// `X'00FF'`, and a Bool, an enum or a date is what is stored. Spaces at the ends of lines, and empty
/// lines at the beginning and the end, do not count. A line that is missing is shown behind `-`, one
/// that was not expected behind `+`.
///
/// - Parameters:
///   - statement: The statement, which is run in a transaction.
///   - sql: The canonical SQL, if it is to be compared.
///   - rows: The rows as a text table, if they are to be compared.
///   - database: Where it runs: the default database, unless another one is given.
///   - sourceLocation: The place of the failure.
///
/// - Throws: A `DatabaseError`, and what is wrong with a query that cannot be built.
public func assertQuery(
    _ statement: some StrongroomTablesRuntime.Statement, sql: String? = nil, rows: String? = nil,
    in database: (any DatabaseWriter)? = nil, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let shown = statement.debugSQL
    let rendered = try (database ?? DefaultDatabase.current).write {
        try $0.renderTable(statement)
    }
    let table = String(rendered.dropFirst(shown.count))
    if let sql, let difference = TextDifference(shown, from: sql) {
        Issue.record("the SQL differs:\n\(difference)", sourceLocation: sourceLocation)
    }
    if let rows, let difference = TextDifference(table, from: rows) {
        Issue.record("the rows differ:\n\(difference)", sourceLocation: sourceLocation)
    }
}

/// The lines of a text that are not as expected, among those that are.
private struct TextDifference: CustomStringConvertible {
    let description: String

    /// Nothing where there is no difference.
    init?(_ found: String, from expected: String) {
        let (found, expected) = (Self.lines(found), Self.lines(expected))
        if found == expected { return nil }
        var missing: Set<Int> = []
        var added: Set<Int> = []
        for change in found.difference(from: expected) {
            switch change {
            case .remove(let offset, _, _): missing.insert(offset)
            case .insert(let offset, _, _): added.insert(offset)
            }
        }
        var lines: [String] = []
        var (old, new) = (0, 0)
        while old < expected.count || new < found.count {
            if missing.contains(old) {
                lines.append("- " + expected[old])
                old += 1
            } else if added.contains(new) {
                lines.append("+ " + found[new])
                new += 1
            } else {
                lines.append("  " + found[new])
                (old, new) = (old + 1, new + 1)
            }
        }
        description = lines.joined(separator: "\n")
    }

    private static func lines(_ text: String) -> [String] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            String(line.reversed().drop { $0 == " " }.reversed())
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        while lines.first?.isEmpty == true { lines.removeFirst() }
        return lines
    }
}
