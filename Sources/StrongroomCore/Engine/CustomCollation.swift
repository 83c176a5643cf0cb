internal import CSQLCipher

/// SQL collations that are Swift closures.
///
/// SQLite owns what is behind a collation from its registration on, and releases it when the
/// collation is replaced, removed, or when its connection closes.
/// <https://www.sqlite.org/c3ref/create_collation.html>
// Safety: SQLite gives texts with their lengths for the time of the call, and holds the body until
// it says that it lets it go.
package enum CustomCollation {
    /// Two texts in UTF-8, good during the call only; negative, zero or positive.
    package typealias Comparison =
        @Sendable (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Int

    package static func add(
        _ connection: BorrowedConnection, name: String, _ comparison: @escaping Comparison
    ) throws(DatabaseError) {
        let body = unsafe Unmanaged.passRetained(CollationBody(comparison))
        let code = unsafe sqlite3_create_collation_v2(
            connection.pointer, name, SQLITE_UTF8, body.toOpaque(),
            { context, leftCount, left, rightCount, right in
                guard let context = unsafe context else { return 0 }
                let body = unsafe Unmanaged<CollationBody>.fromOpaque(context).takeUnretainedValue()
                let order = unsafe body.compare(
                    CustomCollation.bytes(left, leftCount), CustomCollation.bytes(right, rightCount)
                )
                return CInt(order.signum())
            },
            { body in
                guard let body = unsafe body else { return }
                unsafe Unmanaged<CollationBody>.fromOpaque(body).release()
            })
        guard code == SQLITE_OK else {
            // Unlike a function's, the destructor of a collation that failed is not called.
            unsafe body.release()
            throw connection.lastError
        }
    }

    /// Removes a collation; one that is not there is no error.
    package static func remove(
        _ connection: BorrowedConnection, name: String
    ) throws(DatabaseError) {
        let code = unsafe sqlite3_create_collation_v2(
            connection.pointer, name, SQLITE_UTF8, nil, nil, nil)
        guard code == SQLITE_OK else { throw connection.lastError }
    }

    private static func bytes(
        _ start: UnsafeRawPointer?, _ count: CInt
    ) -> UnsafeBufferPointer<UInt8> {
        unsafe UnsafeBufferPointer(
            start: start?.assumingMemoryBound(to: UInt8.self), count: Int(count))
    }
}

/// What SQLite keeps for a collation.
// Safety: it only keeps the function that is called with SQLite's bytes.
@safe private final class CollationBody {
    let compare: CustomCollation.Comparison

    init(_ compare: @escaping CustomCollation.Comparison) {
        unsafe self.compare = compare
    }
}
