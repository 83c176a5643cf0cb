import Strongroom

/// One array of objects for each statement that returns rows, a row on each line.
struct JSONResultWriter: ResultWriter {
    private let output: TextOutput
    private var names: [String] = []
    private var rowCount = 0
    private var resultCount = 0

    init(output: TextOutput) {
        self.output = output
    }

    mutating func begin(_ statement: Statement) throws(Failure) {
        names = Self.distinct(statement.columnNames)
        rowCount = 0
        resultCount += 1
        try output.write("[")
    }

    mutating func append(_ row: Row) throws(Failure) {
        let members = zip(names, row.databaseValues).map { JSONValue.Member($0, JSONValue($1)) }
        try output.write((rowCount == 0 ? "\n" : ",\n") + JSONValue.object(members).text)
        rowCount += 1
    }

    mutating func end() throws(Failure) {
        try output.write(rowCount == 0 ? "]\n" : "\n]\n")
    }

    mutating func finish(changeCount: Int?) throws(Failure) {
        guard resultCount == 0 else { return }
        guard let changeCount else { return try output.writeLine("[]") }
        let member = JSONValue.Member("changeCount", .integer(Int64(changeCount)))
        try output.writeLine(JSONValue.object([member]).text)
    }

    /// An object must not have a name twice: the second `id` becomes `id:1`, as SQLite itself names it.
    static func distinct(_ columns: [String]) -> [String] {
        var taken = Set(columns)
        var seen = Set<String>()
        return columns.map { column in
            if seen.insert(column).inserted { return column }
            var number = 1
            while !taken.insert("\(column):\(number)").inserted { number += 1 }
            return "\(column):\(number)"
        }
    }
}

extension JSONValue {
    /// A cell: a blob becomes base64 text, since JSON has no bytes.
    init(_ value: DatabaseValue) {
        self =
            switch value.storage {
            case .null: .null
            case .int64(let integer): .integer(integer)
            case .double(let real): .real(real)
            case .string(let text): .string(text)
            case .blob(let data): .string(Base64.text(of: data))
            }
    }
}
