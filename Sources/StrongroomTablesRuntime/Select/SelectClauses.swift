/// The clauses of a select, without the types of its tables and rows.
///
/// Invariants:
/// 1. `isEmpty` stays once it is set: every clause after `none` keeps the query empty.
/// 2. While `scope` is set, the clauses of the table's default scope are still to be added.
/// 3. Clauses with the origin of the default scope begin with those of the default scope.
/// 4. Copies share their storage until one of them is changed.
/// 5. `soleKey` is set only while the fields are those of all rows of a table; the condition on the
///    key becomes one of the fields with the next change.
public struct SelectClauses: Sendable {
    var storage: ClauseStorage
    /// The key of the only row. A find is mostly run as it is, which needs no copy of the fields.
    var soleKey: SoleKey?

    init(from: FromClause) { storage = ClauseStorage(ClauseFields(from: from)) }

    /// All rows of a table, in its default scope.
    @usableFromInline
    init<From: QuerySource>(scope: From.Type) {
        let layout = From._layout
        if let known = layout.kept.allRows(of: From.self) {
            storage = known
            return
        }
        var fields = ClauseFields(from: FromClause(layout, layout.table))
        fields.extent = .all
        fields.scope = { From.all._takenClauses() }
        guard From.DefaultScope.self == Where<From>.self else {
            fields.origin = ScopeOrigin()
            storage = ClauseStorage(fields)
            return
        }
        storage = ClauseStorage(fields)
        // A layout that is made anew for each use keeps nothing.
        if From._layout === layout { layout.kept.keep(storage, of: From.self) }
    }

    /// All rows of a table.
    init<From: QuerySource>(unscoped: From.Type) {
        let layout = From._layout
        var fields = ClauseFields(from: FromClause(layout, layout.table))
        fields.extent = .all
        storage = ClauseStorage(fields)
    }

    @usableFromInline var firstTable: TableReference { storage.fields.from.tables[0] }

    /// Adds conditions, but those that the clause has.
    mutating func add(_ new: [QueryFragment]) { conditions.appendConditions(new) }

    mutating func addHavings(_ new: [QueryFragment]) { havings.appendConditions(new) }

    var isRestricted: Bool {
        limit != nil || offset != nil || isDistinct || !groups.isEmpty || !havings.isEmpty
    }
}

/// Tells the queries that go on from `T.all` itself from those that begin anew.
final class ScopeOrigin: Sendable {}

extension [QueryFragment] {
    /// Adds conditions, but those that are there and have the same value each time.
    mutating func appendConditions(_ new: [QueryFragment]) {
        for condition in new where !contains(condition) || condition.mayVary { append(condition) }
    }
}

/// A term of ORDER BY.
struct OrderTerm: Sendable, Hashable {
    enum Direction: String, Sendable, Hashable {
        case ascending = " ASC"
        case descending = " DESC"
    }
    var term: QueryFragment
    var direction: Direction?
    var nulls: NullOrdering?

    var fragment: QueryFragment {
        var result = term
        if let direction { result.append(text: direction.rawValue) }
        if let nulls { result.append(text: nulls == .first ? " NULLS FIRST" : " NULLS LAST") }
        return result
    }

    var reversed: OrderTerm {
        OrderTerm(
            term: term, direction: direction == .descending ? .ascending : .descending,
            nulls: nulls.map { $0 == .first ? .last : .first })
    }
}

/// Where NULLs come in an order.
public enum NullOrdering: Sendable, Hashable {
    /// Before all values.
    case first
    /// After all values.
    case last
}

/// The tables of a query, and how they are joined.
struct FromClause: Sendable {
    struct Join: Sendable {
        var kind: String
        var source: QueryFragment
        var conditions: [QueryFragment]
        var using: String?
    }
    var first: QueryFragment
    var tables: [TableReference]
    var layouts: [TableLayout]
    var joins: [Join] = []

    init(_ layout: TableLayout, _ table: TableReference) {
        let isOwn = table === layout.table
        first = isOwn ? layout.source : QueryFragment([.source(table)])
        tables = isOwn ? layout.tables : [table]
        layouts = [layout]
    }

    var fragment: QueryFragment {
        var result = first
        for join in joins {
            result.append(text: join.kind)
            result.append(join.source)
            if let using = join.using {
                result.append(text: " USING (\(using.quotedIdentifier))")
            } else if let condition = join.conditions.conjunction {
                result.append(text: " ON ")
                result.append(condition)
            }
        }
        return result
    }

    /// All columns of all tables.
    var columns: [ResultColumn] {
        zip(layouts, tables).flatMap { $0.resultColumns($1) }
    }

    /// All columns as they are fetched: one text for each table that has its own name.
    var fetchedColumns: QueryFragment {
        zip(layouts, tables).map { layout, table in
            table === layout.table
                ? layout.fetchedColumns
                : layout.resultColumns(table).resultList(isFetched: true)
        }.commaSeparated
    }

    /// The name of a table that is in the query twice.
    var doubledName: String? {
        guard tables.count > 1 else { return nil }
        var names: Set<String> = []
        return tables.first { !names.insert($0.knownName.lowercased()).inserted }?.knownName
    }
}
