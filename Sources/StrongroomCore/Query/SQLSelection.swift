/// What a query selects: an opaque column, or several.
///
/// <https://www.sqlite.org/syntax/result-column.html>
public struct SQLSelection: Sendable {
    let content: Content

    enum Content: Sendable {
        case allColumns
        /// All columns but those of these names, in lower case.
        case allColumnsExcluding(Set<String>)
        /// An expression, and the name that its column gets, if another than SQLite's.
        case expression(SQLExpression, name: String?)
        /// SQL, which may select several columns.
        case literal(NestedNode)
    }

    init(_ content: Content) {
        self.content = content
    }

    /// The expression as a column, named as SQLite names it.
    init(_ expression: SQLExpression) {
        content = .expression(expression, name: nil)
    }
}

extension SQLSelection: SQLNode {
    package var depth: Int {
        switch content {
        case .allColumns, .allColumnsExcluding: 0
        case .expression(let expression, _): expression.depth
        case .literal(let literal): literal.depth
        }
    }

    package func write(to sql: inout SQLGenerationContext) throws {
        switch content {
        case .allColumns: sql.appendAllColumns()
        case .allColumnsExcluding(let excludedNames):
            let columns = try sql.columnNames().filter { !excludedNames.contains($0.lowercased()) }
            sql.append(columns, separator: ", ") { $1.append(column: $0) }
        case .expression(let expression, let name):
            try expression.write(to: &sql)
            guard let name else { return }
            sql.append(sql: " AS ")
            sql.append(identifier: name)
        case .literal(let literal): try literal.write(to: &sql)
        }
    }
}

extension SQLSelection: SQLSelectable {
    public var sqlSelection: SQLSelection { self }
}

extension SQLSpecificExpressible {
    /// The expression as a column of another name: `"score" + 1 AS "better"`.
    ///
    /// <https://www.sqlite.org/syntax/result-column.html>
    ///
    ///     let request = Player.annotated(with: (Column("score") * 2).forKey("double"))
    public func forKey(_ name: String) -> SQLSelection {
        SQLSelection(.expression(sqlExpression, name: name))
    }

    /// The expression as a column that a coding key names.
    public func forKey(_ key: some CodingKey) -> SQLSelection {
        forKey(key.stringValue)
    }
}
