/// The columns by which a table refers to another, where the schema does not say it, or says two.
///
///     struct Book: TableRecord {
///         static let author = belongsTo(Person.self, using: ForeignKey(["authorId"]))
///         static let translator = belongsTo(Person.self, using: ForeignKey(["translatorId"]))
///     }
public struct ForeignKey: Equatable, Sendable {
    let originColumns: [String]
    /// The columns that are referred to; nil where the schema says it, or the primary key does.
    let destinationColumns: [String]?

    /// Columns by name.
    ///
    /// - Parameters:
    ///   - originColumns: The columns of the table that refers to the other.
    ///   - destinationColumns: The columns that are referred to, in the same order; by default
    ///     those of the schema's foreign key with these columns, or the primary key.
    public init(_ originColumns: [String], to destinationColumns: [String]? = nil) {
        self.originColumns = originColumns
        self.destinationColumns = destinationColumns
    }

    /// Columns, as for names.
    public init(
        _ originColumns: [any ColumnExpression],
        to destinationColumns: [any ColumnExpression]? = nil
    ) {
        self.init(originColumns.map(\.name), to: destinationColumns?.map(\.name))
    }
}
