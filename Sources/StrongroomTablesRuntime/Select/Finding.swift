// Rows by key.

extension SelectClauses {
    /// Adds a condition on the key of the first table.
    mutating func find<Key: QueryRepresentable>(
        _ keys: [Key.Unwrapped.QueryOutput], _ type: Key.Type, in layout: TableLayout
    ) {
        if keys.count == 1 { return find(keys[0], type, in: layout) }
        let key = KeyExpression<Key>(layout, from.tables[0])
        isSingleRow = isSingleRow || keys.isEmpty
        add([key.membership(keys, isNegated: false)])
        let numbers = keys.compactMap { Key.fragment($0).integer }
        guard numbers.count == keys.count else { return }
        keptRows = keptRows.map { $0.intersection(numbers) } ?? Set(numbers)
    }

    /// Adds a condition on the key of the first table: it has one value.
    mutating func find<Key: QueryRepresentable>(
        _ key: Key.Unwrapped.QueryOutput, _ type: Key.Type, in layout: TableLayout
    ) {
        let isAlone = isAllRows
        let value = Key.Unwrapped(queryOutput: key)
        if layout.keyNames.count == 1, let key = SoleKey(value) {
            if isAlone {
                soleKey = key
            } else {
                add([key.condition(from.tables[0], layout.keyNames[0])])
                isSingleRow = true
                if case .int(let number) = key.binding { keepRow(number) }
            }
            return
        }
        let column = KeyExpression<Key>(layout, from.tables[0])
        isSingleRow = true
        add([column.membership([key], isNegated: false)])
        let values = value.encodedValues
        if isAlone, values.allSatisfy(\.isPlain) { markRow(key: values.map(\.binding)) }
    }

    /// Keeps to the row with a key, if nothing else was asked of the rows, and the key has a column.
    ///
    /// - Returns: Whether it did.
    @usableFromInline
    mutating func findSole(_ key: QueryBinding) -> Bool {
        guard isAllRows, storage.fields.from.layouts[0].keyNames.count == 1 else { return false }
        soleKey = SoleKey(binding: key)
        return true
    }
}

extension QueryFragment {
    /// The bound value, if it is an integer.
    fileprivate var integer: Int64? {
        guard segments.count == 1 else { return nil }
        switch segments[0] {
        case .binding(.int(let number)), .moment(.int(let number)): return number
        default: return nil
        }
    }
}

extension SelectClauses {
    /// Keeps to the row whose key an expression gives.
    mutating func find<Key: QueryRepresentable>(
        key expression: QueryFragment, _ type: Key.Type, in layout: TableLayout
    ) {
        let own = KeyExpression<Key>(layout, from.tables[0])
        isSingleRow = true
        add([.comparison(own.operandFragment, "=", expression)])
    }

    /// Keeps to the rows whose keys a query gives.
    mutating func find<Key: QueryRepresentable>(
        keys query: some Statement, _ type: Key.Type, in layout: TableLayout
    ) {
        let own = KeyExpression<Key>(layout, from.tables[0])
        add([own.membership(in: query, isNegated: false)])
    }
}

/// The key of a table as one operand.
struct KeyExpression<QueryValue: QueryRepresentable>: QueryExpression {
    typealias TermBase = QueryValue.Unwrapped
    typealias TermValue = QueryValue
    let queryFragment: QueryFragment

    init(_ layout: TableLayout, _ table: TableReference) {
        queryFragment = layout.keyFragments(table).commaSeparated
    }
}

extension Where where From: PrimaryKeyedTable {
    /// The row with a key.
    ///
    ///     let isOpen = try Item.where { !$0.isDone }.find(2).exists(db)  // false
    public func find(_ key: From.PrimaryKey.Unwrapped.QueryOutput) -> Where<From> {
        var result = self
        result._clauses.find(key, From.PrimaryKey.self, in: From._layout)
        return result
    }

    /// The rows with these keys.
    public func find(
        _ keys: some Sequence<From.PrimaryKey.Unwrapped.QueryOutput>
    ) -> Where<From> {
        var result = self
        result._clauses.find(Array(keys), From.PrimaryKey.self, in: From._layout)
        return result
    }

    /// The row whose key an expression gives.
    @_disfavoredOverload
    public func find<Key: QueryExpression>(_ key: Key) -> Where<From>
    where Key.QueryValue.Unwrapped == From.PrimaryKey.Unwrapped {
        var result = self
        result._clauses.find(
            key: key.operandFragment, From.PrimaryKey.self, in: From._layout)
        return result
    }

