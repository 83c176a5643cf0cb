internal import Foundation

/// Rows as SQL literals, which SQL can read back: `1,'Arthur',NULL,X'00FF'`.
public struct QuoteDumpFormat: DumpFormat, Sendable {
    private var lines: DelimitedLines

    /// Makes a format.
    ///
    /// - Parameter header: Whether column names are printed above the rows, if there are rows.
    public init(header: Bool = false, separator: String = ",") {
        lines = DelimitedLines(hasHeader: header, separator: separator)
    }

    public mutating func writeRow(
        _ db: Database, statement: Statement, to stream: inout DumpStream
    ) throws {
        let cells = try statement.dumpedValues.map { try Self.literal($0, db) }
        lines.write(cells, header: statement.columnNames.map(Self.literal), to: &stream)
    }

    public mutating func finalize(
        _ db: Database, statement: Statement, to stream: inout DumpStream
    ) {
        lines.finish()
    }

    private static func literal(_ dbValue: DatabaseValue, _ db: Database) throws -> String {
        switch dbValue.storage {
        case .null: return "NULL"
        case .int64(let int64): return String(int64)
        case .string(let string): return literal(string)
        case .blob(let data): return data.sqlLiteral
        case .double:
            // SQLite knows how to write a number so that it reads the same one.
            return try String.fetchOne(db, sql: "SELECT quote(?)", arguments: [dbValue]) ?? "NULL"
        }
    }

    private static func literal(_ string: String) -> String {
        // SQL ends at a NUL: such a text can only be written as its bytes.
        guard !string.utf8.contains(0) else {
            return "CAST(\(Data(string.utf8).sqlLiteral) AS TEXT)"
        }
        return "'" + string.replacing("'", with: "''") + "'"
    }
}

extension DumpFormat where Self == QuoteDumpFormat {
    /// Rows as SQL literals, which SQL can read back: `1,'Arthur',NULL,X'00FF'`.
    ///
    /// - Parameter header: Whether column names are printed above the rows, if there are rows.
    public static func quote(header: Bool = false, separator: String = ",") -> Self {
        QuoteDumpFormat(header: header, separator: separator)
    }
}
