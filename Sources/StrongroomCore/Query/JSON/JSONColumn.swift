/// A column that has JSON.
///
///     enum Columns {
///         static let name = Column(CodingKeys.name)
///         static let address = JSONColumn(CodingKeys.address)
///     }
///     // SELECT "address" ->> 'country' FROM "player"
///     let countries = try Player.select({ $0.address["country"] }, as: String.self).fetchAll(db)
///
/// It is a column like others, besides what `SQLJSONExpressible` adds.
public struct JSONColumn: ColumnExpression, SQLJSONExpressible, Sendable {
    public var name: String

    /// The column of a name, without quotes.
    ///
    ///     let request = Player.filter(JSONColumn("address")["city"] == "Ghent")
    public init(_ name: String) {
        self.name = name
    }

    /// The column of the same name as a coding key.
    public init(_ codingKey: some CodingKey) {
        name = codingKey.stringValue
    }

    public var sqlExpression: SQLExpression { SQLExpression(ColumnName(name, isJSON: true)) }
}
