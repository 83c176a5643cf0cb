/// Rows as SQL literals, which SQL can read back: `1,'Arthur',NULL,X'00FF'`.
public struct QuoteDumpFormat: DumpFormat, Sendable {
    /// Whether column names are printed above the rows, if there are rows.
    public var header: Bool {
        get { lines.hasHeader }
        set { lines.hasHeader = newValue }
    }

    /// What stands between two cells.
    public var separator: String {
        get { lines.separator }
        set { lines.separator = newValue }
    }

    private var lines: DelimitedLines

    /// Makes a format.
    ///
    /// - Parameters:
    ///   - header: Whether column names are printed above the rows, if there are rows.
    ///   - separator: The text between two columns.
    public init(header: Bool = false, separator: String = ",") {
        lines = DelimitedLines(hasHeader: header, separator: separator)
    }

    public mutating func writeRow(
        _ db: Database, statement: Statement, to stream: inout DumpStream
    ) {
        let cells = statement.dumpedValues.map { value in
            (try? db.literal(value)) ?? value.dumpedText ?? "NULL"
        }
        lines.write(cells, header: statement.columnNames.map(\.sqlLiteral), to: &stream)
    }

    public mutating func finalize(
        _ db: Database, statement: Statement, to stream: inout DumpStream
    ) {
        lines.finish()
    }
}

extension DumpFormat where Self == QuoteDumpFormat {
    /// Rows as SQL literals, which SQL can read back: `1,'Arthur',NULL,X'00FF'`.
    ///
    ///     try dbQueue.dumpRequest(Player.all(), format: .quote())
    ///
    /// - Parameters:
    ///   - header: Whether column names are printed above the rows, if there are rows.
    ///   - separator: The text between two columns.
    public static func quote(header: Bool = false, separator: String = ",") -> Self {
        QuoteDumpFormat(header: header, separator: separator)
    }
}
