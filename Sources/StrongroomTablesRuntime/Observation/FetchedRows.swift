internal import StrongroomCore

/// The rows of a query, and their sections.
struct FetchedRows<Element: Sendable, Name: Hashable & Sendable>: Sendable {
    let rows: [Element]
    let sections: ResultsSectionCollection<Element, Name>

    /// One section, and none for no rows.
    init(_ rows: [Element], name: Name) {
        self.rows = rows
        sections = ResultsSectionCollection(rows, name: name)
    }

    /// No rows.
    init() {
        rows = []
        sections = ResultsSectionCollection([])
    }

    init(_ sections: ResultsSectionCollection<Element, Name>) {
        self.sections = sections
        rows = sections.flatMap(\.elements)
    }

    static var areEqual: (@Sendable (Self, Self) -> Bool)? {
        guard let areEqual = equality(of: [Element].self) else { return nil }
        return { lhs, rhs in
            lhs.sections.count == rhs.sections.count
                && zip(lhs.sections, rhs.sections).allSatisfy {
                    $0.name == $1.name && $0.count == $1.count
                } && areEqual(lhs.rows, rhs.rows)
        }
    }
}

extension FetchQuery {
    /// The rows of a statement.
    static func rows<S: Statement, Name>(
        _ statement: S, name: Name
    ) -> Self where Value == FetchedRows<S.Row, Name> {
        FetchQuery(
            key: FetchKey(StatementKey(statement, nil)), isConstant: true,
            areEqual: FetchedRows.areEqual
        ) {
            FetchedRows(try statement.fetchAll($0), name: name)
        }
    }

    /// The rows of a select in sections.
    static func rows<S: SelectStatement, Name>(
        _ statement: S, _ section: FetchedSection<Name>
    ) -> Self where Value == FetchedRows<S.Row, Name> {
        FetchQuery(
            key: FetchKey(StatementKey(statement, section.text)), isConstant: true,
            areEqual: FetchedRows.areEqual
        ) {
            FetchedRows(try statement.fetchSections($0, section))
        }
    }

    /// The first row of a statement, or another value where there is none.
    static func row<S: Statement>(
        _ statement: S, key: String = "", _ value: @escaping @Sendable (S.Row) -> Value,
        none: @escaping @Sendable () throws -> Value
    ) -> Self {
        FetchQuery(
            key: FetchKey(StatementKey(statement, nil)), isConstant: true,
            areEqual: equality(of: Value.self)
        ) {
            try statement.fetchOne($0).map(value) ?? none()
        }
    }

    /// The first row of a statement, which there must be.
    static func row<S: Statement>(_ statement: S, key: String = "") -> Self
    where S.Row == Value {
        let table = (statement as? any SelectStatement)?._clauses.from.tables[0].name
        return row(statement, { $0 }, none: { throw NotFound(table: table ?? "", key: key) })
    }

    /// The first row of a statement, and nil where there is none.
    static func optionalRow<S: Statement>(_ statement: S) -> Self where Value == S.Row? {
        row(statement, { $0 }, none: { nil })
    }
}

/// A statement by its SQL and its values.
private struct StatementKey: Hashable, Sendable {
    let type: ObjectIdentifier
    let query: QueryFragment
    let section: QueryFragment?
    /// Fragments are equal by their text, which SQL of Strongroom has only on a connection.
    let segments: [QueryFragment.Segment]

    init<S: Statement>(_ statement: S, _ section: QueryFragment?) {
        type = ObjectIdentifier(S.self)
        query = statement._fetchedQuery
        self.section = section
        segments = query.hasDeferred ? query.segments : []
    }
}
