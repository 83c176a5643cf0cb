internal import Synchronization

/// The table names that types have by their own names.
enum DefaultTableName {
    // Making a name costs more than many a query, and the same few are asked for again and again.
    private static let names = Mutex<[ObjectIdentifier: String]>([:])

    static func of<T>(_ type: T.Type) -> String {
        let key = ObjectIdentifier(T.self)
        if let name = names.withLock({ $0[key] }) { return name }
        let name = tableName(typeName: "\(T.self)")
        names.withLock { $0[key] = name }
        return name
    }

    /// The name with its first word in lower case: `Player` is `player`, `HTTPRequest` is
    /// `httpRequest`, `TOEFL` is `toefl`.
    static func tableName(typeName: String) -> String {
        let name = typeName.prefix { $0 != "<" }
        let capitals = name.prefix { $0.isUppercase }
        switch capitals.count {
        case name.count, 0, 1: return capitals.lowercased() + name.dropFirst(capitals.count)
        default:
            // The last capital begins the second word.
            let firstWord = capitals.dropLast()
            return firstWord.lowercased() + name.dropFirst(firstWord.count)
        }
    }
}
