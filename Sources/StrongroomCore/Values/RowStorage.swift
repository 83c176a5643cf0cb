/// The cells of one row: those of a statement while it stands there, copies of them afterwards.
///
/// The copies lie in the storage itself: with an array for them, a kept row would be two allocations.
///
/// Invariants:
/// 1. While `statement` is set, it stands at the row, and only the executor of its connection reads
///    the cells; there are no copies.
/// 2. Before the statement moves, its owner asks whether a row still refers to this storage. If so,
///    the cells are copied and the statement let go (`keep()`); if not, the storage serves again.
/// 3. While `statement` is nil, there are `count` copies, which never change.
@usableFromInline
package final class RowStorage: ManagedBuffer<RowStorageHeader, DatabaseValue> {
    /// The row at which the statement stands.
    static func standing(at statement: SQLiteStatement, layout: RowLayout) -> RowStorage {
        make(RowStorageHeader(statement, layout, count: layout.names.count))
    }

    /// A row that comes from no statement.
    static func values(
        _ values: some Collection<DatabaseValue>, layout: RowLayout,
        prefetchedRows: PrefetchedRows = PrefetchedRows()
    ) -> RowStorage {
        var header = RowStorageHeader(nil, layout, count: values.count)
        header.prefetchedRows = prefetchedRows
        let storage = make(header)
        storage.withUnsafeMutablePointerToElements { cells in
            var cell = cells
            for value in values {
                cell.initialize(to: value)
                cell += 1
            }
        }
        return storage
    }

    /// A copy of the row at which the statement stands.
    static func keeping(_ statement: SQLiteStatement, layout: RowLayout) -> RowStorage {
        let storage = make(RowStorageHeader(nil, layout, count: layout.names.count))
        storage.copyCells(of: statement)
        return storage
    }

    /// All of it is there but the cells.
    private static func make(_ header: RowStorageHeader) -> RowStorage {
        let storage = create(minimumCapacity: header.count) { _ in header }
        return unsafeDowncast(storage, to: RowStorage.self)
    }

    deinit {
        guard statement == nil else { return }
        withUnsafeMutablePointers { header, cells in
            _ = cells.deinitialize(count: header.pointee.count)
        }
    }

    @inlinable var statement: SQLiteStatement? { withHeader { $0.statement } }
    @inlinable var count: Int { withHeader { $0.count } }
    /// The columns, as the statement has them.
    @inlinable var layout: RowLayout { withHeader { $0.layout } }
    /// The rows that were fetched with this one; they change while one row alone has this storage.
    var prefetchedRows: PrefetchedRows { withHeader { $0.prefetchedRows } }

    /// Not `header`, where each access is checked for exclusivity when the program runs.
    @inlinable @inline(__always)
    func withHeader<T>(_ body: (inout RowStorageHeader) -> T) -> T {
        withUnsafeMutablePointerToHeader { body(&$0.pointee) }
    }

    /// Copies the cells, so that they stay what they are when the statement moves.
    func keep() {
        guard let statement else { return }
        copyCells(of: statement)
        withHeader { $0.statement = nil }
    }

    private func copyCells(of statement: SQLiteStatement) {
        withUnsafeMutablePointers { header, cells in
            for index in 0..<header.pointee.count {
                let value = DatabaseValue(BorrowedStatement(statement).value(CInt(index)))
                (cells + index).initialize(to: value)
            }
        }
    }

    /// A copied cell.
    ///
    /// - Precondition: `statement` is nil, and the index in range.
    @inlinable
    func keptValue(at index: Int) -> DatabaseValue {
        withUnsafeMutablePointers { header, cells in
            precondition(index >= 0 && index < header.pointee.count, "no such column")
            return cells[index]
        }
    }

    /// The cell as it is now, whatever the statement does later.
    func value(at index: Int) -> DatabaseValue {
        if let statement { return DatabaseValue(sqliteStatement: statement, index: CInt(index)) }
        return keptValue(at: index)
    }

    /// The same row in a storage of its own.
    func copy(withPrefetchedRows: Bool) -> RowStorage {
        .values(
            (0..<count).lazy.map(value), layout: layout,
            prefetchedRows: withPrefetchedRows ? prefetchedRows : PrefetchedRows())
    }

    /// Adds rows that were fetched with this one, or with the scope of that layout.
    ///
    /// - Precondition: Nobody else refers to this storage.
    func setPrefetchedRows(_ rows: [Row], forKey key: String, of layout: RowLayout) {
        withHeader { $0.prefetchedRows.set(rows, forKey: key, of: layout) }
    }

    /// The leftmost column of that name, in any case.
    @usableFromInline
    func index(of name: String) -> Int? {
        // Kept cells may be read from several threads, so nothing is noted with them.
        guard statement != nil, count > 0 else { return layout.index(of: name) }
        return withHeader { header in
            let guess = header.likelyColumn
            guard let index = header.layout.index(of: name, guess: guess) else { return nil }
            header.likelyColumn = index + 1 < header.count ? index + 1 : 0
            return index
        }
    }

    @usableFromInline
    func isNull(at index: Int) -> Bool {
        if let statement { return BorrowedStatement(statement).isNull(CInt(index)) }
        return keptValue(at: index).isNull
    }
}

/// What ``RowStorage`` has beside the cells.
@usableFromInline
package struct RowStorageHeader {
    // All change only while the statement stands, on the executor that also reads them.
    @usableFromInline fileprivate(set) var statement: SQLiteStatement?
    @usableFromInline let count: Int
    @usableFromInline let layout: RowLayout
    /// Which column is likely to be asked for by name: columns are mostly read in their order.
    fileprivate var likelyColumn = 0
    fileprivate var prefetchedRows = PrefetchedRows()

    fileprivate init(_ statement: SQLiteStatement?, _ layout: RowLayout, count: Int) {
        self.statement = statement
        self.layout = layout
        self.count = count
    }
}
