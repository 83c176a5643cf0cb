/// A cursor whose elements are the columns of each row, as a tuple of values.
///
/// `SQLRequest<(String, Int)>` and other requests of tuples make it.
public final class TupleCursor<each Value: DatabaseValueConvertible>: Cursor {
    public typealias Element = (repeat each Value)

    @usableFromInline let rows: RowCursor
    @usableFromInline let valueCount: Int

    @usableFromInline
    init(_ rows: RowCursor) {
        self.rows = rows
        var count = 0
        for _ in repeat (each Value).self { count += 1 }
        valueCount = count
    }

    /// Moves to the next row; nil at the end, and forever after.
    ///
    /// - Throws: `DatabaseError`, which is `SQLITE_MISUSE` when there are not as many columns as
    ///   values; `RowDecodingError` when a value is unsuitable: the cursor then can go on.
    @inlinable
    public func next() throws -> (repeat each Value)? {
        guard let row = try rows.next() else {
            // A request without rows is wrong too. What an adapter would give, only rows tell.
            if rows.unadapted != nil { try check(rows.columnCount) }
            return nil
        }
        try check(row.count)
        var index = 0
        func decode<T: DatabaseValueConvertible>(_ type: T.Type) throws(RowDecodingError) -> T {
            defer { index += 1 }
            return try row.decode(type, atIndex: index)
        }
        return (repeat try decode((each Value).self))
    }

    @usableFromInline
    func check(_ columnCount: Int) throws(DatabaseError) {
        guard columnCount != valueCount else { return }
        throw DatabaseError(
            code: .SQLITE_MISUSE,
            message: "wrong number of columns: \(columnCount) for \((repeat each Value).self)",
            sql: rows.sql)
    }
}
