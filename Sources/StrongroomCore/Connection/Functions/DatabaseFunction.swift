/// An SQL function, or aggregate function, written in Swift.
///
///     let double = DatabaseFunction("double", argumentCount: 1, pure: true) { dbValues in
///         Int64.fromDatabaseValue(dbValues[0]).map { $0 * 2 }
///     }
///     config.prepareDatabase { db in db.add(function: double) }
///     // SELECT double(score) FROM player
///
/// An error that it throws makes the statement fail: with the code and the message of a
/// `DatabaseError`, and with code 1 and the description of any other error.
/// <https://www.sqlite.org/appfunc.html>
public final class DatabaseFunction: Identifiable, Sendable {
    /// What tells functions of one connection apart: the name, in any case, and the argument count.
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
    private let body: Body

    private enum Body: Sendable {
        case scalar(CustomFunction.Body)
        case aggregate(@Sendable () -> any CustomAggregate.Group)
    }

    /// Makes a function of a closure that is given the arguments as values.
    ///
    /// - Parameters:
    ///   - name: The name of the function in SQL.
    ///   - argumentCount: The number of arguments, any if nil. Other numbers fail in SQL.
    ///   - pure: Whether equal arguments always give equal results, which lets indexes, checks and
    ///     generated columns use the function. <https://www.sqlite.org/deterministic.html>
    ///   - function: Gives the result; nil is NULL.
    /// - Precondition: The name fits in 255 bytes without NUL, and SQLite takes that many arguments.
    public convenience init(
        _ name: String, argumentCount: Int? = nil, pure: Bool = false,
        function:
            @escaping @Sendable ([DatabaseValue]) throws -> (any DatabaseValueConvertible)?
    ) {
        self.init(name, argumentCount: argumentCount, pure: pure) { arguments, result in
            result.set { try function(arguments.databaseValues) }
        }
    }

    /// Makes a function of a closure that reads its arguments where SQLite keeps them.
    ///
    /// It spares a copy of long texts and blobs. An addition to what GRDB offers, and no initialiser,
    /// so that a trailing closure there means what it means in GRDB.
    ///
    /// - Parameters:
    ///   - name: The name of the function in SQL.
    ///   - argumentCount: The number of arguments; any if nil.
    ///   - pure: Whether equal arguments always give equal results.
    ///   - function: Gives the result; nil is NULL.
    public static func reading(
        _ name: String, argumentCount: Int? = nil, pure: Bool = false,
        _ function:
            @escaping @Sendable (borrowing Arguments) throws -> (any DatabaseValueConvertible)?
    ) -> DatabaseFunction {
        DatabaseFunction(name, argumentCount: argumentCount, pure: pure) { arguments, result in
            result.set { try function(Arguments(arguments)) }
        }
    }

    /// Makes an aggregate function, such as `COUNT` and `SUM` are.
    ///
    /// It cannot be used as a window function.
    ///
    /// - Parameters:
    ///   - name: The name of the function in SQL.
    ///   - argumentCount: The number of arguments; any if nil.
    ///   - pure: Whether equal arguments always give equal results.
    ///   - aggregate: A type of which each group of rows gets an instance.
    public init<Aggregate: DatabaseAggregate>(
        _ name: String, argumentCount: Int? = nil, pure: Bool = false, aggregate: Aggregate.Type
    ) {
        self.name = Self.checked(name)
        self.argumentCount = argumentCount
        isPure = pure
        body = .aggregate { AggregateGroup(Aggregate()) }
    }

    private init(
        _ name: String, argumentCount: Int?, pure: Bool, body: @escaping CustomFunction.Body
    ) {
        self.name = Self.checked(name)
        self.argumentCount = argumentCount
        isPure = pure
        self.body = .scalar(body)
    }

    // SQLite would take the name up to the NUL, and redefine another function.
    private static func checked(_ name: String) -> String {
        precondition(!name.utf8.contains(0), "the name of a function must not contain NUL")
        return name
    }

    private func signature(isHarmless: Bool) -> CustomFunction.Signature {
        CustomFunction.Signature(
            name: name, argumentCount: argumentCount.map { CInt(clamping: $0) } ?? -1,
            isPure: isPure, isHarmless: isHarmless)
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
        }
    }

    func remove(from connection: BorrowedConnection) throws(DatabaseError) {
        try CustomFunction.remove(connection, signature(isHarmless: false))
    }
}
