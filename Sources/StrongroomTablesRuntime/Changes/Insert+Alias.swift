// Rows that are inserted into a table under another name: INSERT INTO "traits" AS "olds" …

extension Where where From: Table {
    /// Inserts rows; the name of the table is that of the query, which has no other clause.
    public func insert(
        or resolution: ConflictResolution? = nil,
        @InsertBuilder<From> _ rows: () -> [InsertedRow<From>]
    ) -> Insert<From> {
        renaming(From.insert(or: resolution, rows))
    }

    /// Inserts values into columns; the name of the table is that of the query, which has no other
    /// clause.
    public func insert<Shape>(
        or resolution: ConflictResolution? = nil,
        @WrittenColumnsBuilder _ columns: (From.SideColumns) -> WrittenColumns<Shape>,
        @WrittenRowsBuilder<Shape> values: () -> [[QueryFragment]]
    ) -> Insert<From> {
        renaming(From.insert(or: resolution, columns, values: values))
    }

    private func renaming(_ insert: Insert<From>) -> Insert<From> {
        var result = insert
        result._table = _clauses.from.tables[0]
        guard _clauses.conditions.isEmpty else {
            let failure = QueryFragment(failure: "an insert takes no conditions")
            result.batches.append(
                InsertBatch(names: [], source: .query(failure, endsWithTable: false)))
            return result
        }
        return result
    }
}
