/// What records could not do, beyond what the database says.
public enum RecordError: Error, Sendable {
    /// No row has the key of a record.
    case recordNotFound(databaseTableName: String, key: [String: DatabaseValue])
}

extension RecordError: CustomStringConvertible {
    /// `Key not found in table player: [id:1]`, with several columns by name.
    public var description: String {
        switch self {
        case .recordNotFound(let tableName, let key):
            let columns = key.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }
            return "Key not found in table \(tableName): [\(columns.joined(separator: " "))]"
        }
    }
}

/// The name that `RecordError` once had.
@available(*, deprecated, renamed: "RecordError")
public typealias PersistenceError = RecordError