    /// The row whose key SQL gives, as the type of the key says.
    @_disfavoredOverload
    public func find(_ key: SQLQueryExpression<From.PrimaryKey>) -> Where<From> {
        var result = self
        result._clauses.find(
            key: key.operandFragment, From.PrimaryKey.self, in: From._layout)
        return result
    }

    /// The rows whose keys a query gives.
    public func find<Keys: Statement>(_ keys: Keys) -> Where<From>
    where
        Keys.Shape: ScalarShape,
        Keys.Shape.SubqueryValue.Unwrapped == From.PrimaryKey.Unwrapped
    {
        var result = self
        result._clauses.find(keys: keys, From.PrimaryKey.self, in: From._layout)
        return result
    }
}

extension SelectStatement where Tables.First: PrimaryKeyedTable {
    /// The row with a key of the first table.
    public func find(
        _ key: Tables.First.PrimaryKey.Unwrapped.QueryOutput
    ) -> Select<Shape, Tables> {
        changed { $0.find(key, Tables.First.PrimaryKey.self, in: Tables.First._layout) }
    }

    /// The rows with these keys of the first table.
    public func find(
        _ keys: some Sequence<Tables.First.PrimaryKey.Unwrapped.QueryOutput>
    ) -> Select<Shape, Tables> {
        changed {
            $0.find(Array(keys), Tables.First.PrimaryKey.self, in: Tables.First._layout)
        }
    }

    /// The row whose key, that of the first table, an expression gives.
    @_disfavoredOverload
    public func find<Key: QueryExpression>(_ key: Key) -> Select<Shape, Tables>
    where Key.QueryValue.Unwrapped == Tables.First.PrimaryKey.Unwrapped {
        changed {
            $0.find(
                key: key.operandFragment, Tables.First.PrimaryKey.self, in: Tables.First._layout)
        }
    }

    /// The row whose key, that of the first table, SQL gives, as the type of the key says.
    @_disfavoredOverload
    public func find(
        _ key: SQLQueryExpression<Tables.First.PrimaryKey>
    ) -> Select<Shape, Tables> {
        changed {
            $0.find(
                key: key.operandFragment, Tables.First.PrimaryKey.self, in: Tables.First._layout)
        }
    }

    /// The rows whose keys, those of the first table, a query gives.
    public func find<Keys: Statement>(_ keys: Keys) -> Select<Shape, Tables>
    where
        Keys.Shape: ScalarShape,
        Keys.Shape.SubqueryValue.Unwrapped == Tables.First.PrimaryKey.Unwrapped
    {
        changed { $0.find(keys: keys, Tables.First.PrimaryKey.self, in: Tables.First._layout) }
    }
}

extension PrimaryKeyedTable {
    /// The row with a key.
    ///
    ///     let milk = try Item.find(1).fetchOne(db)
    ///     try Item.find(1).update { $0.isDone = true }.execute(db)
    // Inlined, the key is bound without asking what its type is.
    @inlinable
    public static func find(_ key: PrimaryKey.Unwrapped.QueryOutput) -> Where<Self> {
        var clauses = SelectClauses(scope: Self.self)
        if let bound = PrimaryKey.Unwrapped(queryOutput: key)._boundValue, clauses.findSole(bound) {
            return Where(clauses)
        }
        return Where(clauses).find(key)
    }

    /// The rows with these keys.
    public static func find(
        _ keys: some Sequence<PrimaryKey.Unwrapped.QueryOutput>
    ) -> Where<Self> {
        Where().find(keys)
    }

    /// The row whose key an expression gives: `Item.find(new.itemID)` in a trigger.
    @_disfavoredOverload
    public static func find<Key: QueryExpression>(_ key: Key) -> Where<Self>
    where Key.QueryValue.Unwrapped == PrimaryKey.Unwrapped {
        Where().find(key)
    }

    /// The row whose key SQL gives, as the type of the key says.
    @_disfavoredOverload
    public static func find(_ key: SQLQueryExpression<PrimaryKey>) -> Where<Self> {
        Where().find(key)
    }

    /// The rows whose keys a query gives.
    public static func find<Keys: Statement>(_ keys: Keys) -> Where<Self>
    where
        Keys.Shape: ScalarShape,
        Keys.Shape.SubqueryValue.Unwrapped == PrimaryKey.Unwrapped
    {
        Where().find(keys)
    }
}
