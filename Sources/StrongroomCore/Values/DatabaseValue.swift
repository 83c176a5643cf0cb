public import StrongroomEssentials

/// What one cell holds: NULL, an integer, a real, a text or a blob.
///
/// <https://www.sqlite.org/datatype3.html>
public struct DatabaseValue: Sendable {
    /// The content, by SQLite's storage classes.
    public let storage: Storage

    /// SQLite's five storage classes with their content.
    public enum Storage: Sendable, Hashable {
        /// No value.
        case null
        /// A signed 64-bit integer.
        case int64(Int64)
        /// An IEEE 754 double.
        case double(Double)
        /// A text.
        case string(String)
        /// Bytes.
        case blob(Data)

        /// The content as `Int64`, `Double`, `String` or `Data`; nil for NULL.
        public var value: (any DatabaseValueConvertible)? {
            switch self {
            case .null: nil
            case .int64(let int64): int64
            case .double(let double): double
            case .string(let string): string
            case .blob(let data): data
            }
        }
    }

    /// The NULL value.
    public static let null = DatabaseValue(storage: .null)

    @inlinable
    package init(storage: Storage) {
        self.storage = storage
    }

    /// Converts any value; nil when its type is no database value, `.null` for an absent optional.
    ///
    ///     let value = DatabaseValue(value: 12)
    public init?(value: Any) {
        switch value {
        case let convertible as any DatabaseValueConvertible: self = convertible.databaseValue
        case Optional<Any>.none: self = .null
        default: return nil
        }
    }

    /// Reads a column, counted from 0, of the row at which a statement stands.
    public init(sqliteStatement: SQLiteStatement, index: CInt) {
        self.init(BorrowedStatement(sqliteStatement).value(index))
    }

    /// Whether this is NULL.
    public var isNull: Bool {
        if case .null = storage { true } else { false }
    }
}

extension DatabaseValue: Hashable {
    /// Equality by value: 1 and 1.0 are equal when neither loses anything in the comparison.
    public static func == (lhs: DatabaseValue, rhs: DatabaseValue) -> Bool {
        // Keys mostly are integers, and the pair below is a copy of both values.
        if case .int64(let lhs) = lhs.storage, case .int64(let rhs) = rhs.storage {
            return lhs == rhs
        }
        return switch (lhs.storage, rhs.storage) {
        case (.null, .null): true
        case (.int64(let lhs), .int64(let rhs)): lhs == rhs
        case (.double(let lhs), .double(let rhs)): lhs == rhs
        case (.int64(let int64), .double(let double)), (.double(let double), .int64(let int64)):
            Int64(exactly: double) == int64
        case (.string(let lhs), .string(let rhs)): lhs == rhs
        case (.blob(let lhs), .blob(let rhs)): lhs == rhs
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch storage {
        case .null: hasher.combine(0)
        case .int64(let int64): hasher.combine(int64)
        case .double(let double):
            // A double that is a whole number equals that integer, so it must hash as one.
            if let int64 = Int64(exactly: double) {
                hasher.combine(int64)
            } else {
                hasher.combine(double)
            }
        case .string(let string): hasher.combine(string)
        case .blob(let data): hasher.combine(data)
        }
    }
}

extension DatabaseValue: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { self }

    public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> DatabaseValue? { dbValue }

    public func bind(to sqliteStatement: SQLiteStatement, at index: CInt) -> CInt {
        switch storage {
        case .null: BorrowedStatement(sqliteStatement).bindNull(index)
        case .int64(let int64): BorrowedStatement(sqliteStatement).bindInt64(index, int64)
        case .double(let double): BorrowedStatement(sqliteStatement).bindDouble(index, double)
        case .string(let string): BorrowedStatement(sqliteStatement).bindString(index, string)
        case .blob(let data):
            data.withUnsafeBytes { BorrowedStatement(sqliteStatement).bindBlob(index, $0) }
        }
    }
}

extension DatabaseValue: CustomStringConvertible {
    /// `NULL`, `1`, `1.5`, `"text"` or `Data(2 bytes)`.
    public var description: String {
        switch storage {
        case .null: "NULL"
        case .int64(let int64): String(int64)
        case .double(let double): String(double)
        // Swift escapes apostrophes too, for which there is no need between double quotes.
        case .string(let string): String(reflecting: string).replacing("\\'", with: "'")
        case .blob(let data): "Data(\(data.count) bytes)"
        }
    }
}
