/// The columns of a record and their values, in the order in which the record gives them.
///
/// Names are compared in any case: the first spelling stays, the last value counts.
public struct PersistenceContainer: Sendable {
    /// The names, or those that are expected in this order: those of another record of the type.
    private var knownNames: [String]
    /// Whether the names are others than expected, so that all that are known are its own.
    private var hasOwnNames = false
    /// The values, in the order of the names.
    private(set) var values: [DatabaseValue] = []

    init(expectedNames: [String] = []) {
        knownNames = expectedNames
        values.reserveCapacity(expectedNames.count)
    }

    /// The columns of a record.
    init(of record: some EncodableRecord, expectedNames: [String] = []) throws {
        self.init(expectedNames: expectedNames)
        try record.encode(to: &self)
    }

    /// The value of a column; nil for NULL, and for a column that was given none.
    ///
    /// A value that was set is stored like what is got, and need not be the same.
    @_disfavoredOverload
    public subscript(_ column: String) -> (any DatabaseValueConvertible)? {
        get { self[databaseValueFor: column]?.storage.value }
        @inlinable set { set(newValue?.databaseValue ?? .null, for: column) }
    }

    /// The value of a column; nil for NULL, and for a column that was given none.
    @_disfavoredOverload
    public subscript(_ column: some ColumnExpression) -> (any DatabaseValueConvertible)? {
        get { self[column.name] }
        @inlinable set { self[column.name] = newValue }
    }

    // The same for a type that the compiler knows: values are put into no existential, which took
    // longer than all else that is done with them.

    /// The value of a column; nil for NULL, and for a column that was given none.
    public subscript<Value: DatabaseValueConvertible>(_ column: String) -> Value? {
        get { self[databaseValueFor: column].flatMap(Value.fromDatabaseValue) }
        @inlinable @inline(__always) set {
            set(newValue?.databaseValue ?? .null, for: column)
        }
    }

    /// The value of a column; nil for NULL, and for a column that was given none.
    public subscript<Value: DatabaseValueConvertible>(
        _ column: some ColumnExpression
    ) -> Value? {
        get { self[column.name] }
        @inlinable @inline(__always) set { self[column.name] = newValue }
    }

    /// Whether there are the expected names, and no others.
    var isAsExpected: Bool { !hasOwnNames && values.count == knownNames.count }

    var names: [String] {
        knownNames.count == values.count ? knownNames : Array(knownNames.prefix(values.count))
    }

    subscript(databaseValueFor column: String) -> DatabaseValue? {
        index(of: column).map { values[$0] }
    }

    @usableFromInline
    mutating func set(_ value: consuming DatabaseValue, for column: String) {
        let position = values.count
        if !hasOwnNames, position < knownNames.count, knownNames[position] == column {
            values.append(value)
        } else if let index = index(of: column) {
            values[index] = value
        } else {
            knownNames = names + [column]
            hasOwnNames = true
            values.append(value)
        }
    }

    /// Where a column is, in any case.
    private func index(of column: String) -> Int? {
        let names = names
        if let index = names.firstIndex(of: column) { return index }
        let folded = column.lowercased()
        return names.firstIndex { $0.lowercased() == folded }
    }

    /// The columns whose values are others in another container, with the values there.
    func changes(from other: PersistenceContainer) -> [String: DatabaseValue] {
        var changes: [String: DatabaseValue] = [:]
        for (name, value) in self {
            let otherValue = other[databaseValueFor: name] ?? .null
            if otherValue != value { changes[name] = otherValue }
        }
        return changes
    }
}

extension PersistenceContainer: RandomAccessCollection {
    public var startIndex: Int { 0 }

    public var endIndex: Int { values.count }

    public subscript(position: Int) -> (String, DatabaseValue) {
        (knownNames[position], values[position])
    }
}
