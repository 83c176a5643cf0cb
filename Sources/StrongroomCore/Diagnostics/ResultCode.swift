/// A result code of SQLite, primary or extended.
///
/// A primary code as a pattern matches all of its extended codes; an extended code matches itself:
///
///     do {
///         try db.execute(sql: "INSERT INTO player …")
///     } catch ResultCode.SQLITE_CONSTRAINT {
///         // every kind of constraint
///     }
///
/// <https://www.sqlite.org/rescode.html>
public struct ResultCode: RawRepresentable, Equatable, Hashable, Sendable, SQLiteResultCodes {
    /// SQLite's number for the code, with its extension.
    public let rawValue: CInt

    /// Wraps a number from SQLite.
    public init(rawValue: CInt) {
        self.rawValue = rawValue
    }

    /// The code without its extension: `SQLITE_CONSTRAINT` for `SQLITE_CONSTRAINT_UNIQUE`.
    public var primaryResultCode: ResultCode {
        ResultCode(rawValue: rawValue & 0xFF)
    }

    /// Whether the code is a primary code, which as a pattern stands for all that extend it.
    var isPrimary: Bool { self == primaryResultCode }

    static func extended(_ primary: ResultCode, _ number: CInt) -> ResultCode {
        ResultCode(rawValue: primary.rawValue | (number << 8))
    }

    /// Matches the same code, and for a primary pattern each of its extended codes.
    public static func ~= (pattern: ResultCode, code: ResultCode) -> Bool {
        pattern.isPrimary ? pattern == code.primaryResultCode : pattern == code
    }

    /// Matches a `DatabaseError` that carries the code, in `catch` clauses and `switch` cases.
    public static func ~= (pattern: ResultCode, error: any Error) -> Bool {
        guard let error = error as? DatabaseError else { return false }
        return pattern ~= error.extendedResultCode
    }
}

extension ResultCode: CustomStringConvertible {
    /// The number and SQLite's text for it: `19 (constraint failed)`.
    public var description: String {
        "\(rawValue) (\(text))"
    }

    /// SQLite's own English text for the code, as `sqlite3_errstr` gives it.
    package var text: String {
        switch self {
        case .SQLITE_ABORT_ROLLBACK: "abort due to ROLLBACK"
        default: Self.primaryTexts[primaryResultCode.rawValue] ?? "unknown error"
        }
    }

    private static let primaryTexts: [CInt: String] = [
        0: "not an error",
        1: "SQL logic error",
        3: "access permission denied",
        4: "query aborted",
        5: "database is locked",
        6: "database table is locked",
        7: "out of memory",
        8: "attempt to write a readonly database",
        9: "interrupted",
        10: "disk I/O error",
        11: "database disk image is malformed",
        12: "unknown operation",
        13: "database or disk is full",
        14: "unable to open database file",
        15: "locking protocol",
        17: "database schema has changed",
        18: "string or blob too big",
        19: "constraint failed",
        20: "datatype mismatch",
        21: "bad parameter or other API misuse",
        23: "authorization denied",
        25: "column index out of range",
        26: "file is not a database",
        27: "notification message",
        28: "warning message",
        100: "another row available",
        101: "no more rows available",
    ]
}
