public import StrongroomTablesRuntime

// `#sql` of statements without rows, and of rows of several values.

/// Makes statements of SQL as they are written, with bound values in them.
///
///     try #sql("CREATE TABLE items (id INTEGER PRIMARY KEY)").execute(db)
@freestanding(expression)
public macro sql(_ sql: QueryFragment) -> SQLStatement =
    #externalMacro(module: "StrongroomTablesMacros", type: "SQLMacro")

/// Makes a query of SQL as it is written, with 2 values in each row.
///
///     let sizes = #sql("SELECT title, length(title) FROM items", as: (String, Int).self)
///     for (title, length) in try sizes.fetchAll(db) { print(title, length) }
@freestanding(expression)
public macro sql<A: QueryRepresentable, B: QueryRepresentable>(
    _ sql: QueryFragment, as type: (A, B).Type
) -> SQLRows<Tuple2<A, B>> =
    #externalMacro(module: "StrongroomTablesMacros", type: "SQLMacro")

/// Makes a query of SQL as it is written, with 3 values in each row.
@freestanding(expression)
public macro sql<A: QueryRepresentable, B: QueryRepresentable, C: QueryRepresentable>(
    _ sql: QueryFragment, as type: (A, B, C).Type
) -> SQLRows<Tuple3<A, B, C>> =
    #externalMacro(module: "StrongroomTablesMacros", type: "SQLMacro")

/// Makes a query of SQL as it is written, with 4 values in each row.
@freestanding(expression)
public macro sql<
    A: QueryRepresentable, B: QueryRepresentable, C: QueryRepresentable,
    D: QueryRepresentable
>(
    _ sql: QueryFragment, as type: (A, B, C, D).Type
) -> SQLRows<Tuple4<A, B, C, D>> =
    #externalMacro(module: "StrongroomTablesMacros", type: "SQLMacro")

/// Makes a query of SQL as it is written, with 5 values in each row.
@freestanding(expression)
public macro sql<
    A: QueryRepresentable, B: QueryRepresentable, C: QueryRepresentable,
    D: QueryRepresentable, E: QueryRepresentable
>(
    _ sql: QueryFragment, as type: (A, B, C, D, E).Type
) -> SQLRows<Tuple5<A, B, C, D, E>> =
    #externalMacro(module: "StrongroomTablesMacros", type: "SQLMacro")

/// Makes a query of SQL as it is written, with 6 values in each row.
@freestanding(expression)
public macro sql<
    A: QueryRepresentable, B: QueryRepresentable, C: QueryRepresentable,
    D: QueryRepresentable, E: QueryRepresentable, F: QueryRepresentable
>(
    _ sql: QueryFragment, as type: (A, B, C, D, E, F).Type
) -> SQLRows<Tuple6<A, B, C, D, E, F>> =
    #externalMacro(module: "StrongroomTablesMacros", type: "SQLMacro")
