public import StrongroomCore

extension QueryFragment: ExpressibleByStringInterpolation {
    /// Makes a fragment of SQL as it stands.
    public init(stringLiteral value: String) { self.init(text: value) }

    /// Makes a fragment of SQL with expressions, names and bound values in it.
    public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.fragment }

    /// Collects the parts of a literal.
    public struct StringInterpolation: StringInterpolationProtocol {
        var fragment = QueryFragment()

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) { fragment.append(text: literal) }

        /// Appends another fragment.
        public mutating func appendInterpolation(_ other: QueryFragment) { fragment.append(other) }

        /// Appends an expression, or binds a value.
        public mutating func appendInterpolation(_ expression: some QueryExpression) {
            fragment.append(expression.queryFragment)
        }

        /// Binds a value, or NULL.
        public mutating func appendInterpolation(_ value: (some QueryBindable)?) {
            fragment.append(value?.queryFragment ?? QueryFragment(.null))
        }

        /// Binds a text.
        @available(*, deprecated, message: "write '\\(bind: s)' for a value, '\\(raw: s)' for SQL")
        public mutating func appendInterpolation(_ text: String) {
            fragment.append(text.queryFragment)
        }

        /// Binds a value through a representation.
        public mutating func appendInterpolation<Value: QueryBindable>(
            _ value: Value.QueryOutput, as type: Value.Type
        ) {
            fragment.append(Value(queryOutput: value).queryFragment)
        }

        /// Binds a value.
        public mutating func appendInterpolation(bind value: some QueryBindable) {
            fragment.append(value.queryFragment)
        }

        /// Appends SQL unchanged.
        public mutating func appendInterpolation(raw text: some LosslessStringConvertible) {
            fragment.append(text: String(text))
        }

        /// Appends the SQL of a statement, without parentheses.
        @_disfavoredOverload
        public mutating func appendInterpolation(_ statement: some Statement) {
            fragment.append(QueryFragment(statement.query.segments))
        }

        /// Appends the SQL of a query, without parentheses.
        @_disfavoredOverload
        public mutating func appendInterpolation(_ statement: some ResultStatement) {
            fragment.append(QueryFragment(statement.query.segments))
        }

        /// Appends the SQL of a select of one value, without parentheses.
        public mutating func appendInterpolation<Shape: ScalarShape, Tables>(
            _ statement: Select<Shape, Tables>
        ) {
            fragment.append(QueryFragment(statement.query.segments))
        }

        /// Appends the SQL of a query with tables of its own, without parentheses.
        public mutating func appendInterpolation<Shape: ScalarShape>(_ statement: With<Shape>) {
            fragment.append(QueryFragment(statement.query.segments))
        }

        /// Appends the SQL of a compound, without parentheses.
        public mutating func appendInterpolation<Shape: ScalarShape>(
            _ statement: Compound<Shape>
        ) {
            fragment.append(QueryFragment(statement.query.segments))
        }

        /// Appends all columns of a table, those that are not read as they are with their names.
        public mutating func appendInterpolation(_ columns: some TableColumnsProtocol) {
            fragment.append(columns._resultColumns.namedList)
        }

        /// Appends all columns of a table, those that are not read as they are with their names.
        public mutating func appendInterpolation(_ columns: some OuterColumnsProtocol) {
            fragment.append(columns._resultColumns.namedList)
        }

        /// Appends a literal of Strongroom.
        public mutating func appendInterpolation(_ literal: SQL) {
            fragment.append(QueryFragment([.deferred(DeferredSQL(literal))]))
        }

        /// Appends an expression of Strongroom, or a request in parentheses.
        @_disfavoredOverload
        public mutating func appendInterpolation(_ expression: some SQLSpecificExpressible) {
            appendInterpolation(SQL(expression))
        }

        /// Appends a name in double quotes, or a text in single quotes.
        public mutating func appendInterpolation(
            quote text: String, delimiter: QuoteDelimiter = .identifier
        ) {
            fragment.append(
                text: delimiter == .text ? text.quotedText : text.quotedIdentifier)
        }

        /// Appends the name of a table as the query knows it.
        public mutating func appendInterpolation<Source: QuerySource>(_ table: Source.Type) {
            fragment.append(QueryFragment([.name(table._layout.table)]))
        }

        /// Appends the names of a column, or of the columns of a group, without table.
        public mutating func appendInterpolation(name column: some TableColumnExpression) {
            let names = column._columnNames.map(\.quotedIdentifier)
            fragment.append(text: names.joined(separator: ", "))
        }

        /// Binds values as a list in parentheses.
        public mutating func appendInterpolation<Values: Sequence>(
            sequence values: Values
        ) where Values.Element: QueryBindable {
            let fragments = values.map(\.queryFragment)
            guard !fragments.isEmpty else { return fragment.append(text: "(SELECT NULL WHERE 0)") }
            fragment.append(text: "(")
            fragment.append(fragments.joined(separator: QueryFragment(text: ", ")))
            fragment.append(text: ")")
        }
    }
}

extension SQLQueryExpression {
    /// A query as an expression: its text in parentheses.
    @_disfavoredOverload
    public init<Query: ResultStatement>(_ statement: Query)
    where Query.Row == QueryValue.QueryOutput {
        self.init(statement.asOperand)
    }

    /// What `#bind` makes.
    public init(_bind value: QueryValue.QueryOutput, as type: QueryValue.Type = QueryValue.self) {
        let representation = QueryValue(queryOutput: value)
        if let expression = representation as? any QueryExpression {
            self.init(expression.queryFragment.withoutMoments)
        } else {
            let fragments = representation.encodedValues.map(\.fragment)
            self.init(fragments.commaSeparated.withoutMoments)
        }
    }
}

/// The marks around a word in SQL.
public enum QuoteDelimiter: Sendable, Hashable {
    /// Double quotes, for names.
    case identifier
    /// Single quotes, for texts.
    case text
}

extension [ResultColumn] {
    /// The columns as a fetched statement has them; those in functions are named.
    fileprivate var namedList: QueryFragment {
        map { column in
            guard let reading = column.reading, let name = column.name else {
                return column.fragment
            }
            var result = reading.applied(to: column.fragment)
            if result.segments == column.fragment.segments { return result }
            result.append(text: " AS " + name.quotedIdentifier)
            return result
        }.commaSeparated
    }
}
