internal import StrongroomEssentials

/// Rows for the eyes of a developer: `1|Arthur|1.5`.
///
/// Blobs that are valid UTF-8 are printed as text, others of 16 bytes as UUIDs, and others as `X'00FF'`. Nothing is escaped, and the
/// format may change: do not parse it.
public struct DebugDumpFormat: DumpFormat, Sendable {
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
        let cells = statement.dumpedValues.map(text)
        lines.write(cells, header: statement.columnNames, to: &stream)
    }

    public mutating func finalize(
        _ db: Database, statement: Statement, to stream: inout DumpStream
    ) {
        lines.finish()
    }

    private func text(_ dbValue: DatabaseValue) -> String {
        guard case .blob(let data) = dbValue.storage else { return dbValue.dumpedText ?? nullValue }
        return String(data: data, encoding: .utf8)
            ?? UUID.fromDatabaseValue(dbValue)?.uuidString ?? data.sqlLiteral
    }
}

extension DumpFormat where Self == DebugDumpFormat {
    /// Rows for the eyes of a developer: `1|Arthur|1.5`.
    ///
    ///     try dbQueue.dumpRequest(Player.all(), format: .debug(header: true))
    ///
    /// - Parameters:
    ///   - header: Whether column names are printed above the rows, if there are rows.
    ///   - separator: The text between two columns.
    ///   - nullValue: What is printed for NULL.
    public static func debug(
        header: Bool = false, separator: String = "|", nullValue: String = ""
    ) -> Self {
        DebugDumpFormat(header: header, separator: separator, nullValue: nullValue)
    }
}

extension DatabaseValue {
    /// The value as text, blobs as far as they are UTF-8; nil for NULL.
    var dumpedText: String? {
        switch storage {
        case .null: nil
        case .int64(let int64): String(int64)
        case .double(let double): String(double)
        case .string(let string): string
        case .blob(let data): String(decoding: data, as: UTF8.self)
        }
    }
}
