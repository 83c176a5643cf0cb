import StrongroomCore

/// One array of objects for each statement that returns rows, a row on each line.
///
/// What was written is JSON however the query ends: an array that an error cuts short is closed.
struct JSONResultWriter: ResultWriter {
    private let output: TextOutput
    /// What stands before each value: `{"id":`, then `,"name":`.
    private var labels: [[UInt8]] = []
    private var statement: Statement?
    private var rowCount = 0
    private var resultCount = 0

    init(output: TextOutput) {
        self.output = output
    }

    mutating func begin(_ statement: Statement) throws(Failure) {
        labels = Self.distinct(statement.columnNames).enumerated().map { index, name in
            Array((index == 0 ? "{" : ",").utf8) + Array(JSONValue.string(name).text.utf8)
                + [UInt8(ascii: ":")]
        }
        self.statement = statement
        rowCount = 0
        resultCount += 1
        try output.write("[")
    }

    mutating func append(_ row: Row) throws(Failure) {
        guard let cells = statement?.borrowed else { return }
        try output.append { bytes in
            if rowCount > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(UInt8(ascii: "\n"))
            for (index, label) in labels.enumerated() {
                bytes.append(contentsOf: label)
                bytes.appendJSON(cells.value(CInt(index)))
            }
            bytes.append(UInt8(ascii: "}"))
        }
        rowCount += 1
    }

    mutating func end() throws(Failure) {
        try output.write(rowCount == 0 ? "]\n" : "\n]\n")
        statement = nil
    }

    mutating func fail() throws(Failure) {
        if statement != nil { return try end() }
        if resultCount == 0 { try output.write("[]\n") }
        resultCount += 1
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

extension [UInt8] {
    /// A cell; a blob becomes base64 text, since JSON has no bytes.
    fileprivate mutating func appendJSON(_ value: LiveValue) {
        switch value.storage {
        case .null: append(contentsOf: "null".utf8)
        case .integer: appendDecimal(value.int64)
        case .real: append(contentsOf: JSONValue.real(value.double).text.utf8)
        case .text: appendJSON(text: value.textBytes)
        case .blob:
            append(UInt8(ascii: "\""))
            append(contentsOf: Base64.text(of: value.blobBytes).utf8)
            append(UInt8(ascii: "\""))
        }
    }

    private mutating func appendJSON(text: UnsafeBufferPointer<UInt8>) {
        guard text.allSatisfy(Self.isPlain) else {
            let string = String(decoding: text, as: UTF8.self)
            return append(contentsOf: JSONValue.string(string).text.utf8)
        }
        append(UInt8(ascii: "\""))
        append(contentsOf: text)
        append(UInt8(ascii: "\""))
    }

    /// ASCII that stands for itself in a JSON string.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
}
