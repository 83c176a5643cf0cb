/// What can stand in the result of a query: an expression, or a Swift value, which may be nil.
///
/// Nothing is asked of its types here: the initialisers of rows have many terms, and the compiler
/// would look at all that a type such as `Int` is for each of them.
public protocol QueryTerm<TermBase> {
    /// The type without optionality.
    associatedtype TermBase
    /// The type of the values.
    associatedtype TermValue
    /// The columns that the term has in a result.
    var _resultColumns: [ResultColumn] { get }
}

/// One column of a result.
public struct ResultColumn: Sendable {
    /// The SQL of the value as it is stored.
    var fragment: QueryFragment
    /// The column's name in the file, or the name that it is given.
    var name: String?
    /// The path of the property.
    var path: String?
    /// What the fetched statement puts around the value.
    var reading: ReadingForm?
    /// Whether the column is given its name by AS.
    var isNamed = false
    /// Whether it is computed over several rows.
    var isAggregate = false
}

/// What can be assigned to a column: an expression.
///
/// It has no members of its own, so that a column that is read in an assignment has those of an
/// expression alone, and the compiler looks no further.
public protocol AssignedExpression<AssignedValue> {
    /// The type of the columns that it can be assigned to.
    associatedtype AssignedValue
    /// The SQL.
    var _assignedFragment: QueryFragment { get }
    /// The SQL of each column of a group.
    var _assignedColumns: [QueryFragment] { get }
    /// The value, where the expression is a valid one that stands for no moment and no thing.
    var _boundValue: QueryBinding? { get }
}

/// An expression of SQL with a type.
public protocol QueryExpression<QueryValue>: QueryTerm, OrderingExpression, AssignedExpression {
    /// The type of the value in the database.
    associatedtype QueryValue: QueryRepresentable
    associatedtype TermBase: QueryRepresentable = QueryValue.Unwrapped
    associatedtype TermValue: QueryRepresentable = QueryValue
    associatedtype AssignedValue: QueryRepresentable = QueryValue
    /// The SQL.
    var queryFragment: QueryFragment { get }
}

extension QueryExpression {
    public var _boundValue: QueryBinding? { nil }
    public var _assignedFragment: QueryFragment { queryFragment }
    public var _assignedColumns: [QueryFragment] { _resultColumns.map(\.fragment) }
    public var _resultColumns: [ResultColumn] {
        [ResultColumn(fragment: queryFragment, reading: ReadingForm(QueryValue.self))]
    }
}

extension Optional: QueryTerm where Wrapped: QueryRepresentable {
    public typealias TermBase = Wrapped.Unwrapped
    public typealias TermValue = Wrapped?
    public var _resultColumns: [ResultColumn] {
        encodedValues.map { ResultColumn(fragment: $0.fragment) }
    }
}

/// An expression of which only the type of its value is known: all operators return it.
public struct SQLQueryExpression<QueryValue: QueryRepresentable>: QueryExpression, Sendable {
    public typealias TermBase = QueryValue.Unwrapped
    public typealias TermValue = QueryValue
    /// The SQL.
    public let queryFragment: QueryFragment

    /// Makes an expression of SQL.
    public init(_ fragment: QueryFragment) { queryFragment = fragment }

    /// Forgets the type of an expression.
    public init(_ expression: some QueryExpression<QueryValue>) {
        queryFragment = expression.queryFragment
    }
}

/// The columns that a row is made of.
public protocol SelectionColumns<QueryValue>: QueryExpression {}

extension SelectionColumns {
    /// The columns, separated by commas.
    public var queryFragment: QueryFragment { _resultColumns.map(\.fragment).commaSeparated }
}
