/// What an insert does with rows that are there already.
enum InsertConflict: Sendable {
    case none
    /// ON CONFLICT as it stands.
    case clauses(QueryFragment)
    /// Writes the other columns that are inserted into the row with the same key.
    case key([String])

    /// The end of the statement that inserts into some columns.
    func fragment(writing names: [String], _ layout: TableLayout) -> QueryFragment {
        switch self {
        case .none: return QueryFragment()
        case .clauses(let fragment): return fragment
        case .key(let keys):
            let list = keys.map(\.quotedIdentifier).joined(separator: ", ")
            let sets = names.filter { !keys.contains($0) }.map(\.quotedIdentifier)
                .map { "\($0) = \"excluded\".\($0)" }
            let action = sets.isEmpty ? "NOTHING" : "UPDATE SET " + sets.joined(separator: ", ")
            return QueryFragment(text: " ON CONFLICT (\(list)) DO \(action)")
        }
    }
}

/// The columns in which a row is equal to one that is there.
public struct ConflictTarget<Target: QuerySource> {
    var names: [String]
    var conditions: [QueryFragment]

    init(
        of target: Target.Type, _ columns: (Target.SideColumns) -> [String],
        _ filter: (Target.SideColumns) -> [QueryFragment]
    ) {
        let table = Target._layout.table
        names = columns(Target._sideColumns(table))
        conditions = filter(Target._sideColumns(table)).map { $0.withoutPrefix(of: table) }
    }

    var fragment: QueryFragment {
        let list = names.map(\.quotedIdentifier).joined(separator: ", ")
        var result = QueryFragment(text: " (\(list))")
        if let condition = conditions.conjunction {
            result.append(text: " WHERE ")
            // SQLite finds a partial index by the text of its condition.
            result.append(condition.stored)
        }
        return result
    }
}

/// The columns of a unique index: one, a group, or several.
@resultBuilder
public enum ConflictTargetBuilder {
    public static func buildBlock(_ names: [String]) -> [String] { names }
    public static func buildExpression(_ column: some TableColumnExpression) -> [String] {
        column._columnNames
    }
    public static func buildExpression(
        _ columns: (some TableColumnExpression, some TableColumnExpression)
    ) -> [String] {
        columns.0._columnNames + columns.1._columnNames
    }
    public static func buildExpression(
        _ columns: (
            some TableColumnExpression, some TableColumnExpression, some TableColumnExpression
        )
    ) -> [String] {
        columns.0._columnNames + columns.1._columnNames + columns.2._columnNames
    }
    public static func buildExpression(
        _ columns: (
            some TableColumnExpression, some TableColumnExpression, some TableColumnExpression,
            some TableColumnExpression
        )
    ) -> [String] {
        columns.0._columnNames + columns.1._columnNames + columns.2._columnNames
            + columns.3._columnNames
    }
}

extension Insert {
    private var columns: Target.SideColumns { Target._sideColumns(_table) }
    private var excluded: Target.SideColumns { Target._sideColumns(TableReference("excluded")) }

    /// Leaves rows as they are.
    func ignoring(_ target: ConflictTarget<Target>?) -> Insert {
        adding(target?.fragment, QueryFragment(text: " DO NOTHING"))
    }

    /// Changes rows that are there.
    func updating(
        _ target: ConflictTarget<Target>?,
        _ change: (inout Updates<Target.SideColumns>, Target.SideColumns) -> Void,
        _ conditions: (Target.SideColumns, Target.SideColumns) -> [QueryFragment]
    ) -> Insert {
        var updates = Updates(_columns: columns)
        change(&updates, excluded)
        let condition = conditions(columns, excluded).conjunction
        guard !updates.assignments.isEmpty else {
            let failure = condition.map { _ in QueryFragment(failure: "'where' without an update") }
            let action = QueryFragment(text: " DO NOTHING") + (failure ?? QueryFragment())
            return adding(target?.fragment, action)
        }
        var action = QueryFragment(text: " DO UPDATE SET ") + updates.assignments.fragment
        if let condition { action += QueryFragment(text: " WHERE ") + condition }
        return adding(target?.fragment, action)
    }

    private func adding(_ target: QueryFragment?, _ action: QueryFragment) -> Insert {
        var result = self
        var clauses = QueryFragment()
        if case .clauses(let earlier) = conflict { clauses = earlier }
        if clauses.isEmpty, batches.contains(where: \.needsCondition) {
            clauses = QueryFragment(text: " WHERE 1")
        }
        clauses += QueryFragment(text: " ON CONFLICT") + (target ?? QueryFragment()) + action
        result.conflict = .clauses(clauses)
        return result
    }
}

extension PrimaryKeyedTable {
    /// Inserts rows, or writes their columns into the rows that have their keys.
    ///
    ///     try Folder.upsert { Folder(id: 1, title: "house") }.execute(db)
    ///     try Folder.find(1).fetchOne(db)?.title  // "house"
    public static func upsert(
        @InsertBuilder<Self> _ rows: () -> InsertedRows<Self>
    ) -> Insert<Self> {
        var insert = Insert<Self>(rows: rows().rows)
        let keys = _layout.columns.filter { $0.options.contains(.primaryKey) }
        insert.conflict = .key(keys.map(\.name))
        return insert
    }
}
