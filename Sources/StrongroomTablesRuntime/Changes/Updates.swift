/// The columns of the rows that an update changes.
///
/// A column that is read after an assignment gives the assigned expression.
@dynamicMemberLookup
public struct Updates<Columns: ColumnReference>: AssignableColumns {
    public let _columns: Columns
    @usableFromInline var assignments: Assignments

    @inlinable
    init(_columns: Columns, assignments: Assignments = Assignments()) {
        self._columns = _columns
        self.assignments = assignments
    }

    public mutating func _assign(_ name: String, _ value: QueryFragment) {
        assignments[name] = value
    }

    // Inlined, the value is bound without asking what its type is.
    @inlinable
    public mutating func _assign(_ name: String, value: any AssignedExpression) {
        if let bound = value._boundValue {
            assignments.bind(name, bound)
        } else {
            _assign(name, value._assignedFragment)
        }
    }

    /// A column.
    public subscript<Value: QueryRepresentable>(
        dynamicMember path: KeyPath<Columns, TableColumn<Value>>
    ) -> SQLQueryExpression<Value> {
        get { current(_columns[keyPath: path]) }
        // Inlined, the path is an access to the column.
        @inlinable set { _assign(_columns[keyPath: path].name, newValue.queryFragment) }
    }

    /// A column that any expression is assigned to.
    @_disfavoredOverload
    public subscript<Value: QueryRepresentable>(
        dynamicMember path: KeyPath<Columns, TableColumn<Value>>
    ) -> any AssignedExpression<Value> {
        get { current(_columns[keyPath: path]) }
        @inlinable set { _assign(_columns[keyPath: path].name, value: newValue) }
    }

    /// A column with NULLs that an expression without them is assigned to.
    @_disfavoredOverload
    public subscript<Value: QueryRepresentable>(
        dynamicMember path: KeyPath<Columns, TableColumn<Value?>>
    ) -> any AssignedExpression<Value> {
        @available(*, unavailable)
        get { fatalError("the column has NULLs, which the type has not") }
        @inlinable set { _assign(_columns[keyPath: path].name, value: newValue) }
    }

    /// A column with NULLs that a case is assigned to, whose type may follow from the column.
    @_disfavoredOverload
    public subscript<Value: QueryRepresentable>(
        dynamicMember path: KeyPath<Columns, TableColumn<Value?>>
    ) -> any AssignedCase<Value> {
        @available(*, unavailable)
        get { fatalError("a column is no case") }
        @inlinable set { _assign(_columns[keyPath: path].name, value: newValue) }
    }

    /// A column of truth values that a condition is assigned to: one that is NULL fails in SQLite.
    @_disfavoredOverload
    public subscript(
        dynamicMember path: KeyPath<Columns, TableColumn<Bool>>
    ) -> any AssignedExpression<Bool?> {
        @available(*, unavailable)
        get { fatalError("the column has no NULLs, which the type has") }
        @inlinable set { _assign(_columns[keyPath: path].name, value: newValue) }
    }

    /// A date column that the clock of SQLite is assigned to.
    @_disfavoredOverload
    public subscript<Value: QueryRepresentable>(
        dynamicMember path: KeyPath<Columns, TableColumn<Value>>
    ) -> DateExpression<Value.Unwrapped> where Value.Unwrapped: _DateValue {
        @available(*, unavailable)
        get { fatalError("a column is no clock") }
        @inlinable set { _assign(_columns[keyPath: path].name, newValue.queryFragment) }
    }

    /// A group of columns.
    public subscript<Group: TableColumnsProtocol>(
        dynamicMember path: KeyPath<Columns, Group>
    ) -> Updates<Group> {
        get { Updates<Group>(_columns: _columns[keyPath: path], assignments: assignments) }
        set {
            let before = assignments
            assignments = newValue.assignments
            guard Group.self is any CaseColumns.Type else { return }
            assignments.keepOneCase(of: Group.QueryValue._layout, before: before)
        }
    }

    /// A group of columns that a row of expressions is assigned to.
    @_disfavoredOverload
    public subscript<Group: TableColumnsProtocol>(
        dynamicMember path: KeyPath<Columns, Group>
    ) -> any SelectionColumns<Group.QueryValue> {
        @available(*, unavailable)
        get { fatalError("a group has no value while a query is built") }
        set {
            let columns = Group.QueryValue._layout.columns
            for (column, value) in zip(columns, newValue._resultColumns) where column.isWritable {
                assignments[column.name] = value.fragment
            }
        }
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

    /// An optional group of columns.
    public subscript<Group: OuterColumnsProtocol>(
        dynamicMember path: KeyPath<Columns, Group>
    ) -> Updates<Group> {
        get { Updates<Group>(_columns: _columns[keyPath: path], assignments: assignments) }
        set { assignments = newValue.assignments }
    }

    /// An optional group of columns that a value is assigned to.
    @_disfavoredOverload
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

extension Updates where Columns: CaseColumns {
    /// The columns of one case, which are read one by one and assigned as a whole.
    public subscript<Group: OuterColumnsProtocol>(
        dynamicMember path: KeyPath<Columns, Group>
    ) -> Updates<Group> {
        get { Updates<Group>(_columns: _columns[keyPath: path], assignments: assignments) }
        @available(*, unavailable, message: "assign the whole case")
        set { assignments = newValue.assignments }
    }
}

/// Columns that plain values can be assigned to.
///
/// These members stand in an extension, so that an assignment of an expression is preferred, and
/// only for types that have no operators of the standard library, which would choose their getters.
@dynamicMemberLookup
public protocol AssignableColumns {
    /// The columns.
    associatedtype Columns
    /// The columns.
    var _columns: Columns { get }
    /// Sets a column.
    mutating func _assign(_ name: String, _ value: QueryFragment)
    /// Sets a column to an expression, which may be a value.
    mutating func _assign(_ name: String, value: any AssignedExpression)
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

    /// The columns of an enum to which a case is assigned: those of other cases become NULL.
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
        @inlinable set { _assign(_columns[keyPath: path].name, value: newValue) }
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
