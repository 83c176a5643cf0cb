import CSQLCipher
import Strongroom

/// A copy of a cell, as one would write it for the C API.
enum Cell {
    case null
    case int64(Int64)
    case double(Double)
    case text(String)

    init(_ statement: CStatement, _ column: Int32) {
        switch statement.type(column) {
        case SQLITE_INTEGER: self = .int64(statement.int64(column))
        case SQLITE_FLOAT: self = .double(statement.double(column))
        case SQLITE_TEXT: self = .text(statement.text(column))
        default: self = .null
        }
    }

    init(_ value: DatabaseValue) {
        switch value.storage {
        case .null, .blob: self = .null
        case .int64(let integer): self = .int64(integer)
        case .double(let double): self = .double(double)
        case .string(let text): self = .text(text)
        }
    }

    func add(to digest: inout Digest) {
        switch self {
        case .null: digest.addNull()
        case .int64(let integer): digest.add(integer)
        case .double(let double): digest.add(double)
        case .text(let text): digest.add(text)
        }
    }
}
