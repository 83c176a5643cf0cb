/// Rows with a line for each column, and a blank line between rows.
///
///        id = 1
///      name = Arthur
///     score = 1.5
public struct LineDumpFormat: DumpFormat, Sendable {
    /// What is printed for NULL.
    public var nullValue: String

    private var isAtFirstRow = true

    /// Makes a format.
    ///
    /// - Parameter nullValue: What is printed for NULL.
    public init(nullValue: String = "") {
        self.nullValue = nullValue
    }

    public mutating func writeRow(
        _ db: Database, statement: Statement, to stream: inout DumpStream
    ) {
        if !isAtFirstRow { stream.margin() }
        isAtFirstRow = false
        let names = statement.columnNames
        let width = names.map(\.count).max() ?? 0
        for (name, value) in zip(names, statement.dumpedValues) {
            let indent = String(repeating: " ", count: width - name.count)
            stream.write("\(indent)\(name) = \(value.dumpedText ?? nullValue)\n")
        }
    }

    public mutating func finalize(
        _ db: Database, statement: Statement, to stream: inout DumpStream
    ) {
        // Between the rows of this statement and those of the next.
        if !isAtFirstRow { stream.margin() }
        isAtFirstRow = true
    }
}

extension DumpFormat where Self == LineDumpFormat {
    /// Rows with a line for each column, and a blank line between rows.
    ///
    ///     try dbQueue.dumpRequest(Player.all(), format: .line())
    ///
    /// - Parameter nullValue: What is printed for NULL.
    public static func line(nullValue: String = "") -> Self {
        LineDumpFormat(nullValue: nullValue)
    }
}
