internal import CSQLCipher

/// A view of a statement that somebody else owns: a pointer, and what may be asked of it.
///
/// 1. It is good only while its owner is: a ``StatementHandle``, or SQLite during a callback.
/// 2. It is the one way in from the raw pointers of GRDB's API: `init?(sqliteStatement:index:)` and
///    `bind(to:at:)`; `Statement.sqliteStatement` is the one way out.
///
/// It is as cheap as the pointer: one word, which the code of clients makes without a call.
// Safety: the pointer is that of the owner's statement, which lives while this view is used.
@usableFromInline
@safe package struct BorrowedStatement {
    @usableFromInline let pointer: OpaquePointer

    @inlinable @inline(__always)
    package init(_ pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    package var sql: String {
        unsafe sqlite3_sql(pointer).map { unsafe String(cString: $0) } ?? ""
    }

    /// The statement with its bound values written out.
    package var expandedSQL: String {
        guard let text = unsafe sqlite3_expanded_sql(pointer) else { return sql }
        defer { unsafe sqlite3_free(text) }
        return unsafe String(cString: text)
    }
}
