/// The cells of one row: those of a statement while it stands there, copies of them afterwards.
///
/// Invariants:
/// 1. While `statement` is set, it stands at the row, and only the executor of its connection reads
///    the cells.
/// 2. Before the statement moves, its owner asks whether a row still refers to this storage. If so,
///    the cells are copied and the statement let go (`keep()`); if not, the storage serves again.
/// 3. Kept cells never change.
@usableFromInline
package final class RowStorage {
    // Safety: all change only while the statement stands, on the executor that also reads them.
    @exclusivity(unchecked) @usableFromInline private(set) var statement: SQLiteStatement?
    @exclusivity(unchecked) @usableFromInline private(set) var values:
        ContiguousArray<DatabaseValue>
    /// Which column is likely to be asked for by name: columns are mostly read in their order.
    @exclusivity(unchecked) private var likelyColumn = 0
    @usableFromInline let count: Int
    /// The columns, as the statement has them.
    @usableFromInline let layout: RowLayout
    /// The rows that were fetched with this one; they change while one row alone has this storage.
    @exclusivity(unchecked) private(set) var prefetchedRows = PrefetchedRows()

    /// The row at which the statement stands.
    init(statement: SQLiteStatement, layout: RowLayout) {
        self.statement = statement
        self.layout = layout
        count = layout.names.count
        values = []
    }

    /// A row that comes from no statement.
    init(
        values: ContiguousArray<DatabaseValue>, layout: RowLayout,
        prefetchedRows: PrefetchedRows = PrefetchedRows()
    ) {
        self.values = values
        self.layout = layout
        self.prefetchedRows = prefetchedRows
        count = values.count
    }

    /// A copy of the row at which the statement stands.
    init(keeping statement: SQLiteStatement, layout: RowLayout) {
        self.layout = layout
        count = layout.names.count
        values = Self.cells(of: statement, count: count)
    }

    /// Copies the cells, so that they stay what they are when the statement moves.
    func keep() {
        guard let statement else { return }
        values = Self.cells(of: statement, count: count)
        self.statement = nil
    }

    private static func cells(
        of statement: SQLiteStatement, count: Int
    ) -> ContiguousArray<DatabaseValue> {
        // Not init(unsafeUninitializedCapacity:), which looks up metadata at each call.
        var cells: ContiguousArray<DatabaseValue> = []
        cells.reserveCapacity(count)
        for index in 0..<count {
            cells.append(DatabaseValue(StatementColumns.value(statement, CInt(index))))
        }
        return cells
    }

    /// The cells as they are now, whatever the statement does later.
    func keptValues() -> ContiguousArray<DatabaseValue> {
        statement == nil ? values : ContiguousArray((0..<count).map(value))
    }

    func value(at index: Int) -> DatabaseValue {
        if let statement { return DatabaseValue(sqliteStatement: statement, index: CInt(index)) }
        return values[index]
    }

    /// Adds rows that were fetched with this one, or with the scope of that layout.
    ///
    /// - Precondition: Nobody else refers to this storage.
    func setPrefetchedRows(_ rows: [Row], forKey key: String, of layout: RowLayout) {
        prefetchedRows.set(rows, forKey: key, of: layout)
    }

    /// The leftmost column of that name, in any case.
    @usableFromInline
    func index(of name: String) -> Int? {
        // Kept cells may be read from several threads, so nothing is noted with them.
        guard statement != nil, count > 0 else { return layout.index(of: name) }
        guard let index = layout.index(of: name, guess: likelyColumn) else { return nil }
        likelyColumn = index + 1 < count ? index + 1 : 0
        return index
    }

    @usableFromInline
    func isNull(at index: Int) -> Bool {
        if let statement { return StatementColumns.isNull(statement, CInt(index)) }
        return values[index].isNull
    }
}
