/// A column of a table, by its name.
///
///     let request: SQLRequest<String> = "SELECT \(Column("name")) FROM player"
public struct Column: ColumnExpression, Sendable {
    public var name: String

    /// The column of a name, without quotes.
    ///
    ///     let request = Player.filter(Column("score") > 100)
    public init(_ name: String) {
        self.name = name
    }

    /// The column of the same name as a coding key.
    public init(_ codingKey: some CodingKey) {
        name = codingKey.stringValue
    }

    /// The number of a row. <https://www.sqlite.org/rowidtable.html>
    public static let rowID = Column("rowid")

    /// How well a row matches, in an FTS5 table. <https://www.sqlite.org/fts5.html>
    public static let rank = Column("rank")
}
