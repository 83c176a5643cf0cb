internal import CSQLCipher

/// A view of a statement that somebody else owns: a pointer, and what may be asked of it.
///
/// 1. It is good only while its owner is: a ``StatementHandle``, or SQLite during a callback.
/// 2. It is the one way in from the raw pointers of GRDB's API: `init?(sqliteStatement:index:)` and
///    `bind(to:at:)`; `Statement.sqliteStatement` is the one way out.
///
/// It is as cheap as the pointer: one word, which the code of clients makes without a call.
@usableFromInline
package struct BorrowedStatement {
    @usableFromInline let pointer: OpaquePointer

    @inlinable @inline(__always)
    package init(_ pointer: OpaquePointer) {
        self.pointer = pointer
    }

    package var sql: String {
        sqlite3_sql(pointer).map { String(cString: $0) } ?? ""
    }

    /// The statement with its bound values written out.
    package var expandedSQL: String {
        guard let text = sqlite3_expanded_sql(pointer) else { return sql }
        defer { sqlite3_free(text) }
        return String(cString: text)
    }
}
