extension Row: CustomStringConvertible, CustomDebugStringConvertible {
    /// `[id:1 name:"Arthur" photo:Data(10 bytes) team:NULL]`
    public var description: String {
        "[" + map { "\($0.0):\($0.1)" }.joined(separator: " ") + "]"
    }

    /// The description; for an adapted row a tree with the statement's own row and all scopes.
    ///
    ///     ▿ [id:1 name:"Arthur"]
    ///       unadapted: [id:1 name:"Arthur" id:2 name:"Reds"]
    ///       - team: [id:2 name:"Reds"]
    ///       + books: 2 rows
    public var debugDescription: String {
        let unadapted = unadapted
        guard self != unadapted else { return description }
        var lines = ["▿ \(description)"]
        if !elementsEqual(unadapted, by: ==) {
            lines.append("  unadapted: \(unadapted)")
        }
        appendScopes(to: &lines, indentation: "  ")
        return lines.joined(separator: "\n")
    }

    private func appendScopes(to lines: inout [String], indentation: String) {
        for (name, row) in scopes {
            lines.append("\(indentation)- \(name): \(row)")
            row.appendScopes(to: &lines, indentation: indentation + "  ")
        }
        let prefetchedRows = prefetchedRows
        for key in prefetchedRows.keys.sorted() {
            guard let rows = prefetchedRows[key] else { continue }
            lines.append("\(indentation)+ \(key): \(rows.count) row\(rows.count > 1 ? "s" : "")")
        }
    }
}
