public import StrongroomCore

// Columns of one layer in queries of the other.

extension Column {
    /// The column of a table, for requests of records.
    ///
    ///     let urgent = try Tag.filter { _ in Column(Tag.label) == "urgent" }.fetchAll(db)
    public init<Value: QueryRepresentable>(_ column: TableColumn<Value>) {
        self.init(column.name)
    }

    /// The column of a table that the database computes, for requests of records.
    public init<Value: QueryRepresentable>(_ column: GeneratedColumn<Value>) {
        self.init(column.name)
    }
}
