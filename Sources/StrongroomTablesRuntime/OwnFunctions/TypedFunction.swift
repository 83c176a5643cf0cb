public import StrongroomCore

/// A Swift function that SQL can call.
///
/// `@DatabaseFunction` makes one, whose name has a `$` in front.
///
///     @DatabaseFunction func initial(_ name: String) -> String { String(name.prefix(1)) }
///
///     configuration.add(functions: $initial)
///     User.select { $initial($0.name) }  // SELECT "initial"("users"."name") FROM "users"
public protocol TypedFunction: Sendable {
    /// The function as a connection takes it.
    var databaseFunction: DatabaseFunction { get }
}

extension Database {
    /// Adds a function, or replaces the one of its name and argument count.
    ///
    ///     @DatabaseFunction func reversed(_ text: String) -> String { String(text.reversed()) }
    ///
    ///     db.add(function: $reversed)
    ///     try User.select { $reversed($0.name) }.fetchAll(db)  // ["adA", "ecarG"]
    ///
    /// - Precondition: As ``add(function:)-(DatabaseFunction)`` has it.
    public func add(function: some TypedFunction) {
        add(function: function.databaseFunction)
    }

    /// Removes the function of that name and argument count, if there is one.
    ///
    ///     @DatabaseFunction func twice(_ number: Int) -> Int { 2 * number }
    ///
    ///     db.add(function: $twice)
    ///     try Item.find(1).select { $twice($0.stars) }.fetchOne(db)  // 6
    ///     db.remove(function: $twice)
    ///
    /// - Precondition: No statement is running.
    public func remove(function: some TypedFunction) {
        remove(function: function.databaseFunction)
    }
}

extension Configuration {
    /// Adds functions to each connection when it opens.
    ///
    ///     @DatabaseFunction func isPrime(_ number: Int) -> Bool {
    ///         number > 1 && !(2..<number).contains { number % $0 == 0 }
    ///     }
    ///
    ///     configuration.add(functions: $isPrime)
    ///     Item.where { $isPrime($0.stars) }.select(\.id)
    ///     // SELECT "items"."id" FROM "items" WHERE "isPrime"("items"."stars")
    public mutating func add(functions: any TypedFunction...) {
        prepareDatabase { db in
            for function in functions { db.add(function: function) }
        }
    }
}

/// What the flags of `@DatabaseFunction` say. Macros make it.
public struct FunctionTraits: Sendable {
    let name: String
    let isDeterministic: Bool
    let isDirectOnly: Bool

    /// Makes the traits of a function.
    ///
    /// - Parameters:
    ///   - name: The name in SQL.
    ///   - isDeterministic: Whether equal arguments always give equal results.
    ///   - isDirectOnly: Whether no trigger, view or schema may call the function.
    public init(_ name: String, isDeterministic: Bool = false, isDirectOnly: Bool = false) {
        self.name = name
        self.isDeterministic = isDeterministic
        self.isDirectOnly = isDirectOnly
    }

    func traits(_ argumentCount: Int) -> DatabaseFunction.Traits {
        DatabaseFunction.Traits(
            name: name, argumentCount: argumentCount, isPure: isDeterministic,
            isDirectOnly: isDirectOnly)
    }
}

/// The body of a scalar function: it reads its arguments and gives what is bound.
public typealias FunctionBody = @Sendable (inout FunctionDecoder) throws -> QueryBinding

/// Makes a function of its body. Macros call it.
public func _function(
    _ traits: FunctionTraits, argumentCount: Int, _ body: @escaping FunctionBody
) -> DatabaseFunction {
    let name = traits.name
    return DatabaseFunction(
        implementedBy: .scalar { arguments, result in
            do {
                var decoder = FunctionDecoder(arguments, name)
                try result.set(body(&decoder))
            } catch {
                result.fail(error)
            }
        }, traits.traits(argumentCount))
}

/// Gives the object of a method as long as it lives. Macros call it.
public func _owner<Owner: AnyObject & Sendable>(
    _ owner: Owner, of name: String
) -> @Sendable () throws -> Owner {
    { [weak owner] in
        guard let owner else { throw QueryBuildingError("the object of \(name)() is gone") }
        return owner
    }
}

/// Gives the value of a method, of which a copy is kept. Macros call it.
public func _owner<Owner: Sendable>(
    _ owner: Owner, of name: String
) -> @Sendable () throws -> Owner {
    { owner }
}

/// The number of arguments that a parameter takes. Macros call it.
public func _columnCount<Value: QueryRepresentable>(_ type: Value.Type) -> Int {
    Value._columnCount
}
