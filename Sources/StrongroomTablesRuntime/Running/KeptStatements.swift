internal import Synchronization

/// A statement whose text is always the same, but for its values.
final class KeptStatement: Sendable {
    /// What a statement does to rows of a type, by all that its text depends on.
    enum Form: Equatable, Sendable {
        /// Finds a row by its key.
        case find
        /// Deletes a row by its key.
        case delete
        /// Writes columns of a row, by its key.
        case update(resolution: ConflictResolution?, columns: [String])
        /// Inserts a row; of one with the same key, the other columns are written.
        case insert(resolution: ConflictResolution?, columns: [String], key: [String])
    }

    let form: Form
    let sql: String
    /// The statement, with values that it had once.
    let query: QueryFragment

    init(_ form: Form, _ query: QueryFragment) {
        self.form = form
        self.query = query
        sql = query.prepared.sql
    }
}

/// What the queries on a type share, each made at its first use.
///
/// Invariant: what is here depends on the type alone, and on no connection, schema or value.
final class KeptStatements: Sendable {
    private struct Kept {
        /// All rows of the type that was asked for first: a draft has the layout of its table.
        var allRows: (type: ObjectIdentifier, clauses: SelectClauses)?
        var statements: [KeptStatement] = []
    }
    /// As many statements as are looked through faster than a text is made.
    private static let capacity = 16
    private let kept = Mutex(Kept())

    func allRows<From: QuerySource>(of type: From.Type) -> SelectClauses? {
        kept.withLock { kept in
            guard let all = kept.allRows, all.type == ObjectIdentifier(type) else { return nil }
            return all.clauses
        }
    }

    func keep<From: QuerySource>(_ clauses: SelectClauses, of type: From.Type) {
        kept.withLock { $0.allRows = $0.allRows ?? (ObjectIdentifier(type), clauses) }
    }

    /// A statement, which is made if there is none of its form; nil if it cannot be kept.
    ///
    /// One that binds anything but these values has more in it than its form says.
    func statement(
        _ form: KeptStatement.Form, _ values: [QueryBinding], _ query: () -> QueryFragment
    ) -> KeptStatement? {
        let known = kept.withLock { kept in kept.statements.first { $0.form == form } }
        if let known { return known }
        let query = query()
        guard !query.isEmpty, query.failure == nil, !query.hasDeferred,
            query.bindings == values
        else { return nil }
        let made = KeptStatement(form, query)
        kept.withLock { kept in
            guard kept.statements.count < Self.capacity,
                !kept.statements.contains(where: { $0.form == form })
            else { return }
            kept.statements.append(made)
        }
        return made
    }
}
