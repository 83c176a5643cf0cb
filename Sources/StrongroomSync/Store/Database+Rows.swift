internal import StrongroomCore

extension Database {
    /// Calls a closure with the values of each row that a query gives.
    func forEachRow(
        _ sql: String, _ arguments: [CapturedValue], columnCount: Int,
        _ body: ([CellValue]) throws -> Void
    ) throws {
        try cachedStatement(sql: sql).forEachRow(arguments) { row in
            try body((0..<columnCount).map { CellValue(CapturedValue(row, $0)) })
        }
    }

    /// Runs a statement that is kept for the next time.
    func run(_ sql: String, _ arguments: [CapturedValue]) throws {
        try cachedStatement(sql: sql).forEachRow(arguments)
    }
}
