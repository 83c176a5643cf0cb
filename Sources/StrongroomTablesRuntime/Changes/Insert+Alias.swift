// Rows for a table that the statement knows by another name: `INSERT INTO "tags" AS "ts" …`.

extension Where where From: Table {
    /// Inserts rows into the table under the name that it has here.
    ///
    ///     enum Copy: AliasName {}
    ///     let copy = Folder.as(Copy.self).insert { Folder.Draft(title: "attic") }
    ///     // INSERT INTO "folders" AS "copies" ("title", "parentID") VALUES ('attic', NULL)
    public func insert(
        or resolution: ConflictResolution? = nil,
        @InsertBuilder<From> _ rows: () -> InsertedRows<From>
    ) -> Insert<From> {
        renamed(From.insert(or: resolution, rows))
    }

    /// Inserts values into columns of the table under the name that it has here.
    public func insert<Shape>(
        or resolution: ConflictResolution? = nil,
        @WrittenColumnsBuilder _ columns: (From.SideColumns) -> WrittenColumns<Shape>,
        @WrittenRowsBuilder<Shape> values: () -> [[QueryFragment]]
    ) -> Insert<From> {
        renamed(From.insert(or: resolution, columns, values: values))
    }

    private func renamed(_ insert: Insert<From>) -> Insert<From> {
        var result = insert
        result._table = _clauses.from.tables[0]
        if !_clauses.conditions.isEmpty {
            result.conflict = .clauses(QueryFragment(failure: "an insert has no conditions"))
        }
        return result
    }
}
