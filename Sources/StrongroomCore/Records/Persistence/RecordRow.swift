/// A record as the values of the columns of a row: what is done to that row.
@usableFromInline
struct RecordRow {
    let db: Database
    @usableFromInline let plan: ColumnPlan
    @usableFromInline let container: PersistenceContainer

    /// Encodes a record.
    @usableFromInline
    init(_ record: some MutablePersistableRecord, _ db: Database) throws {
        self.db = db
        let tablePlan = try TablePlan.of(type(of: record), db)
        let latest = tablePlan.latest
        container = try PersistenceContainer(of: record, expectedNames: latest?.names ?? [])
        if let latest, container.isAsExpected {
            plan = latest
        } else {
            plan = try tablePlan.plan(for: container.names, db)
        }
    }

    // MARK: Key

    /// The values of the primary key; nil when it is NULL, as is a column that was not encoded.
    private var key: [DatabaseValue]? {
        guard !plan.keyNames.isEmpty else { return nil }
        var key: [DatabaseValue] = []
        for position in plan.keyPositions {
            guard let position, !container.values[position].isNull else { return nil }
            key.append(container.values[position])
        }
        return key
    }

    /// - Throws: What is wrong with a view that has no key.
    private func existingKey() throws -> [DatabaseValue]? {
        if plan.keyNames.isEmpty { _ = try db.primaryKey(plan.tableName) }
        return key
    }

    /// The error for a record without a row.
    @usableFromInline var notFound: RecordError { plan.notFound(container) }

    @usableFromInline var hasKey: Bool { key != nil }

    func exists() throws -> Bool {
        guard let key = try existingKey() else { return false }
        return try Bool.fetchOne(
            db, sql: plan.sql(.exists), arguments: StatementArguments(key)) ?? false
    }

    // MARK: Insertion

    @inlinable
    func insert(_ resolution: Database.ConflictResolution) throws -> InsertionSuccess {
        insertionSuccess(rowID: try insertAlone(resolution))
    }

    /// - Returns: The number of the row.
    @usableFromInline
    func insertAlone(_ resolution: Database.ConflictResolution) throws -> Int64 {
        try execute(plan.sql(.insert(resolution)), container.values)
        return db.lastInsertedRowID
    }

    // Where nobody takes note of it, it is not even made.
    @usableFromInline
    func insertionSuccess(rowID: Int64) -> InsertionSuccess {
        InsertionSuccess(rowID: rowID, rowIDColumn: plan.rowIDColumn, encoded: container)
    }

    func insert(
        _ resolution: Database.ConflictResolution, _ selection: [any SQLSelectable],
        fetch: (Statement) throws -> Void
    ) throws -> InsertionSuccess {
        try run(plan.sql(.insert(resolution)), container.values, selection, fetch: fetch)
        return insertionSuccess(rowID: db.lastInsertedRowID)
    }

    // MARK: Update

    /// The places of the columns to update: all if nil, in their order.
    @usableFromInline
    func positions(of columns: Set<String>?) -> [Int] {
        guard let columns else { return plan.otherPositions }
        let folded = Set(columns.map { $0.lowercased() })
        let known = plan.names.indices.filter { folded.contains(plan.names[$0].lowercased()) }
        return known.filter { !plan.keyPositions.contains($0) }
    }

    /// - Returns: Whether there is a row.
    @usableFromInline
    func update(
        _ resolution: Database.ConflictResolution, _ positions: [Int]
    ) throws -> Bool {
        guard let (sql, values) = try updateSQL(resolution, positions) else { return false }
        if plan.isInView, try !exists() { return false }
        try execute(sql, values)
        return db.changesCount > 0 || plan.isInView
    }

    /// - Returns: Whether there is a row; if there is none, nothing is fetched.
    func update(
        _ resolution: Database.ConflictResolution, _ positions: [Int],
        _ selection: [any SQLSelectable], fetch: (Statement) throws -> Void
    ) throws -> Bool {
        // Whoever fetches may count on a row.
        guard let (sql, values) = try updateSQL(resolution, positions), try exists() else {
            return false
        }
        try run(sql, values, selection, fetch: fetch)
        return db.changesCount > 0 || plan.isInView
    }

    private func updateSQL(
        _ resolution: Database.ConflictResolution, _ positions: [Int]
    ) throws -> (String, [DatabaseValue])? {
        guard let key = try existingKey() else { return nil }
        // With nothing to update, the row is to be found all the same.
        let positions = positions.isEmpty ? plan.keyPositions.compactMap(\.self) : positions
        var values: [DatabaseValue] = []
        values.reserveCapacity(positions.count + key.count)
        for position in positions { values.append(container.values[position]) }
        values.append(contentsOf: key)
        return (plan.sql(.update(resolution, positions)), values)
    }

    // MARK: Deletion

    /// - Returns: Whether a row was deleted.
    func delete() throws -> Bool {
        guard let key = try existingKey() else { return false }
        let isInView = try plan.isInView && exists()
        try execute(plan.sql(.delete), key)
        return isInView || db.changesCount > 0
    }
}

// MARK: - Running

extension RecordRow {
    func execute(_ sql: String, _ values: [DatabaseValue]) throws {
        let statement = try db.checkOutStatement(sql)
        defer { db.checkIn(statement, as: sql) }
        try statement.executeLent(values)
    }

    /// Runs SQL with a RETURNING clause for a selection.
    func run(
        _ sql: String, _ values: [DatabaseValue], _ selection: [any SQLSelectable],
        rowID: String? = nil, fetch: (Statement) throws -> Void
    ) throws {
        guard !selection.isEmpty else { throw DatabaseError.emptySelection(of: plan.tableName) }
        var text = SQLGenerationContext(connection: db)
        text.append(sql: sql, arguments: StatementArguments(unchecked: values))
        text.append(sql: " RETURNING ")
        // RETURNING knows the columns of the table by their bare names only.
        let table = SQLGenerationContext.Table(name: plan.tableName, qualifier: nil)
        try text.inTable(table) { text in
            try text.append(selection, separator: ", ") { try $0.sqlSelection.write(to: &$1) }
        }
        if let rowID { text.append(sql: ", \(rowID)") }
        let statement = try db.checkOutStatement(text.sql)
        defer { db.checkIn(statement, as: text.sql) }
        try statement.setArguments(text.arguments)
        try fetch(statement)
        // The changes count only when the statement has ended.
        statement.reset()
    }
}
