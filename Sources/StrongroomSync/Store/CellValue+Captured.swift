internal import StrongroomCore

extension CellValue {
    init(_ value: CapturedValue) {
        self =
            switch value {
            case .null: .null
            case .integer(let integer): .integer(integer)
            case .real(let real): CellValue(real)
            case .text(let bytes): .text(bytes)
            case .blob(let bytes): .blob(bytes)
            }
    }

    /// The value as statements bind it: text is bytes.
    var captured: CapturedValue {
        switch self {
        case .null: .null
        case .integer(let integer): .integer(integer)
        case .real(let bits): .real(Double(bitPattern: bits))
        case .text(let bytes): .text(bytes)
        case .blob(let bytes): .blob(bytes)
        }
    }
}

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
