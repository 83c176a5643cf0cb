import StrongroomCore

/// CSV with a header line; an empty line stands between the rows of two statements.
struct CSVResultWriter: ResultWriter {
    private let output: TextOutput
    private var statement: Statement?
    private var columnCount: CInt = 0
    private var isFirst = true

    init(output: TextOutput) {
        self.output = output
    }

    mutating func begin(_ statement: Statement) throws(Failure) {
        if !isFirst { try output.write("\r\n") }
        isFirst = false
        self.statement = statement
        columnCount = CInt(statement.columnCount)
        try output.write(CSVRow.text(of: statement.columnNames))
    }

    mutating func append(_ row: Row) throws(Failure) {
        guard let cells = statement?.borrowed else { return }
        try output.append { bytes in
            for index in 0..<columnCount {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                bytes.appendCSV(cells.value(index))
            }
            bytes.append(UInt8(ascii: "\r"))
            bytes.append(UInt8(ascii: "\n"))
        }
    }

    mutating func end() throws(Failure) {
        statement = nil
    }

    mutating func finish(changeCount: Int?) throws(Failure) {}
}

extension [UInt8] {
    /// A cell: NULL is nothing, an empty text is `""`, a blob is base64.
    fileprivate mutating func appendCSV(_ value: LiveValue) {
        switch value.storage {
        case .null: break
        case .integer: appendDecimal(value.int64)
        case .real: append(contentsOf: value.double.description.utf8)
        case .text: appendCSV(text: value.textBytes)
        case .blob: append(contentsOf: CSVRow.field(Base64.text(of: value.blobBytes)).utf8)
        }
    }

    private mutating func appendCSV(text: UnsafeBufferPointer<UInt8>) {
        if !text.isEmpty, text.allSatisfy(Self.isPlain) {
            append(contentsOf: text)
        } else {
            append(contentsOf: CSVRow.field(String(decoding: text, as: UTF8.self)).utf8)
        }
    }

    /// ASCII that needs no quotes.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte < 0x80 && byte != UInt8(ascii: ",") && byte != UInt8(ascii: "\"")
            && byte != UInt8(ascii: "\r") && byte != UInt8(ascii: "\n")
    }
}
