// `@Table` and `@Selection` add `@_ColumnCheck` to properties and cases whose type they do not know. Its
// second argument is a call of an overloaded function: the compiler finds the type of the result, and
// with it the macro, which reports at the property. A type that can be stored has one that does nothing.
public import StrongroomTablesRuntime

/// A type that can be stored: nothing is reported.
@attached(peer)
public macro _ColumnCheck(_ name: String, _ verdict: _StorableColumn) =
    #externalMacro(module: "StrongroomTablesMacros", type: "ColumnMacro")

/// A type that is neither a column nor a group of columns.
@attached(peer)
public macro _ColumnCheck(_ name: String, _ verdict: _UnstorableColumn) =
    #externalMacro(module: "StrongroomTablesMacros", type: "UnstorableMacro")

/// A type that could be a document of JSON.
@attached(peer)
public macro _ColumnCheck(_ name: String, _ verdict: _UnstorableCodableColumn) =
    #externalMacro(module: "StrongroomTablesMacros", type: "UnstorableCodableMacro")

/// A type that could be stored by its raw value.
@attached(peer)
public macro _ColumnCheck(_ name: String, _ verdict: _UnstorableRawValueColumn) =
    #externalMacro(module: "StrongroomTablesMacros", type: "UnstorableRawValueMacro")

/// A type that could be stored in both ways.
@attached(peer)
public macro _ColumnCheck(_ name: String, _ verdict: _UnstorableCodableRawValueColumn) =
    #externalMacro(module: "StrongroomTablesMacros", type: "UnstorableCodableRawValueMacro")

/// A group of columns that has the name of a column.
@attached(peer)
public macro _ColumnCheck(_ name: String, _ verdict: _NamedGroup) =
    #externalMacro(module: "StrongroomTablesMacros", type: "NamedGroupMacro")

/// A group of columns that is to be generated.
@attached(peer)
public macro _ColumnCheck(_ name: String, _ verdict: _GeneratedGroup) =
    #externalMacro(module: "StrongroomTablesMacros", type: "GeneratedGroupMacro")
