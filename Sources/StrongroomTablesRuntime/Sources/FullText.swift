public import StrongroomCore

/// A table that SQLite's full-text search FTS5 keeps.
public protocol FullTextTable: Table {}

/// How the words of a search belong together.
public enum WordMatch: Sendable, Hashable {
    /// All words, anywhere.
    case all
    /// One of the words.
    case any
    /// The words one after the other.
    case phrase
    /// Words that begin so, all of them.
    case prefixes
}

extension TableColumnsProtocol where QueryValue: FullTextTable {
    /// The column that FTS5 hides under the name of the table.
    private var hidden: QueryFragment {
        QueryFragment([.hiddenColumn(_table)], shape: .bare)
    }

    /// Whether the row fits a query in the language of FTS5.
    ///
    ///     try Note.where { $0.match("boil OR wash") }.select(\.title).fetchAll(db)
    ///     // ["Tea", "Rice"]
    public func match(_ query: String) -> SQLQueryExpression<Bool> {
        SQLQueryExpression(.comparison(hidden, "MATCH", query.queryFragment))
    }

    /// Whether the row fits a pattern.
    public func match(_ pattern: FTS5Pattern) -> SQLQueryExpression<Bool> {
        match(pattern.rawPattern)
    }

    /// Whether the row has these words, whatever characters the text has; none without words.
    public func match(
        words text: String, _ kind: WordMatch = .all
    ) -> SQLQueryExpression<Bool> {
        let words = text.split { !$0.isLetter && !$0.isNumber }.map { "\"\($0)\"" }
        guard !words.isEmpty else {
            return SQLQueryExpression(QueryFragment(text: "0", shape: .bare))
        }
        switch kind {
        case .all: return match(words.joined(separator: " "))
        case .any: return match(words.joined(separator: " OR "))
        case .prefixes: return match(words.map { $0 + "*" }.joined(separator: " "))
        case .phrase:
            return match(
                "\"" + words.map { $0.dropFirst().dropLast() }.joined(separator: " ") + "\"")
        }
    }

    /// How well the row fits: the smallest is the best.
    public var rank: SQLQueryExpression<Double?> {
        SQLQueryExpression(QueryFragment([.column(_table, "rank")], shape: .bare))
    }

    /// How well the row fits: the smallest is the best.
    ///
    ///     try Note.where { $0.match("wait") }.order { $0.bm25() }.select(\.title).fetchAll(db)
    ///     // ["Tea"]
    public func bm25() -> SQLQueryExpression<Double?> {
        SQLQueryExpression(.call("bm25", [hidden]))
    }

    /// How well the row fits, where columns count more or less than others, whose weight is 1.
    public func bm25(_ weights: [PartialKeyPath<Self>: Double]) -> SQLQueryExpression<Double?> {
        var byName: [String: Double] = [:]
        for (path, weight) in weights {
            guard let column = self[keyPath: path] as? any TableColumnExpression else { continue }
            for name in column._columnNames { byName[name] = weight }
        }
        let numbers = QueryValue._layout.searchedColumns.map {
            QueryFragment(text: QueryBinding.double(byName[$0] ?? 1).literal)
        }
        return SQLQueryExpression(.call("bm25", [hidden] + numbers))
    }
}

extension TableLayout {
    /// The columns in the order in which FTS5 numbers them: a type may have the rowid, too.
    fileprivate var searchedColumns: [String] {
        columns.lazy.map(\.name).filter { $0.lowercased() != "rowid" }
    }
}

// Texts of a full-text table. On columns of other tables these make a statement that cannot be run.

extension TableColumn where QueryValue.Unwrapped == String {
    private var hidden: QueryFragment { QueryFragment([.hiddenColumn(table)], shape: .bare) }

    private var position: QueryFragment {
        guard table.type is any FullTextTable.Type,
            let number = table.type?._layout.searchedColumns.firstIndex(of: name)
        else {
            return QueryFragment(failure: "\"\(table.name)\" is no table of full-text search")
        }
        return QueryFragment(text: String(number))
    }

    /// Whether the column has a text, whatever characters it has.
    public func match(_ text: String) -> SQLQueryExpression<Bool> {
        guard table.type is any FullTextTable.Type else { return SQLQueryExpression(position) }
        let quoted = "\"" + text.replacing("\"", with: "\"\"") + "\""
        return SQLQueryExpression(
            .comparison(hidden, "MATCH", (name + ":" + quoted).queryFragment))
    }

    /// The text with marks around what was found.
    ///
    ///     let found = Note.where { $0.match("wash") }
    ///     try found.select { $0.body.highlight("<b>", "</b>") }.fetchAll(db)
    ///     // ["<b>Wash</b> it first."]
    public func highlight(_ before: String, _ after: String) -> SQLQueryExpression<QueryValue> {
        SQLQueryExpression(
            .call("highlight", [hidden, position, before.queryFragment, after.queryFragment]))
    }

    /// A part of the text, of this many words, with marks around what was found.
    ///
    ///     let found = Note.where { $0.match("water") }
    ///     try found.select { $0.body.snippet("[", "]", "…", 3) }.fetchAll(db)
    ///     // ["Boil the [water]…"]
    public func snippet(
        _ before: String, _ after: String, _ ellipsis: String, _ words: Int
    ) -> SQLQueryExpression<QueryValue> {
        let texts = [before, after, ellipsis].map(\.queryFragment)
        return SQLQueryExpression(
            .call("snippet", [hidden, position] + texts + [words.queryFragment]))
    }
}
