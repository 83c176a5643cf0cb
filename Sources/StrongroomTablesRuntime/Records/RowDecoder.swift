internal import StrongroomCore
internal import StrongroomEssentials

/// Reads a row of Strongroom by the names of a type's columns, in their declared order.
struct RowDecoder: QueryDecoder {
    private let row: Row
    private let layout: TableLayout
    /// Where each column stands in the row; nil where the row does not have it.
    private let positions: [Int?]
    private var next = 0

    init(_ row: Row, _ layout: TableLayout) {
        self.row = row
        self.layout = layout
        let names = row.columnNames.map { $0.lowercased() }
        let found = Dictionary(zip(names, 0...)) { first, _ in first }
        positions = layout.columns.map { found[$0.name.lowercased()] }
    }

    private func value(at index: Int) -> DatabaseValue? {
        positions[index].map { row[$0] }
    }

    private mutating func advance() throws -> DatabaseValue.Storage {
        next += 1
        guard let value = value(at: next - 1) else {
            throw error(.value("the row has no column \"\(layout.columns[next - 1].name)\""))
        }
        return value.storage
    }

    mutating func int64() throws -> Int64? {
        switch try advance() {
        case .int64(let value): value
        case .null: nil
        case let other: throw error(.storageClass(other.word))
        }
    }

    mutating func double() throws -> Double? {
        switch try advance() {
        case .double(let value): value
        case .int64(let value): Double(value)
        case .null: nil
        case let other: throw error(.storageClass(other.word))
        }
    }

    mutating func text() throws -> String? {
        switch try advance() {
        case .string(let value): value
        case .null: nil
        case let other: throw error(.storageClass(other.word))
        }
    }

    mutating func data() throws -> Data? {
        switch try advance() {
        case .blob(let value): value
        case .null: nil
        case let other: throw error(.storageClass(other.word))
        }
    }

    mutating func cell() throws -> DatabaseValue? {
        let storage = try advance()
        return storage == .null ? nil : DatabaseValue(storage: storage)
    }

    mutating func skip(_ count: Int) { next += count }

    func isNull(ahead count: Int) -> Bool { value(at: next + count)?.isNull ?? false }

    func error(_ reason: QueryDecodingError.Reason) -> QueryDecodingError {
        let index = max(next - 1, 0)
        var error = QueryDecodingError(column: positions[index] ?? index, reason: reason)
        error.name = layout.columns[index].name
        error.property = layout.typeName + "." + layout.columns[index].property
        return error
    }
}

extension DatabaseValue.Storage {
    fileprivate var word: String {
        switch self {
        case .null: "NULL"
        case .int64: "an INTEGER"
        case .double: "a REAL"
        case .string: "a TEXT"
        case .blob: "a BLOB"
        }
    }
}
