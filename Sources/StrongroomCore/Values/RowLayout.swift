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
    /// Whether a scope has scopes.
    private let hasNestedScopes: Bool
    /// The layout of the statement; nil when this is it.
    private let adapted: RowLayout?
    /// The same columns without scopes; nil when there are none.
    private let scoped: RowLayout?
    /// The statement that the rows come from, for messages.
    let sql: String?
    /// Its arguments, where messages may show them.
    let shownArguments: StatementArguments?
    private let lookup: ColumnLookup
    let keyColumns = LayoutDerivations<[String: Int]>()
    let propertyColumns = LayoutDerivations<PropertyColumns>()

    /// The layout of a statement, or of a row that comes from none.
    init(names: [String], sql: String?, shownArguments: StatementArguments? = nil) {
        self.names = names
        self.sql = sql
        self.shownArguments = shownArguments
        storageColumns = nil
        scopes = []
        hasNestedScopes = false
        adapted = nil
        scoped = nil
        lookup = ColumnLookup(names)
    }

    /// Some columns of another layout, under new names.
    init(_ base: RowLayout, columns: [Int], names: [String]) {
        self.names = names
        let storageColumns = columns.map(base.storageColumn)
        let isPrefix = storageColumns.elementsEqual(0..<storageColumns.count)
        self.storageColumns = isPrefix ? nil : storageColumns
        scopes = []
        hasNestedScopes = false
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
        hasNestedScopes = scopes.values.contains { !$0.scopes.isEmpty }
        adapted = base.unadapted
        scoped = base
        sql = base.sql
        shownArguments = base.shownArguments
        lookup = base.lookup
    }

    var unadapted: RowLayout { adapted ?? self }

    var unscoped: RowLayout { scoped ?? self }

    /// The layout of a scope beside the columns.
    func scope(named name: String) -> RowLayout? {
        for scope in scopes where scope.name == name { return scope.layout }
        return nil
    }

    /// The layout of the scope of that name that is nearest to the top.
    ///
    /// It is asked for with each row of a request with joined tables, which mostly has the scope
    /// itself: then no list of the layouts below it is made.
    func scope(inTree name: String) -> RowLayout? {
        if let scope = scope(named: name) { return scope }
        guard hasNestedScopes else { return nil }
        for layout in breadthFirst.dropFirst() {
            if let scope = layout.scope(named: name) { return scope }
        }
        return nil
    }

    /// The layout and those of its scopes, level after level.
    var breadthFirst: [RowLayout] {
        var layouts = [self]
        var next = 0
        while next < layouts.count {
            for scope in layouts[next].scopes { layouts.append(scope.layout) }
            next += 1
        }
        return layouts
    }

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
