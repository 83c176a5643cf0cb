import Strongroom

/// CSV with a header line; an empty line stands between the rows of two statements.
struct CSVResultWriter: ResultWriter {
    private let output: TextOutput
    private var isFirst = true

    init(output: TextOutput) {
        self.output = output
    }

    mutating func begin(_ statement: Statement) throws(Failure) {
        if !isFirst { try output.write("\r\n") }
        isFirst = false
        try output.write(CSVRow.text(of: statement.columnNames))
    }

    mutating func append(_ row: Row) throws(Failure) {
        try output.write(CSVRow.text(of: row.databaseValues.map(Self.field(of:))))
    }

    mutating func end() throws(Failure) {}

    mutating func finish(changeCount: Int?) throws(Failure) {}

    private static func field(of value: DatabaseValue) -> String? {
        switch value.storage {
        case .null: nil
        case .int64(let integer): String(integer)
        case .double(let real): real.description
        case .string(let text): text
        case .blob(let data): Base64.text(of: data)
        }
    }
}
