internal import CSQLCipher

/// SQL functions that are Swift closures.
///
/// SQLite owns what is behind a function from its registration on, and releases it when the function
/// is replaced, removed, could not be registered, or when its connection closes.
/// <https://www.sqlite.org/c3ref/create_function.html>
// Safety: SQLite holds the body until it calls `release`; context and values are good during the
// call.
package enum CustomFunction {
    package typealias Body = @Sendable (FunctionArguments, borrowing FunctionResult) -> Void

    /// The name and number of arguments that SQLite knows a function by; -1 for any number.
    package struct Signature {
        let name: String
        let argumentCount: CInt
        let isPure: Bool
        let isHarmless: Bool
        let isDirectOnly: Bool

        /// - Parameters:
        ///   - isHarmless: Whether a schema that is not trusted may call it.
        ///   - isDirectOnly: Whether no trigger, view or schema may call it.
        package init(
            name: String, argumentCount: CInt, isPure: Bool, isHarmless: Bool,
            isDirectOnly: Bool = false
        ) {
            self.name = name
            self.argumentCount = argumentCount
            self.isPure = isPure
            self.isHarmless = isHarmless
            self.isDirectOnly = isDirectOnly
        }

        var flags: CInt {
            SQLITE_UTF8 | (isPure ? SQLITE_DETERMINISTIC : 0)
                | (isHarmless && !isDirectOnly ? SQLITE_INNOCUOUS : 0)
                | (isDirectOnly ? SQLITE_DIRECTONLY : 0)
        }
    }

    package static func add(
        _ connection: BorrowedConnection, _ signature: Signature, _ body: @escaping Body
    ) throws(DatabaseError) {
        let code = unsafe sqlite3_create_function_v2(
            connection.pointer, signature.name, signature.argumentCount, signature.flags,
            Unmanaged.passRetained(FunctionBody(body)).toOpaque(),
            { context, count, values in
                guard let context = unsafe context, let body = unsafe FunctionBody.of(context)
                else { return }
                unsafe body.call(
                    FunctionArguments(count: count, values: values),
                    FunctionResult(context: context))
            }, nil, nil, unsafe FunctionBody.release)
        guard code == SQLITE_OK else { throw connection.lastError }
    }

    /// Removes a function; one that is not there is no error.
    package static func remove(
        _ connection: BorrowedConnection, _ signature: Signature
    ) throws(DatabaseError) {
        let code = unsafe sqlite3_create_function_v2(
            connection.pointer, signature.name, signature.argumentCount, SQLITE_UTF8,
            nil, nil, nil, nil, nil)
        guard code == SQLITE_OK else { throw connection.lastError }
    }
}

/// What SQLite keeps for a scalar function.
// Safety: the user data of these functions is always a body that was retained for it.
private final class FunctionBody {
    let call: CustomFunction.Body

    init(_ call: @escaping CustomFunction.Body) {
        self.call = call
    }

    static func of(_ context: OpaquePointer) -> FunctionBody? {
        unsafe sqlite3_user_data(context).map {
            unsafe Unmanaged<FunctionBody>.fromOpaque($0).takeUnretainedValue()
        }
    }

    static let release: @convention(c) (UnsafeMutableRawPointer?) -> Void = { body in
        guard let body = unsafe body else { return }
        unsafe Unmanaged<FunctionBody>.fromOpaque(body).release()
    }
}
