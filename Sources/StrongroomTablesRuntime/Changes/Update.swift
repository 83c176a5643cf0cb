/// A statement that changes columns of rows.
public struct Update<Target: QuerySource>: ChangingStatement {
    public typealias Shape = NoRows
    public typealias Row = Void
    let clauses: SelectClauses
    let assignments: Assignments
    public var _table: TableReference { clauses.from.tables[0] }

    public var query: QueryFragment {
        guard !assignments.isEmpty,
            let condition = clauses.changeCondition(Target._layout)
        else { return QueryFragment() }
        return QueryFragment(text: "UPDATE ") + QueryFragment([.source(_table)])
            + QueryFragment(text: " SET ") + assignments.fragment + condition
    }
}

/// The columns that a statement sets, one assignment for each.
struct Assignments: Sendable {
    private var names: [String] = []
    private var values: [String: QueryFragment] = [:]

    var isEmpty: Bool { names.isEmpty }

    subscript(name: String) -> QueryFragment? {
        get { values[name] }
        set {
            if values[name] == nil { names.append(name) }
            values[name] = newValue
        }
    }

    var fragment: QueryFragment {
        names.map { name in
            QueryFragment(text: name.quotedIdentifier + " = ") + (values[name] ?? QueryFragment())
        }.commaSeparated
    }
}

/// The columns of the rows that an update changes.
///
/// A column that is read after an assignment gives the assigned expression.
@dynamicMemberLookup
public struct Updates<Columns: ColumnReference>: AssignableColumns {
    public let _columns: Columns
    var assignments = Assignments()

    public mutating func _assign(_ name: String, _ value: QueryFragment) {
        assignments[name] = value
    }

    /// A column.
    public subscript<Value: QueryRepresentable>(
        dynamicMember path: KeyPath<Columns, TableColumn<Value>>
    ) -> SQLQueryExpression<Value> {
        get { current(_columns[keyPath: path]) }
        set { assignments[_columns[keyPath: path].name] = newValue.queryFragment }
    }

    /// A column that any expression is assigned to.
    @_disfavoredOverload
    public subscript<Value: QueryRepresentable>(
        dynamicMember path: KeyPath<Columns, TableColumn<Value>>
    ) -> any QueryExpression<Value> {
        get { current(_columns[keyPath: path]) }
        set { assignments[_columns[keyPath: path].name] = newValue.queryFragment }
    }

    /// A group of columns.
    public subscript<Group: TableColumnsProtocol>(
        dynamicMember path: KeyPath<Columns, Group>
    ) -> Updates<Group> {
        get { Updates<Group>(_columns: _columns[keyPath: path], assignments: assignments) }
        set { assignments = newValue.assignments }
    }

    /// A group of columns that a value is assigned to.
    @_disfavoredOverload
    public subscript<Group: TableColumnsProtocol>(
        dynamicMember path: KeyPath<Columns, Group>
    ) -> any QueryRepresentable<Group.QueryValue> {
        @available(*, unavailable)
        get { fatalError("a group has no value while a query is built") }
        set { assign(Group.QueryValue._layout, newValue.encodedValues) }
    }

    /// An optional group of columns that a value is assigned to.
    public subscript<Group: OuterColumnsProtocol>(
        dynamicMember path: KeyPath<Columns, Group>
    ) -> Group.Inner.QueryValue? {
        @available(*, unavailable)
        get { fatalError("a group has no value while a query is built") }
        set { assign(Group.Inner.QueryValue._layout, newValue.encodedValues) }
    }

    private mutating func assign(_ layout: TableLayout, _ values: [EncodedValue]) {
        for (column, value) in zip(layout.columns, values) where column.isWritable {
            assignments[column.name] = value.fragment
        }
    }

    private func current<Value>(_ column: TableColumn<Value>) -> SQLQueryExpression<Value> {
        SQLQueryExpression(assignments[column.name] ?? column.queryFragment)
    }
}

/// Columns that plain values can be assigned to.
///
/// These members stand in an extension, so that an assignment of an expression is preferred, and only
/// for types that have no operators of the standard library, which would choose their getters.
@dynamicMemberLookup
public protocol AssignableColumns {
    /// The columns.
    associatedtype Columns
    /// The columns.
    var _columns: Columns { get }
    /// Sets a column.
    mutating func _assign(_ name: String, _ value: QueryFragment)
}

extension AssignableColumns {
    /// A column that a value with a representation is assigned to.
    @_disfavoredOverload
    public subscript<Value: ValueRepresentation>(
        dynamicMember path: KeyPath<Columns, TableColumn<Value>>
    ) -> Value.QueryOutput {
        @available(*, unavailable)
        get { fatalError("a column has no value while a query is built") }
        set {
            let column = _columns[keyPath: path]
            _assign(column.name, Value(queryOutput: newValue).encodedValues[0].fragment)
        }
    }

