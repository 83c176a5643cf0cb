/// The columns of a row: their names, where in the storage each one is, and the scopes beside them.
/// All rows of one result share it.
///
/// An adapted row is the same storage under another layout: adapting copies nothing, and costs one
/// more look-up for a cell.
@usableFromInline
package final class RowLayout: Sendable {
    @usableFromInline let names: [String]
    /// Where in the storage each column is; nil when all are at their own index.
    @usableFromInline let storageColumns: [Int]?
    /// What adapters have added beside the columns, by name in alphabetical order.
    let scopes: [(name: String, layout: RowLayout)]
    /// The layout of the statement; nil when this is it.
    private let adapted: RowLayout?
    /// The same columns without scopes; nil when there are none.
    private let scoped: RowLayout?
    /// The statement that the rows come from, for messages.
    let sql: String?
    /// Its arguments, where messages may show them.
    let shownArguments: StatementArguments?
    private let lookup: ColumnLookup
    let keyColumnsList = KeyColumnsList()

    /// The layout of a statement, or of a row that comes from none.
    init(names: [String], sql: String?, shownArguments: StatementArguments? = nil) {
        self.names = names
        self.sql = sql
        self.shownArguments = shownArguments
        storageColumns = nil
        scopes = []
        adapted = nil
        scoped = nil
        lookup = ColumnLookup(names)
    }

    /// Some columns of another layout, under new names.
    init(_ base: RowLayout, columns: [Int], names: [String]) {
        self.names = names
        storageColumns = columns.map(base.storageColumn)
        scopes = []
        adapted = base.unadapted
        scoped = nil
        sql = base.sql
        shownArguments = base.shownArguments
        lookup = ColumnLookup(names)
    }

    /// The columns of another layout, with scopes beside them.
    init(_ base: RowLayout, scopes: [String: RowLayout]) {
        let base = base.unscoped
        names = base.names
        storageColumns = base.storageColumns
        self.scopes = scopes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        adapted = base.unadapted
        scoped = base
        sql = base.sql
        shownArguments = base.shownArguments
        lookup = base.lookup
    }

    var unadapted: RowLayout { adapted ?? self }

    var unscoped: RowLayout { scoped ?? self }

    /// The leftmost column of that name, in any case.
    @usableFromInline
    func index(of name: String) -> Int? {
        lookup.index(of: name, in: names)
    }

    /// The leftmost column of that name, in any case, tried first at a guess.
    @usableFromInline
    func index(of name: String, guess: Int) -> Int? {
        if lookup.hasDistinctNames, names[guess] == name { return guess }
        return lookup.index(of: name, in: names)
    }

    @inlinable
    func storageColumn(_ index: Int) -> Int {
        guard let storageColumns else { return index }
        return storageColumns[index]
    }
}
