// The answers to the question whether a type can be a column. Only the compiler calls these functions: it
// finds the overload, whose result decides which macro `@_ColumnCheck` is. Those that are disfavored are
// for types that are not `QueryRepresentable`, and among them the one that asks for most is taken.

/// The type can be stored.
public struct _StorableColumn: Sendable {}

/// The type is neither a column nor a group of columns.
public struct _UnstorableColumn: Sendable {}

/// The same of a type that is `Codable`.
public struct _UnstorableCodableColumn: Sendable {}

/// The same of a type whose raw value can be stored.
public struct _UnstorableRawValueColumn: Sendable {}

/// The same of a type that has both.
public struct _UnstorableCodableRawValueColumn: Sendable {}

/// The type is a group of columns, and the property has the name of a column.
public struct _NamedGroup: Sendable {}

/// The type is a group of columns, and the property is generated.
public struct _GeneratedGroup: Sendable {}

/// A type that can be stored: nothing is reported.
public func _check<Value: QueryRepresentable>(_ type: Value.Type) -> _StorableColumn {
    .init()
}

/// A type that is neither a column nor a group of columns.
@_disfavoredOverload
public func _check<Value>(_ type: Value.Type) -> _UnstorableColumn {
    .init()
}

/// A type that could be a document of JSON.
@_disfavoredOverload
public func _check<Value: Codable>(_ type: Value.Type) -> _UnstorableCodableColumn {
    .init()
}

/// A type that could be stored by its raw value.
@_disfavoredOverload
public func _check<Value: RawRepresentable>(_ type: Value.Type) -> _UnstorableRawValueColumn
where Value.RawValue: QueryBindable {
    .init()
}

/// A type that could be stored in both ways.
@_disfavoredOverload
public func _check<Value: RawRepresentable & Codable>(
    _ type: Value.Type
) -> _UnstorableCodableRawValueColumn where Value.RawValue: QueryBindable {
    .init()
}

/// The default of a type that can be stored: nothing is reported.
public func _check<Value: QueryRepresentable>(of value: Value) -> _StorableColumn {
    .init()
}

/// The default of a type that is neither a column nor a group of columns.
@_disfavoredOverload
public func _check<Value>(of value: Value) -> _UnstorableColumn {
    .init()
}

/// A group of columns that has the name of a column.
public func _check<Value: _ColumnGroup>(named type: Value.Type) -> _NamedGroup {
    .init()
}

/// A type that is no group of columns: nothing is reported.
@_disfavoredOverload
public func _check<Value>(named type: Value.Type) -> _StorableColumn {
    .init()
}

/// A group of columns that is to be generated.
public func _check<Value: _ColumnGroup>(generated type: Value.Type) -> _GeneratedGroup {
    .init()
}

/// A type that is no group of columns: nothing is reported.
@_disfavoredOverload
public func _check<Value>(generated type: Value.Type) -> _StorableColumn {
    .init()
}
