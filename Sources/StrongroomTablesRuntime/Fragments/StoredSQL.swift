// What triggers, views and indexes need: SQLite stores their text, and takes no parameters there.

extension QueryFragment {
    /// The fragment with its values in the text.
    var stored: QueryFragment { QueryFragment([.stored(segments)], shape: shape) }

    /// Whether a date or a UUID was captured, which `#bind` did not mean to be fixed.
    var hasMoment: Bool { Self.hasMoment(segments) }

    private static func hasMoment(_ segments: [Segment]) -> Bool {
        segments.contains { segment in
            switch segment {
            case .moment: true
            case .tuples(_, _, let hasMoments): hasMoments
            case .subquery(let inner), .stored(let inner): hasMoment(inner)
            default: false
            }
        }
    }

    /// The fragment with dates and UUIDs that are meant to be fixed.
    var withoutMoments: QueryFragment {
        let result = segments.map { segment -> Segment in
            switch segment {
            case .moment(let binding): .binding(binding)
            case .tuples(let values, let width, _): .tuples(values, width: width, hasMoments: false)
            default: segment
            }
        }
        return QueryFragment(result, shape: shape)
    }

    /// The fragment with the tables of one schema by their names alone.
    func withoutSchema(_ schema: String) -> QueryFragment {
        QueryFragment(Self.withoutSchema(schema, segments), shape: shape)
    }

    private static func withoutSchema(_ schema: String, _ segments: [Segment]) -> [Segment] {
        func own(_ table: TableReference) -> TableReference { table.withoutSchema(schema) }
        return segments.map { segment in
            switch segment {
            case .column(let table, let name): .column(own(table), name)
            case .hiddenColumn(let table): .hiddenColumn(own(table))
            case .name(let table): .name(own(table))
            case .source(let table): .source(own(table))
            case .subquery(let inner): .subquery(withoutSchema(schema, inner))
            case .stored(let inner): .stored(withoutSchema(schema, inner))
            default: segment
            }
        }
    }
}

extension TableReference {
    fileprivate func withoutSchema(_ schema: String) -> TableReference {
        guard self.schema?.lowercased() == schema.lowercased() else { return self }
        return TableReference(
            name, schema: nil, alias: alias, fragment: fragment, type: type, isOuter: isOuter)
    }
}
