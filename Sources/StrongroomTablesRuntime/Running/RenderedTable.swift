public import StrongroomCore

extension Database {
    /// The canonical SQL of a statement, and below it the rows that it gives, as a text table.
    ///
    /// ```swift
    /// print(try db.renderTable(Item.order(by: \.title).select { ($0.id, $0.title) }))
    /// // SELECT "items"."id", "items"."title" FROM "items" ORDER BY "items"."title"
    /// // id  title
    /// // 2   Rice
    /// // 1   tea
    /// ```
    ///
    /// Numbers stand at the right, NULL is `NULL`, and bytes are hexadecimal. The statement is run: one
    /// that changes rows changes them.
    ///
    /// - Throws: A `DatabaseError`, and what is wrong with a query that cannot be built.
    public func renderTable(_ statement: some StrongroomTablesRuntime.Statement) throws -> String {
        let sql = statement.debugSQL
        guard !sql.isEmpty else { return "" }
        guard let run = try statement.run(self) else { return "" }
        let names = run.statement.columnNames
        var lines: [[RenderedCell]] = []
        while try run.step() {
            lines.append(
                names.indices.map {
                    RenderedCell(DatabaseValue(sqliteStatement: run.pointer, index: CInt($0)))
                })
        }
        guard !names.isEmpty else { return sql + "\n" }
        let head = names.map { RenderedCell(text: $0, isNumber: false) }
        let widths = names.indices.map { column in
            ([head] + lines).map { $0[column].text.count }.max() ?? 0
        }
        let table = ([head] + lines).map { line in
            zip(line, widths).map { $0.padded(to: $1) }.joined(separator: "  ").withoutSpaceAtEnd
        }
        return ([sql] + table).joined(separator: "\n") + "\n"
    }
}

/// A value in a text table.
private struct RenderedCell {
    let text: String
    let isNumber: Bool

    init(text: String, isNumber: Bool) {
        self.text = text
        self.isNumber = isNumber
    }

    init(_ value: DatabaseValue) {
        switch value.storage {
        case .null: self.init(text: "NULL", isNumber: false)
        case .int64, .double:
            self.init(text: QueryBinding(value).literal, isNumber: true)
        case .string(let text):
            self.init(text: text.replacing("\n", with: "\\n"), isNumber: false)
        case .blob: self.init(text: QueryBinding(value).literal, isNumber: false)
        }
    }

    func padded(to width: Int) -> String {
        let space = String(repeating: " ", count: width - text.count)
        return isNumber ? space + text : text + space
    }
}

extension String {
    fileprivate var withoutSpaceAtEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
