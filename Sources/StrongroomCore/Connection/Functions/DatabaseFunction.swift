/// An SQL function, or aggregate function, written in Swift.
///
///     let double = DatabaseFunction("double", argumentCount: 1, pure: true) { dbValues in
///         Int64.fromDatabaseValue(dbValues[0]).map { $0 * 2 }
///     }
///     config.prepareDatabase { db in db.add(function: double) }
///     // SELECT double(score) FROM player
///
/// If it throws an error, the statement fails: with the code and the message of a `DatabaseError`,
/// or with code 1 and the description of any other error. <https://www.sqlite.org/appfunc.html>
public final class DatabaseFunction: Identifiable, Sendable {
    /// The identity of a function in a connection: its name, ignoring case, and its argument count.
    public struct ID: Hashable, Sendable {
        let name: String
        let argumentCount: Int?
    }

    /// The name and the number of arguments.
    public var id: ID { ID(name: name.asciiLowercased, argumentCount: argumentCount) }

    /// The name in SQL.
    public let name: String

    /// The number of arguments, nil for any number.
    let argumentCount: Int?
    private let isPure: Bool
    private let isDirectOnly: Bool
    private let body: Body

    package enum Body: Sendable {
        case scalar(CustomFunction.Body)
        case aggregate(@Sendable () -> any CustomAggregate.Group)
        case window(@Sendable () -> any CustomAggregate.Frame)
    }

    /// Creates a function from a closure that gets the arguments as values.
    ///
    /// - Parameters:
    ///   - name: The name of the function in SQL.
    ///   - argumentCount: The number of arguments; any if nil. A call with another number fails in
    ///     SQL.
    ///   - pure: Whether equal arguments always give equal results, which lets indexes, checks and
    ///     generated columns use the function. <https://www.sqlite.org/deterministic.html>
    ///   - function: Returns the result; nil is NULL.
    /// - Precondition: The name fits in 255 bytes without NUL, and SQLite accepts this number of
    ///   arguments.
    public convenience init(
        _ name: String, argumentCount: Int? = nil, pure: Bool = false,
        function:
            @escaping @Sendable ([DatabaseValue]) throws -> (any DatabaseValueConvertible)?
    ) {
        self.init(name, argumentCount: argumentCount, pure: pure) { arguments, result in
            result.set { try function(arguments.databaseValues) }
        }
    }

    /// Creates a function from a closure that reads its arguments in SQLite's own memory.
    ///
    /// This avoids copying long texts and blobs. GRDB does not have it. It is not an initializer,
    /// so that a trailing closure of `init` means the same as in GRDB.
    ///
    /// - Parameters:
    ///   - name: The name of the function in SQL.
    ///   - argumentCount: The number of arguments; any if nil.
    ///   - pure: Whether equal arguments always give equal results.
    ///   - function: Returns the result; nil is NULL.
    public static func reading(
        _ name: String, argumentCount: Int? = nil, pure: Bool = false,
        _ function:
            @escaping @Sendable (borrowing Arguments) throws -> (any DatabaseValueConvertible)?
    ) -> DatabaseFunction {
        DatabaseFunction(name, argumentCount: argumentCount, pure: pure) { arguments, result in
            result.set { try function(Arguments(arguments)) }
        }
    }

    /// Creates an aggregate function, like `COUNT` and `SUM`.
    ///
    /// It cannot be used as a window function.
    ///
    /// - Parameters:
    ///   - name: The name of the function in SQL.
    ///   - argumentCount: The number of arguments; any if nil.
    ///   - pure: Whether equal arguments always give equal results.
    ///   - aggregate: A type; each group of rows gets an instance of it.
    public init<Aggregate: DatabaseAggregate>(
        _ name: String, argumentCount: Int? = nil, pure: Bool = false, aggregate: Aggregate.Type
    ) {
        self.name = Self.checked(name)
        self.argumentCount = argumentCount
        isPure = pure
        isDirectOnly = false
        body = .aggregate { AggregateGroup(Aggregate()) }
    }

    private convenience init(
        _ name: String, argumentCount: Int?, pure: Bool, body: @escaping CustomFunction.Body
    ) {
        self.init(
            implementedBy: .scalar(body),
            Traits(name: name, argumentCount: argumentCount, isPure: pure, isDirectOnly: false))
    }

    /// What SQLite is told of a function.
    package struct Traits: Sendable {
        let name: String
        let argumentCount: Int?
        let isPure: Bool
        let isDirectOnly: Bool

        /// - Parameter isDirectOnly: Whether no trigger, view or schema may call the function.
        package init(name: String, argumentCount: Int?, isPure: Bool, isDirectOnly: Bool) {
            self.name = name
            self.argumentCount = argumentCount
            self.isPure = isPure
            self.isDirectOnly = isDirectOnly
        }
    }

    /// Makes a function of what the typed layer calls.
    package init(implementedBy body: Body, _ traits: Traits) {
        name = Self.checked(traits.name)
        argumentCount = traits.argumentCount
        isPure = traits.isPure
        isDirectOnly = traits.isDirectOnly
        self.body = body
    }

    // SQLite would take the name up to the NUL, and redefine another function.
    private static func checked(_ name: String) -> String {
        precondition(!name.utf8.contains(0), "the name of a function must not contain NUL")
        return name
    }

    private func signature(isHarmless: Bool) -> CustomFunction.Signature {
        CustomFunction.Signature(
            name: name, argumentCount: argumentCount.map { CInt(clamping: $0) } ?? -1,
            isPure: isPure, isHarmless: isHarmless, isDirectOnly: isDirectOnly)
    }

    /// - Parameter isHarmless: Whether a schema that is not trusted may call the function.
    func add(
        to connection: BorrowedConnection, isHarmless: Bool = false
    ) throws(DatabaseError) {
        let signature = signature(isHarmless: isHarmless)
        switch body {
        case .scalar(let body): try CustomFunction.add(connection, signature, body)
        case .aggregate(let makeGroup):
            try CustomAggregate.add(connection, signature, makeGroup)
        case .window(let makeFrame):
            try CustomAggregate.addWindow(connection, signature, makeFrame)
        }
    }

    func remove(from connection: BorrowedConnection) throws(DatabaseError) {
        try CustomFunction.remove(connection, signature(isHarmless: false))
    }
}
