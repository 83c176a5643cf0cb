public import StrongroomCore

/// SQL of Strongroom in a fragment, whose text is known once there is a connection.
@usableFromInline
final class DeferredSQL: Sendable {
    let literal: SQL

    init(_ literal: SQL) { self.literal = literal }

    /// The text as far as it can be told without a connection.
    let placeholder = "/* SQL of Strongroom */"

    /// The text and the values of its placeholders.
    fileprivate func segments(_ db: Database) throws -> [QueryFragment.Segment] {
        let (sql, arguments) = try literal.build(db)
        let values = arguments.values
        let parts = sql.splitAtPlaceholders()
        guard parts.count == values.count + 1 else {
            throw QueryBuildingError("named arguments cannot stand in a typed query: \(sql)")
        }
        var segments: [QueryFragment.Segment] = [.text(parts[0])]
        for (value, part) in zip(values, parts.dropFirst()) {
            segments += [.binding(QueryBinding(value)), .text(part)]
        }
        return segments
    }
}

extension DeferredSQL: Hashable {
    @usableFromInline
    static func == (lhs: DeferredSQL, rhs: DeferredSQL) -> Bool { lhs === rhs }
    @usableFromInline
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension String {
    /// The text between question marks that stand outside of quotes.
    fileprivate func splitAtPlaceholders() -> [String] {
        var parts = [""]
        var quote: Character?
        for character in self {
            if character == "?", quote == nil {
                parts.append("")
                continue
            }
            if let open = quote {
                if character == open { quote = nil }
            } else if "'\"`".contains(character) {
                quote = character
            }
            parts[parts.count - 1].append(character)
        }
        return parts
    }
}

extension QueryFragment {
    /// The fragment with the text of all SQL in it.
    func resolved(_ db: Database) throws -> QueryFragment {
        guard Self.hasDeferred(segments) else { return self }
        return QueryFragment(try Self.resolved(segments, db), shape: shape)
    }

    /// Whether there is SQL of Strongroom in the fragment.
    var hasDeferred: Bool { Self.hasDeferred(segments) }

    private static func hasDeferred(_ segments: [Segment]) -> Bool {
        segments.contains { segment in
            switch segment {
            case .deferred: true
            case .subquery(let inner), .stored(let inner): hasDeferred(inner)
            default: false
            }
        }
    }

    private static func resolved(_ segments: [Segment], _ db: Database) throws -> [Segment] {
        try segments.flatMap { segment -> [Segment] in
            switch segment {
            case .deferred(let sql): try sql.segments(db)
            case .subquery(let inner): [.subquery(try resolved(inner, db))]
            case .stored(let inner): [.stored(try resolved(inner, db))]
            default: [segment]
            }
        }
    }
}

extension SQLInterpolation {
    /// Appends a fragment of a typed query.
    public mutating func appendInterpolation(_ fragment: QueryFragment) {
        appendInterpolation(fragment.isEmpty ? SQL(sql: "") : fragment.literal)
    }
}
