public import StrongroomCore

/// Rows that are equal in what a query was told to make sections by.
public struct ResultsSection<Element, Name: Hashable> {
    /// What the rows are equal in.
    public let name: Name
    /// The rows, in the order of the query.
    public let elements: [Element]
}

extension ResultsSection: Sendable where Element: Sendable, Name: Sendable {}
extension ResultsSection: Equatable where Element: Equatable {}

extension ResultsSection: Identifiable {
    /// What the rows are equal in.
    public var id: Name { name }
}

extension ResultsSection: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { elements.count }
    public subscript(position: Int) -> Element { elements[position] }
}

/// The rows of a query in sections.
///
/// Invariant: no two sections have the same name.
public struct ResultsSectionCollection<Element, Name: Hashable> {
    private let sections: [ResultsSection<Element, Name>]
    private let positions: [Name: Int]

    /// Puts rows with the same name into one section, which stands where its first row does.
    init(_ rows: [(Name, Element)]) {
        var names: [Name] = []
        var positions: [Name: Int] = [:]
        var elements: [[Element]] = []
        for (name, element) in rows {
            if let position = positions[name] {
                elements[position].append(element)
                continue
            }
            positions[name] = names.count
            names.append(name)
            elements.append([element])
        }
        sections = zip(names, elements).map { ResultsSection(name: $0, elements: $1) }
        self.positions = positions
    }

    /// All rows in one section; none for no rows.
    init(_ rows: [Element], name: Name) {
        sections = rows.isEmpty ? [] : [ResultsSection(name: name, elements: rows)]
        positions = rows.isEmpty ? [:] : [name: 0]
    }

    /// The names, in the order of the sections.
    public var sectionNames: [Name] { sections.map(\.name) }

    /// The section with a name, if there is one.
    public subscript(sectionName name: Name) -> ResultsSection<Element, Name>? {
        positions[name].map { sections[$0] }
    }

    /// Whether there is a section with a name.
    public func contains(sectionName name: Name) -> Bool { positions[name] != nil }

    /// Where the section with a name stands, if there is one.
    public func index(ofSectionNamed name: Name) -> Int? { positions[name] }
}

extension ResultsSectionCollection: Sendable where Element: Sendable, Name: Sendable {}
extension ResultsSectionCollection: Equatable where Element: Equatable {}

extension ResultsSectionCollection: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { sections.count }
    public subscript(position: Int) -> ResultsSection<Element, Name> { sections[position] }
}

/// What a query makes sections by, and their order.
public struct SectionTerm<Value: QueryRepresentable> {
    let columns: [ResultColumn]
    let orders: [OrderTerm]
}

extension QueryExpression {
    /// The sections from the smallest to the largest.
    @_disfavoredOverload
    public func asc(nulls: NullOrdering? = nil) -> SectionTerm<QueryValue> {
        section(.ascending, nulls)
    }

    /// The sections from the largest to the smallest.
    @_disfavoredOverload
    public func desc(nulls: NullOrdering? = nil) -> SectionTerm<QueryValue> {
        section(.descending, nulls)
    }

    fileprivate func section(
        _ direction: OrderTerm.Direction?, _ nulls: NullOrdering?
    ) -> SectionTerm<QueryValue> {
        let terms = _orderingTerms.flatMap(\.terms).map {
            OrderTerm(term: $0.term, direction: direction, nulls: nulls)
        }
        return SectionTerm(columns: _resultColumns, orders: terms)
    }
}

extension SelectStatement {
    /// Fetches the rows in sections by a column of the first table, in its order.
    public func fetchAll<Column: QueryExpression>(
        _ db: Database, sectionBy path: KeyPath<Tables.First.SideColumns, Column>
    ) throws -> ResultsSectionCollection<Row, Column.QueryValue.QueryOutput>
    where Column.QueryValue.QueryOutput: Hashable {
        try sections(db, firstColumns[keyPath: path].section(nil, nil))
    }

    /// Fetches the rows in sections by an expression, in its order.
    public func fetchAll<Column: QueryExpression>(
        _ db: Database, sectionBy term: (Tables.Arguments) -> Column
    ) throws -> ResultsSectionCollection<Row, Column.QueryValue.QueryOutput>
    where Column.QueryValue.QueryOutput: Hashable {
        try sections(db, term(arguments).section(nil, nil))
    }

    /// Fetches the rows in sections by an expression, in an order of it.
    public func fetchAll<Value: QueryRepresentable>(
        _ db: Database, sectionBy term: (Tables.Arguments) -> SectionTerm<Value>
    ) throws -> ResultsSectionCollection<Row, Value.QueryOutput>
    where Value.QueryOutput: Hashable {
        try sections(db, term(arguments))
    }

    private func sections<Value: QueryRepresentable>(
        _ db: Database, _ term: SectionTerm<Value>
    ) throws -> ResultsSectionCollection<Row, Value.QueryOutput>
    where Value.QueryOutput: Hashable {
        let ordered: Select<Shape, Tables> = changed { clauses in
            clauses = clauses.resolved
            clauses.orders = term.orders + clauses.orders
        }
        let name = SectionName<Value>(_resultColumns: term.columns)
        return ResultsSectionCollection(try ordered.rows(db, with: name))
    }
}

/// The columns of what sections are made by.
private struct SectionName<QueryValue: QueryRepresentable>: QueryExpression {
    typealias TermBase = QueryValue.Unwrapped
    typealias TermValue = QueryValue
    let _resultColumns: [ResultColumn]
    var queryFragment: QueryFragment { _resultColumns.map(\.fragment).commaSeparated }
}

extension QuerySource {
    /// Fetches the rows in sections by a column, in its order.
    public static func fetchAll<Column: QueryExpression>(
        _ db: Database, sectionBy path: KeyPath<DefaultScope.Tables.First.SideColumns, Column>
    ) throws -> ResultsSectionCollection<DefaultScope.Row, Column.QueryValue.QueryOutput>
    where Column.QueryValue.QueryOutput: Hashable {
        try all.fetchAll(db, sectionBy: path)
    }
}
