/// A type whose instances compute one value from many rows, for an SQL aggregate function.
///
///     struct MaxLength: DatabaseAggregate {
///         var length: Int?
///
///         mutating func step(_ dbValues: [DatabaseValue]) {
///             guard let text = String.fromDatabaseValue(dbValues[0]) else { return }
///             length = max(length ?? 0, text.count)
///         }
///
///         func finalize() -> (any DatabaseValueConvertible)? { length }
///     }
///
///     let maxLength = DatabaseFunction("maxLength", argumentCount: 1, aggregate: MaxLength.self)
///
/// An instance is created for each group of rows, and one for a result without any row.
public protocol DatabaseAggregate: GRDBSendableMetatype {
    /// Starts a group of rows.
    init()

    /// Adds one row, from the function's arguments for it.
    ///
    /// - Throws: An error that makes the statement fail; `finalize` is then not called.
    mutating func step(_ dbValues: [DatabaseValue]) throws

    /// Returns the result for the group; nil is NULL.
    ///
    /// - Throws: An error that makes the statement fail.
    func finalize() throws -> (any DatabaseValueConvertible)?
}

/// One group of rows of an aggregate.
final class AggregateGroup<Aggregate: DatabaseAggregate>: CustomAggregate.Group {
    /// nil once a step has failed.
    private var aggregate: Aggregate?

    init(_ aggregate: Aggregate) {
        self.aggregate = aggregate
    }

    func step(_ arguments: FunctionArguments, _ result: borrowing FunctionResult) {
        do {
            try aggregate?.step(arguments.databaseValues)
        } catch {
            aggregate = nil
            result.fail(error)
        }
    }

    func finish(_ result: borrowing FunctionResult) {
        guard let aggregate else { return }
        result.set { try aggregate.finalize() }
    }
}

extension FunctionResult {
    /// Sets what a closure gives, or fails as it does.
    func set(_ value: () throws -> (any DatabaseValueConvertible)?) {
        do {
            (try value()?.databaseValue ?? .null).set(as: self)
        } catch {
            fail(error)
        }
    }

    /// Makes the statement fail with an error's code, if it has one, and text.
    package func fail(_ error: any Error) {
        guard let error = error as? DatabaseError else {
            return fail("\(error)", code: .SQLITE_ERROR)
        }
        fail(error.message ?? error.description, code: error.extendedResultCode)
    }
}
