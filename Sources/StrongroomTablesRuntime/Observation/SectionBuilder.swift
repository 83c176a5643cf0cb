internal import StrongroomCore

/// What the rows of a wrapper are put into sections by.
public struct FetchedSection<Name: Hashable & Sendable>: Sendable {
    let columns: [ResultColumn]
    let orders: [OrderTerm]
    let naming: any SectionNaming<Name>

    /// The SQL of the name and of the order.
    var text: QueryFragment {
        (columns.map(\.fragment) + [QueryFragment(text: "|")] + orders.map(\.fragment))
            .commaSeparated
    }
}

/// How the name of a section is read.
protocol SectionNaming<Name>: Sendable {
    associatedtype Name
    func name(_ decoder: inout StatementDecoder) throws -> Name
}

private struct DecodedName<Value: QueryRepresentable>: SectionNaming {
    func name(_ decoder: inout StatementDecoder) throws -> Value.QueryOutput {
        try decoder.decode(Value.self)
    }
}

private struct PresentName<Value: QueryRepresentable>: SectionNaming {
    func name(_ decoder: inout StatementDecoder) throws -> Value.QueryOutput? {
        try decoder.decode(Value.self)
    }
}

private struct NoName<Name>: SectionNaming {
    func name(_ decoder: inout StatementDecoder) throws -> Name? { nil }
}

/// An expression whose values are the names of sections, or nil for one section without a name.
@resultBuilder
public enum SectionBuilder<Name: Hashable & Sendable> {
    /// An expression, in its order.
    public static func buildExpression<Column: QueryExpression>(
        _ term: Column
    ) -> FetchedSection<Name> where Column.QueryValue.QueryOutput == Name {
        FetchedSection(
            columns: term._resultColumns, orders: term._orderingTerms.flatMap(\.terms),
            naming: DecodedName<Column.QueryValue>())
    }

    /// An expression, in an order of it.
    public static func buildExpression<Value: QueryRepresentable>(
        _ term: SectionTerm<Value>
    ) -> FetchedSection<Name> where Value.QueryOutput == Name {
        FetchedSection(
            columns: term.columns, orders: term.orders, naming: DecodedName<Value>())
    }

    /// An expression that is never NULL, in its order.
    public static func buildExpression<Column: QueryExpression, Wrapped>(
        _ term: Column
    ) -> FetchedSection<Name> where Column.QueryValue.QueryOutput == Wrapped, Name == Wrapped? {
        FetchedSection(
            columns: term._resultColumns, orders: term._orderingTerms.flatMap(\.terms),
            naming: PresentName<Column.QueryValue>())
    }

    /// An expression that is never NULL, in an order of it.
    public static func buildExpression<Value: QueryRepresentable, Wrapped>(
        _ term: SectionTerm<Value>
    ) -> FetchedSection<Name> where Value.QueryOutput == Wrapped, Name == Wrapped? {
        FetchedSection(
            columns: term.columns, orders: term.orders, naming: PresentName<Value>())
    }

    /// One section.
    public static func buildExpression<Wrapped>(
        _ term: NoSection?
    ) -> FetchedSection<Name> where Name == Wrapped? {
        FetchedSection(columns: [], orders: [], naming: NoName<Wrapped>())
    }

    public static func buildBlock(_ part: FetchedSection<Name>) -> FetchedSection<Name> { part }
    public static func buildEither(first part: FetchedSection<Name>) -> FetchedSection<Name> {
        part
    }
    public static func buildEither(second part: FetchedSection<Name>) -> FetchedSection<Name> {
        part
    }
    public static func buildOptional<Wrapped>(
        _ part: FetchedSection<Name>?
    ) -> FetchedSection<Name> where Name == Wrapped? {
        part ?? FetchedSection(columns: [], orders: [], naming: NoName<Wrapped>())
    }
}

/// The type of the `nil` that stands for one section without a name.
public enum NoSection {}

extension SelectStatement {
    /// Fetches the rows in sections, in the order of these.
    func fetchSections<Name>(
        _ db: Database, _ section: FetchedSection<Name>
    ) throws -> ResultsSectionCollection<Row, Name> {
        var clauses = _clauses.resolved
        let selected = clauses.columns.isEmpty ? clauses.from.columns : clauses.columns
        clauses.columns = section.columns + selected
        clauses.orders = section.orders + clauses.orders
        guard let run = try run(db, clauses.fragment(isFetched: true)) else {
            return ResultsSectionCollection([])
        }
        var rows: [(Name, Row)] = []
        while try run.step() {
            rows.append(
                try run.decode { decoder in
                    let name = try section.naming.name(&decoder)
                    return (name, try Shape._row(&decoder))
                })
        }
        return ResultsSectionCollection(rows)
    }
}

extension FetchedSection {
    /// A column, in its order.
    static func column<Column: QueryExpression>(_ column: Column) -> Self
    where Column.QueryValue.QueryOutput == Name {
        SectionBuilder.buildExpression(column)
    }

    /// A column that is never NULL, in its order.
    static func column<Column: QueryExpression, Wrapped>(_ column: Column) -> Self
    where Column.QueryValue.QueryOutput == Wrapped, Name == Wrapped? {
        SectionBuilder.buildExpression(column)
    }
}
