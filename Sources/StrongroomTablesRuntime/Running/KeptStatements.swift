internal import Synchronization

/// A statement whose text is always the same, but for its values.
final class KeptStatement: Sendable {
    /// What a statement does to rows of a type, by all that its text depends on.
    struct Form: Equatable, Sendable {
        enum Kind: Sendable {
            /// Finds a row by its key.
            case find
            /// Deletes a row by its key.
            case delete
            /// Writes columns of a row, by its key.
            case update
            /// Inserts a row; of one with the same key, the other columns are written.
            case insert
        }
        let kind: Kind
        var resolution: ConflictResolution?
        var columns: [String] = []
        var key: [String] = []
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
    /// All rows of a type, in its default scope.
    private struct AllRows {
        let type: ObjectIdentifier
        let storage: ClauseStorage
    }
    /// Those of the type that was asked for first: a draft has the layout of its table.
    // Safety: it is written once, within the lock, before `hasAllRows` is set, and read after that.
    @exclusivity(unchecked) private nonisolated(unsafe) var allRows: AllRows?
    /// A lock would have to be taken for each query.
    private let hasAllRows = Atomic(false)
    /// As many statements as are looked through faster than a text is made.
    private static let capacity = 16
    private let statements = Mutex<[KeptStatement]>([])

    func allRows<From: QuerySource>(of type: From.Type) -> ClauseStorage? {
        guard hasAllRows.load(ordering: .acquiring), let allRows,
            allRows.type == ObjectIdentifier(type)
        else { return nil }
        return allRows.storage
    }

    func keep<From: QuerySource>(_ storage: ClauseStorage, of type: From.Type) {
        statements.withLock { _ in
            guard !hasAllRows.load(ordering: .relaxed) else { return }
            allRows = AllRows(type: ObjectIdentifier(type), storage: storage)
            hasAllRows.store(true, ordering: .releasing)
        }
    }

    /// The statement of a form, if it was made before.
    func statement(where isWanted: (borrowing KeptStatement.Form) -> Bool) -> KeptStatement? {
        statements.withLock { statements in
            for statement in statements where isWanted(statement.form) { return statement }
            return nil
        }
    }

    /// Makes a statement of a form; nil if it cannot be kept.
    ///
    /// One that binds anything but these values has more in it than its form says.
    func make(
        _ form: KeptStatement.Form, _ values: [QueryBinding], _ query: QueryFragment
    ) -> KeptStatement? {
        guard !query.isEmpty, query.failure == nil, !query.hasDeferred,
            query.bindings == values
        else { return nil }
        let made = KeptStatement(form, query)
        statements.withLock { statements in
            guard statements.count < Self.capacity,
                !statements.contains(where: { $0.form == form })
            else { return }
            statements.append(made)
        }
        return made
    }
}
