// `@Table` and `@Selection` add `@_ColumnCheck` to properties and cases whose type they do not know. Its
// second argument is a call of an overloaded function: the compiler finds the type of the result, and
// with it the macro, which reports at the property. A type that can be stored has one that does nothing.
public import StrongroomTablesRuntime

@attached(peer)
public macro _ColumnCheck(_ name: String, _ verdict: _StorableColumn) =
    #externalMacro(module: "StrongroomTablesMacros", type: "ColumnMacro")

@attached(peer)
public macro _ColumnCheck(_ name: String, _ verdict: _UnstorableColumn) =
    #externalMacro(module: "StrongroomTablesMacros", type: "UnstorableMacro")

@attached(peer)
public macro _ColumnCheck(_ name: String, _ verdict: _UnstorableCodableColumn) =
    #externalMacro(module: "StrongroomTablesMacros", type: "UnstorableCodableMacro")

@attached(peer)
public macro _ColumnCheck(_ name: String, _ verdict: _UnstorableRawValueColumn) =
    #externalMacro(module: "StrongroomTablesMacros", type: "UnstorableRawValueMacro")

@attached(peer)
public macro _ColumnCheck(_ name: String, _ verdict: _UnstorableCodableRawValueColumn) =
    #externalMacro(module: "StrongroomTablesMacros", type: "UnstorableCodableRawValueMacro")

@attached(peer)
public macro _ColumnCheck(_ name: String, _ verdict: _NamedGroup) =
    #externalMacro(module: "StrongroomTablesMacros", type: "NamedGroupMacro")

@attached(peer)
public macro _ColumnCheck(_ name: String, _ verdict: _GeneratedGroup) =
    #externalMacro(module: "StrongroomTablesMacros", type: "GeneratedGroupMacro")
