extension Statement {
    /// The SQL on several lines, for people: each clause on its own, subqueries indented.
    public var prettySQL: String { PrettyWriter.text(query.segments, indentation: 0) }
}

/// Breaks SQL into lines.
private enum PrettyWriter {
    /// What begins a line.
    static let clauses = [
        "FROM ", "JOIN ", "LEFT JOIN ", "RIGHT JOIN ", "FULL JOIN ", "CROSS JOIN ", "WHERE ",
        "GROUP BY ", "HAVING ", "WINDOW ", "ORDER BY ", "LIMIT ", "OFFSET ", "SET ", "VALUES ",
        "RETURNING ", "ON CONFLICT ", "UNION ", "INTERSECT ", "EXCEPT ",
    ]

    static func text(_ segments: [QueryFragment.Segment], indentation: Int) -> String {
        let margin = String(repeating: " ", count: indentation)
        var result = ""
        for segment in segments {
            switch segment {
            case .subquery(let inner):
                let text = text(inner, indentation: indentation + 2)
                result += "(\n\(margin)  \(text)\n\(margin))"
            case .text(let text) where text.hasPrefix(" ") && isClause(text.dropFirst()):
                result += "\n" + margin + text.dropFirst()
            default:
                // Parts that quote or bind are written as in the canonical text.
                result += QueryFragment([segment]).description
            }
        }
        return result
    }

    private static func isClause(_ text: Substring) -> Bool {
        clauses.contains { text.hasPrefix($0) }
    }
}
