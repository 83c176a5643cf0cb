public import StrongroomEssentials

// Bytes without a copy, for blobs that are large.

extension Row {
    /// Lends the bytes of a blob, or those of a text, for the time of a closure and without a copy.
    ///
    /// - Parameters:
    ///   - index: The index of the column, from 0.
    ///   - body: Given nil when the column is NULL. The data must not escape it, and the column
    ///     must not be read as another type meanwhile.
    /// - Precondition: The index, counted from 0, is in range.
    /// - Throws: `RowDecodingError` when the column holds a number, and what `body` throws.
    public func withUnsafeData<T>(atIndex index: Int, _ body: (Data?) throws -> T) throws -> T {
        checkIndex(index)
        let column = storageColumn(index)
        guard let statement = storage.statement else {
            return try withUnsafeKeptData(index, storage.keptValue(at: column), body)
        }
        let value = BorrowedStatement(statement).value(CInt(column))
        switch value.storage {
        case .null:
            return try body(nil)
        case .blob:
            return try body(lend(value.blobBytes))
        case .text:
            return try body(lend(UnsafeRawBufferPointer(value.textBytes)))
        case .integer, .real:
            throw RowDecodingError(Data.self, columnIndex: index, row: self)
        }
    }

    /// Lends the bytes of the leftmost column of that name; nil also when there is no such column.
    ///
    /// - Throws: `RowDecodingError` when the column holds a number, and what `body` throws.
    public func withUnsafeData<T>(
        named columnName: String, _ body: (Data?) throws -> T
    ) throws -> T {
        guard let index = layout.index(of: columnName) else { return try body(nil) }
        return try withUnsafeData(atIndex: index, body)
    }

    /// Reads the bytes of a column, with a copy if the row is a cursor's: data may outlive it.
    @available(*, deprecated, message: "Use withUnsafeData(atIndex:_:), which never copies.")
    public func dataNoCopy(atIndex index: Int) -> Data? {
        self[index]
    }

    /// Reads the bytes of the leftmost column of that name; nil also when there is no such column.
    @available(*, deprecated, message: "Use withUnsafeData(named:_:), which never copies.")
    public func dataNoCopy(named columnName: String) -> Data? {
        self[columnName]
    }

    private func withUnsafeKeptData<T>(
        _ index: Int, _ value: DatabaseValue, _ body: (Data?) throws -> T
    ) throws -> T {
        switch value.storage {
        case .null: return try body(nil)
        case .blob(let data): return try body(data)
        case .string(var text):
            return try text.withUTF8 { try body(lend(UnsafeRawBufferPointer($0))) }
        case .int64, .double:
            throw RowDecodingError(Data.self, columnIndex: index, row: self)
        }
    }

    private func lend(_ bytes: UnsafeRawBufferPointer) -> Data {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return Data() }
        return Data(
            bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: bytes.count,
            deallocator: .none)
    }
}
