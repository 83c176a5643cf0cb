/// A type whose values are columns.
///
///     enum Columns: String, ColumnExpression {
///         case id, name, score
///     }
public protocol ColumnExpression: SQLSpecificExpressible {
    /// The name of the column, without quotes.
    var name: String { get }
}

extension ColumnExpression {
    public var sqlExpression: SQLExpression { SQLExpression(ColumnName(name)) }

    /// The column without the name of its table, wherever it stands: a name that a query defines.
    public var detached: SQLExpression { SQLExpression(ColumnName(name, isDetached: true)) }
}

extension ColumnExpression where Self: RawRepresentable, RawValue == String {
    public var name: String { rawValue }
}

extension ColumnExpression where Self: CodingKey {
    public var name: String { stringValue }
}

extension ColumnExpression where Self: CodingKey & RawRepresentable, RawValue == String {
    public var name: String { stringValue }
}

// A raw value is a column's name here, not the value that it is elsewhere.

extension ColumnExpression where Self: RawRepresentable, RawValue: SQLExpressible {
    public var sqlExpression: SQLExpression { SQLExpression(ColumnName(name)) }
}
