/// The values of a statement's parameters, by position and by name.
///
///     try db.execute(sql: "INSERT INTO player VALUES (?, ?)", arguments: ["Arthur", 1000])
///     try db.execute(sql: "… WHERE id = :id", arguments: ["id": 12])
public struct StatementArguments: Hashable, Sendable {
    @usableFromInline package var values: [DatabaseValue] = []
    package var namedValues: [String: DatabaseValue] = [:]

    /// No arguments.
    ///
    ///     let values = ["Arthur", "Barbara"]
    ///     let arguments = StatementArguments(values)
    public init() {}

    /// Arguments by position, which are database values already.
    package init(unchecked values: [DatabaseValue]) {
        self.values = values
    }

    /// Arguments by position.
    public init(_ values: some Sequence<(any DatabaseValueConvertible)?>) {
        self.values = values.map { $0?.databaseValue ?? .null }
    }

    /// Arguments by position.
    public init<Value: DatabaseValueConvertible>(_ values: some Sequence<Value>) {
        self.values = values.map(\.databaseValue)
    }

    /// Arguments by name; the names carry no prefix.
    public init(_ dictionary: [String: (any DatabaseValueConvertible)?]) {
        namedValues = dictionary.mapValues { $0?.databaseValue ?? .null }
    }

    /// Arguments by name; of a name given twice, the last value counts.
    public init(_ namedValues: some Sequence<(String, (any DatabaseValueConvertible)?)>) {
        self.namedValues = Dictionary(
            namedValues.map { ($0.0, $0.1?.databaseValue ?? .null) },
            uniquingKeysWith: { _, last in last })
    }

    /// Arguments by position, of values of any types; nil when one is no database value.
    public init?(_ array: [Any]) {
        var values: [DatabaseValue] = []
        for element in array {
            guard let value = DatabaseValue(value: element) else { return nil }
            values.append(value)
        }
        self.values = values
    }

    /// Arguments by name; nil when a name is no text, or a value is no database value.
    public init?(_ dictionary: [AnyHashable: Any]) {
        for (key, element) in dictionary {
            guard let name = key as? String, let value = DatabaseValue(value: element) else {
                return nil
            }
            namedValues[name] = value
        }
    }

    /// Whether there are none.
    public var isEmpty: Bool { values.isEmpty && namedValues.isEmpty }

    /// Adds the arguments of another; its named values replace those of the same name.
    ///
    ///     var arguments: StatementArguments = ["Arthur"]
    ///     _ = arguments.append(contentsOf: [1000])
    ///
    /// - Returns: The named values that were replaced.
    @discardableResult
    public mutating func append(contentsOf arguments: StatementArguments) -> [String: DatabaseValue]
    {
        var replaced: [String: DatabaseValue] = [:]
        values.append(contentsOf: arguments.values)
        for (name, value) in arguments.namedValues {
            replaced[name] = namedValues.updateValue(value, forKey: name)
        }
        return replaced
    }
}

extension StatementArguments {
    /// The arguments of both, the positional ones of the left side first.
    ///
    /// Traps when both define a name; see `&+`.
    public static func + (lhs: StatementArguments, rhs: StatementArguments) -> StatementArguments {
        var arguments = lhs
        arguments += rhs
        return arguments
    }

    /// Adds arguments.
    ///
    /// Traps when a name is defined already; see `append(contentsOf:)`.
    public static func += (lhs: inout StatementArguments, rhs: StatementArguments) {
        let replaced = lhs.append(contentsOf: rhs)
        guard replaced.isEmpty else {
            let names = replaced.keys.sorted().joined(separator: ", ")
            fatalError("already defined statement argument: \(names)")
        }
    }

    /// The arguments of both; of a name that both define, the value of the right side.
    public static func &+ (lhs: StatementArguments, rhs: StatementArguments) -> StatementArguments {
        var arguments = lhs
        arguments.append(contentsOf: rhs)
        return arguments
    }
}

extension StatementArguments: ExpressibleByArrayLiteral {
    @inlinable
    public init(arrayLiteral elements: (any DatabaseValueConvertible)?...) {
        // Not `map`, which copies each element, whatever its type, once more.
        values.reserveCapacity(elements.count)
        for index in elements.indices {
            values.append(elements[index]?.databaseValue ?? .null)
        }
    }
}

extension StatementArguments: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, (any DatabaseValueConvertible)?)...) {
        self.init(elements)
    }
}

extension StatementArguments: CustomStringConvertible {
    /// `["Arthur", 1000]`, `["name": "Arthur"]`, or both joined by a comma.
    public var description: String {
        let named = namedValues.sorted { $0.key < $1.key }
            .map { "\(String(reflecting: $0.key)): \($0.value)" }
        return "[" + (values.map(\.description) + named).joined(separator: ", ") + "]"
    }
}

extension StatementArguments: BoundArguments {}

extension DatabaseError {
    /// Describes a failure of the caller's own, as from a custom function or a validation.
    ///
    ///     throw DatabaseError(resultCode: .SQLITE_ABORT, message: "the import was cancelled")
    ///
    /// - Parameters:
    ///   - resultCode: SQLite's result code.
    ///   - message: SQLite's own text for the code if it is nil.
    ///   - sql: The SQL that failed.
    ///   - arguments: The arguments of the statement that failed.
    ///   - publicStatementArguments: Whether descriptions of the error show the arguments.
    public init(
        resultCode: ResultCode = .SQLITE_ERROR,
        message: String? = nil,
        sql: String? = nil,
        arguments: StatementArguments? = nil,
        publicStatementArguments: Bool = false
    ) {
        self.init(
            code: resultCode, message: message, sql: sql, boundArguments: arguments,
            showsArguments: publicStatementArguments)
    }

    /// The values bound to the statement that failed, shown in `description` only if public.
    public var arguments: StatementArguments? {
        boundArguments as? StatementArguments
    }
}