    /// The columns of an enum to which one of its cases is assigned: those of other cases become NULL.
    @_disfavoredOverload
    public subscript<Group: CaseColumns>(
        dynamicMember path: KeyPath<Columns, Group>
    ) -> Group.QueryValue {
        @available(*, unavailable)
        get { fatalError("a group has no value while a query is built") }
        set {
            let names = Group.QueryValue._layout.columns.map(\.name)
            for (name, value) in zip(names, newValue.encodedValues) {
                _assign(name, value.fragment)
            }
        }
    }

    /// A column that a case is assigned to.
    @_disfavoredOverload
    public subscript<Value: QueryBindable & RawRepresentable>(
        dynamicMember path: KeyPath<Columns, TableColumn<Value>>
    ) -> Value {
        @available(*, unavailable)
        get { fatalError("a column has no value while a query is built") }
        set { _assign(_columns[keyPath: path].name, newValue.queryFragment) }
    }

    /// A column that a value or nil is assigned to.
    @_disfavoredOverload
    public subscript<Value: QueryRepresentable>(
        dynamicMember path: KeyPath<Columns, TableColumn<Value?>>
    ) -> Value.QueryOutput? {
        @available(*, unavailable)
        get { fatalError("a column has no value while a query is built") }
        set {
            let column = _columns[keyPath: path]
            _assign(column.name, Value?(queryOutput: newValue).encodedValues[0].fragment)
        }
    }
}

extension SelectStatement where Shape: UnselectedShape {
    /// Changes the rows.
    public func update<From: QuerySource>(
        _ change: (inout Updates<From.SideColumns>) -> Void
    ) -> Update<From> where Tables == Tables1<From> {
        var updates = Updates(_columns: From._sideColumns(_clauses.from.tables[0]))
        change(&updates)
        return Update(clauses: _clauses, assignments: updates.assignments)
    }
}

extension Update {
    /// Keeps to the rows that fulfil conditions.
    public func `where`(
        @ConditionBuilder _ conditions: (Target.SideColumns) -> [QueryFragment]
    ) -> Update {
        var clauses = clauses
        clauses.add(conditions(Target._sideColumns(_table)))
        return Update(clauses: clauses, assignments: assignments)
    }
}

extension Delete {
    /// Keeps to the rows that fulfil conditions.
    public func `where`(
        @ConditionBuilder _ conditions: (Target.SideColumns) -> [QueryFragment]
    ) -> Delete {
        var clauses = clauses
        clauses.add(conditions(Target._sideColumns(_table)))
        return Delete(clauses: clauses)
    }
}

extension Table {
    /// Changes all rows.
    public static func update(
        _ change: (inout Updates<SideColumns>) -> Void
    ) -> Update<Self> {
        Where<Self>().update(change)
    }
}

extension PrimaryKeyedTable {
    /// Writes all columns of a row but its key.
    public static func update(_ row: Self) -> Update<Self> {
        var assignments = Assignments()
        for (column, value) in zip(_layout.columns, row.encodedValues)
        where column.isWritable && !column.options.contains(.primaryKey) {
            assignments[column.name] = value.fragment
        }
        return Update(clauses: clauses(ofKeyOf: row), assignments: assignments)
    }
}

// Changes in place. Each assigns an expression of the column itself.

extension SQLQueryExpression where QueryValue.Unwrapped: _BindableNumber {
    /// Adds to the value of the column.
    public static func += (lhs: inout Self, rhs: QueryValue.Unwrapped.QueryOutput) {
        lhs = lhs + rhs
    }
    /// Subtracts from the value of the column.
    public static func -= (lhs: inout Self, rhs: QueryValue.Unwrapped.QueryOutput) {
        lhs = lhs - rhs
    }
    /// Multiplies the value of the column.
    public static func *= (lhs: inout Self, rhs: QueryValue.Unwrapped.QueryOutput) {
        lhs = lhs * rhs
    }
    /// Divides the value of the column.
    public static func /= (lhs: inout Self, rhs: QueryValue.Unwrapped.QueryOutput) {
        lhs = lhs / rhs
    }
    /// Adds an expression to the value of the column.
    @_disfavoredOverload
    public static func += (lhs: inout Self, rhs: some QueryExpression<QueryValue>) {
        lhs = lhs + rhs
    }
    /// Subtracts an expression from the value of the column.
    @_disfavoredOverload
    public static func -= (lhs: inout Self, rhs: some QueryExpression<QueryValue>) {
        lhs = lhs - rhs
    }
    /// Turns the sign.
    public mutating func negate() { self = -self }
}

extension SQLQueryExpression where QueryValue.Unwrapped == String {
    /// Appends text to the value of the column.
    public static func += (lhs: inout Self, rhs: String) { lhs = lhs + rhs }
    /// Adds an expression to the value of the column.
    @_disfavoredOverload
    public static func += (lhs: inout Self, rhs: some QueryExpression<QueryValue>) {
        lhs = lhs + rhs
    }
    /// Adds a text.
    public mutating func append(_ text: String) { self = self + text }
}

extension SQLQueryExpression where QueryValue.Unwrapped == Bool {
    /// Turns true to false and the reverse.
    public mutating func toggle() { self = !self }
}
