import StrongroomCore

/// Rows as an aligned table, for people.
struct TableResultWriter: ResultWriter {
    /// Longer cells are cut, and end in `…`; JSON and CSV give them whole.
    private static let cellColumns = 120
    private static let blobByteCount = 16

    private let output: TextOutput
    private let columns: () -> Int?
    private var table: TextTable?
    private var isFirst = true

    /// - Parameter columns: The width of the terminal as it is now, if it is written to one.
    init(output: TextOutput, columns: @escaping () -> Int?) {
        self.output = output
        self.columns = columns
    }

    mutating func begin(_ statement: Statement) throws(Failure) {
        if !isFirst { try output.writeLine() }
        isFirst = false
        table = TextTable(header: statement.columnNames, output: output, columns: columns())
    }

    mutating func append(_ row: Row) throws(Failure) {
        try table?.append(row.databaseValues.map(Self.cell(of:)))
    }

    mutating func end() throws(Failure) {
        try table?.finish()
        let count = table?.rowCount ?? 0
        try output.writeLine(count == 1 ? "(1 row)" : "(\(count) rows)")
        table = nil
    }

    mutating func finish(changeCount: Int?) throws(Failure) {
        guard let changeCount else { return }
        try output.writeLine(changeCount == 1 ? "1 row changed" : "\(changeCount) rows changed")
    }

    static func cell(of value: DatabaseValue) -> TextTable.Cell {
        switch value.storage {
        case .null: TextTable.Cell("NULL")
        case .int64(let integer): TextTable.Cell(String(integer), isNumber: true)
        case .double(let real): TextTable.Cell(real.description, isNumber: true)
        case .string(let text): TextTable.Cell(self.text(text))
        case .blob(let data): TextTable.Cell(blob(Array(data)))
        }
    }

    /// Text that reads like NULL or a blob is put in quotes, so that nothing reads like what it is not.
    private static func text(_ text: String) -> String {
        let visible = VisibleText.text(of: VisibleText.shortened(text, columns: cellColumns))
        let isMistakable = visible == "NULL" || visible.hasPrefix("X'") || visible.hasPrefix("'")
        return isMistakable ? "'\(visible)'" : visible
    }

    private static func blob(_ bytes: [UInt8]) -> String {
        let shown = "X'" + Hexadecimal.text(bytes.prefix(blobByteCount)).uppercased()
        return bytes.count <= blobByteCount
            ? shown + "'" : shown + "…' (\(ByteCount.text(Int64(bytes.count))))"
    }
}
