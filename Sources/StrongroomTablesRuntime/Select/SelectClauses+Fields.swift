/// What the clauses of a select consist of.
struct ClauseFields: Sendable {
    /// Which rows a query gives that has no other clauses; every change makes them ``Extent/other``.
    enum Extent: Sendable {
        /// All rows of a table under its own name.
        case all
        /// The row of such a table whose key has these values, one for each of its columns.
        case row(key: [QueryBinding])
        case other

        var isAll: Bool { if case .all = self { true } else { false } }
        var isRow: Bool { if case .row = self { true } else { false } }
    }
    /// The numbers of the only rows that conditions on an integer key leave.
    enum RowNumbers: Sendable {
        case any
        case one(Int64)
        case several(Set<Int64>)
    }
    var extent = Extent.other
    var isEmpty = false
    var scope: (@Sendable () -> SelectClauses)?
    /// Where the clauses began, on a table whose default scope has more than conditions.
    var origin: ScopeOrigin?
    var from: FromClause
    var columns: [ResultColumn] = []
    var isDistinct = false
    /// Whether a condition on the key leaves one row at most.
    var isSingleRow = false
    var rowNumbers = RowNumbers.any
    var conditions: [QueryFragment] = []
    var groups: [QueryFragment] = []
    var havings: [QueryFragment] = []
    /// Windows with names, which several expressions share.
    var windows: [(name: String, fragment: QueryFragment)] = []
    var orders: [OrderTerm] = []
    var limit: QueryFragment?
    var offset: QueryFragment?

    init(from: FromClause) { self.from = from }
}

/// What copies of clauses share.
// Safety: the fields change only while one copy alone has the storage, within its own mutation.
final class ClauseStorage: @unchecked Sendable {
    @exclusivity(unchecked) fileprivate(set) var fields: ClauseFields

    init(_ fields: ClauseFields) { self.fields = fields }
}

/// The value of a key of one column.
struct SoleKey: Sendable {
    let binding: QueryBinding
    /// Whether it is a date or a UUID.
    var isMoment = false

    init(binding: QueryBinding) { self.binding = binding }

    /// Nil where the key has several columns, or its value is not bound alone.
    init?(_ value: some QueryRepresentable) {
        if let bound = value._boundValue {
            binding = bound
        } else {
            guard let value = value.singleEncodedValue, value.isPlain else { return nil }
            binding = value.binding
            isMoment = value.isMoment
        }
    }

    /// The condition that a column has the value.
    func condition(_ table: TableReference, _ column: String) -> QueryFragment {
        let value = QueryFragment(binding, isMoment: isMoment).segments
        return QueryFragment([.column(table, column), .text(" = ")] + value, shape: .comparison)
    }
}

extension SelectClauses {
    /// The fields, to be changed.
    private var changed: ClauseFields {
        get { soleKey.map(fields(with:)) ?? storage.fields }
        _modify {
            if let soleKey {
                storage = ClauseStorage(fields(with: soleKey))
                self.soleKey = nil
            }
            if !isKnownUniquelyReferenced(&storage) { storage = ClauseStorage(storage.fields) }
            storage.fields.extent = .other
            yield &storage.fields
        }
    }

    private func fields(with key: SoleKey) -> ClauseFields {
        var fields = storage.fields
        fields.conditions = [condition(on: key)]
        fields.isSingleRow = true
        fields.rowNumbers = rowNumbers
        return fields
    }

    private func condition(on key: SoleKey) -> QueryFragment {
        let from = storage.fields.from
        return key.condition(from.tables[0], from.layouts[0].keyNames[0])
    }

    /// Whether the clauses give all rows of a table under its own name.
    var isAllRows: Bool { soleKey == nil && storage.fields.extent.isAll }

    /// Says that the clauses find one row by its key, and do nothing else.
    mutating func markRow(key: [QueryBinding]) { changed.extent = .row(key: key) }

    private var rowNumbers: ClauseFields.RowNumbers {
        guard let soleKey else { return storage.fields.rowNumbers }
        if case .int(let number) = soleKey.binding { return .one(number) }
        return .any
    }

    /// The numbers of the only rows that a condition on an integer key leaves, if there is one.
    var keptRows: Set<Int64>? {
        get {
            switch rowNumbers {
            case .any: nil
            case .one(let number): [number]
            case .several(let numbers): numbers
            }
        }
        set { changed.rowNumbers = newValue.map { .several($0) } ?? .any }
    }

    /// Keeps the row with a number.
    mutating func keepRow(_ number: Int64) {
        if case .any = rowNumbers {
            changed.rowNumbers = .one(number)
        } else {
            keptRows = keptRows?.intersection([number])
        }
    }

    var isEmpty: Bool {
        get { storage.fields.isEmpty }
        _modify { yield &changed.isEmpty }
    }
    var scope: (@Sendable () -> SelectClauses)? {
        get { storage.fields.scope }
        _modify { yield &changed.scope }
    }
    var origin: ScopeOrigin? {
        get { storage.fields.origin }
        _modify { yield &changed.origin }
    }
    var from: FromClause {
        get { storage.fields.from }
        _modify { yield &changed.from }
    }
    var columns: [ResultColumn] {
        get { storage.fields.columns }
        _modify { yield &changed.columns }
    }
    var isDistinct: Bool {
        get { storage.fields.isDistinct }
        _modify { yield &changed.isDistinct }
    }
    var isSingleRow: Bool {
        get { soleKey != nil || storage.fields.isSingleRow }
        _modify { yield &changed.isSingleRow }
    }
    var conditions: [QueryFragment] {
        get { soleKey.map { [condition(on: $0)] } ?? storage.fields.conditions }
        _modify { yield &changed.conditions }
    }
    var groups: [QueryFragment] {
        get { storage.fields.groups }
        _modify { yield &changed.groups }
    }
    var havings: [QueryFragment] {
        get { storage.fields.havings }
        _modify { yield &changed.havings }
    }
    var windows: [(name: String, fragment: QueryFragment)] {
        get { storage.fields.windows }
        _modify { yield &changed.windows }
    }
    var orders: [OrderTerm] {
        get { storage.fields.orders }
        _modify { yield &changed.orders }
    }
    var limit: QueryFragment? {
        get { storage.fields.limit }
        _modify { yield &changed.limit }
    }
    var offset: QueryFragment? {
        get { storage.fields.offset }
        _modify { yield &changed.offset }
    }
}
