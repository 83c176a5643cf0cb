/// Rows as SQLite's shell prints them by default: `1|Arthur|1.5`.
///
/// Nothing is escaped; bytes that are no UTF-8 are replaced.
public struct ListDumpFormat: DumpFormat, Sendable {
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

    /// What is printed for NULL.
    public var nullValue: String

    private var lines: DelimitedLines

    /// Makes a format.
    ///
    /// - Parameters:
    ///   - header: Whether column names are printed above the rows, if there are rows.
    ///   - separator: The text between two columns.
    ///   - nullValue: What is printed for NULL.
    public init(header: Bool = false, separator: String = "|", nullValue: String = "") {
        lines = DelimitedLines(hasHeader: header, separator: separator)
        self.nullValue = nullValue
    }

    public mutating func writeRow(
        _ db: Database, statement: Statement, to stream: inout DumpStream
    ) {
        let cells = statement.dumpedValues.map { $0.dumpedText ?? nullValue }
        lines.write(cells, header: statement.columnNames, to: &stream)
    }

    public mutating func finalize(
        _ db: Database, statement: Statement, to stream: inout DumpStream
    ) {
        lines.finish()
    }
}

extension DumpFormat where Self == ListDumpFormat {
    /// Rows as SQLite's shell prints them by default: `1|Arthur|1.5`.
    ///
    ///     try dbQueue.dumpRequest(Player.all(), format: .list())
    ///
    /// - Parameters:
    ///   - header: Whether column names are printed above the rows, if there are rows.
    ///   - separator: The text between two columns.
    ///   - nullValue: What is printed for NULL.
    public static func list(
        header: Bool = false, separator: String = "|", nullValue: String = ""
    ) -> Self {
        ListDumpFormat(header: header, separator: separator, nullValue: nullValue)
    }
}
