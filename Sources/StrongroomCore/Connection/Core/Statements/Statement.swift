/// A prepared statement of one connection.
///
/// Use it only inside the database access that created it, with one cursor at a time.
///
/// Invariants:
/// 1. `currentCells` alone refers to the live storage, but for rows that users keep; before the
///    statement moves, `leaveCurrentRow()` gives those a copy.
/// 2. After a failure the statement is reset: its next execution uses its arguments of then.
public final class Statement {
    package let database: Database
    let handle: StatementHandle
    let kind: StatementKind

    /// Whether the statement makes no direct change to the database file.
    ///
    /// <https://www.sqlite.org/c3ref/stmt_readonly.html>
    public let isReadonly: Bool

    /// The number of columns of its rows; 0 for a statement that returns none.
    public var columnCount: Int { handle.columnCount }

    let parameterCount: Int
    // Safety: a statement is used on one executor, and none of its accesses overlap. Checking that
    // at run time cost a cursor 7 %.
    @exclusivity(unchecked) var argumentStorage = StatementArguments()
    @exclusivity(unchecked) var bindingResult = StatementHandle.ok
    @exclusivity(unchecked) private var currentCells: RowStorage?
    @exclusivity(unchecked) private var isRunning = false
    @exclusivity(unchecked) var runningLinks = RunningStatements.Links()
    /// Why it was ended between two rows, of which its next step is to tell.
    @exclusivity(unchecked) private var endError: BoxedError?

    /// Whether the cache has lent the statement to a fetch or an execution.
    var isLent = false

    /// The access in which it was prepared, or was given its arguments.
    var accessNumber: Int

    /// What ended a cursor of another module, which has no place for it.
    var cursorFailure: CursorFailure?

    /// The rows that it reads with its present arguments, if that is known.
    var rows: StatementRows?

    /// Whether the cache gives the statement to everyone who asks.
    var isShared = false

    /// The SQL, without surrounding white space and final semicolon.
    public private(set) lazy var sql = handle.sql.trimmingStatement()

    /// The names of the columns, left to right.
    public var columnNames: [String] { layout.names }

    /// The names of the parameters, without prefix; nil for those that have a number only.
    lazy var parameterNames = (0..<parameterCount).map { handle.parameterName($0 + 1) }

    private var knownLayout: RowLayout?
    private var knownPreparationCount: Int = 0
    private var regionAtPreparation: (count: Int, region: DatabaseRegion)?
    private var effectsAtPreparation: (count: Int, effects: StatementEffects)?

    /// Who observes what the statement does, as long as the watches are the same.
    var knownInterests: (generation: Int, interests: [ConnectionChanges.Interest])? {
        get {
            interestsAtPreparation.flatMap { $0.count == handle.preparationCount ? $0.known : nil }
        }
        set { interestsAtPreparation = newValue.map { (handle.preparationCount, $0) } }
    }
    private var interestsAtPreparation:
        (count: Int, known: (generation: Int, interests: [ConnectionChanges.Interest]))?

    /// What it does, as long as SQLite has not prepared it again for a changed schema.
    var knownEffects: StatementEffects? {
        get {
            effectsAtPreparation.flatMap {
                $0.count == handle.preparationCount ? $0.effects : nil
            }
        }
        set { effectsAtPreparation = newValue.map { (handle.preparationCount, $0) } }
    }

    /// The region, as long as SQLite has not prepared the statement again for a changed schema.
    var knownRegion: DatabaseRegion? {
        get {
            regionAtPreparation.flatMap { $0.count == handle.preparationCount ? $0.region : nil }
        }
        set { regionAtPreparation = newValue.map { (handle.preparationCount, $0) } }
    }

    /// The columns, read again when SQLite has prepared the statement again for a changed schema.
    var layout: RowLayout {
        let count = handle.preparationCount
        if let knownLayout, count == knownPreparationCount { return knownLayout }
        let layout = RowLayout(
            names: (0..<handle.columnCount).map { handle.columnName($0) }, sql: sql,
            shownArguments: database.configuration.publicStatementArguments
                ? argumentStorage : nil)
        knownLayout = layout
        knownPreparationCount = count
        return layout
    }

    /// Whether `layout` would give this one.
    func isLayout(_ layout: RowLayout) -> Bool {
        knownLayout === layout && knownPreparationCount == handle.preparationCount
    }

    init(database: Database, handle: consuming StatementHandle, kind: StatementKind) {
        self.database = database
        self.kind = kind
        accessNumber = database.access.number
        isReadonly = handle.isReadOnly
        parameterCount = handle.parameterCount
        self.handle = handle
    }

    deinit {
        leaveCurrentRow()
        guard isRunning else { return }
        if accessNumber == database.access.number { endIfReset() }
        database.runningStatements.remove(self)
    }

    /// The statement in C. The library owns it: do not finalize it.
    public var sqliteStatement: SQLiteStatement { borrowed.pointer }

    /// The statement, for those who use it while this object is there.
    package var borrowed: BorrowedStatement { handle.borrowed }

    /// The index of the leftmost column with this name, ignoring case.
    public func index(ofColumn name: String) -> Int? {
        layout.index(of: name)
    }

    /// Runs the statement to its end, and ignores its rows.
    ///
    ///     let statement = try db.makeStatement(sql: "INSERT INTO team (name) VALUES (?)")
    ///     try statement.execute(arguments: ["Reds"])
    ///
    /// - Parameter arguments: Replaces the statement's arguments, if given.
    /// - Throws: `DatabaseError`.
    public func execute(arguments: StatementArguments? = nil) throws {
        try start(arguments: arguments)
        while try step() {}
        reset()
    }
}

// MARK: - Running

extension Statement {
    /// Goes back to the start, with new arguments if there are any.
    package func start(arguments: StatementArguments?) throws(DatabaseError) {
        reset()
        if let arguments { bind(try match(arguments, consuming: nil), of: arguments) }
    }

    /// Moves to the next row.
    ///
    /// - Returns: Whether there is one.
    /// - Throws: `DatabaseError`; `CancellationError` when the access's task is cancelled.
    package func step() throws -> Bool {
        leaveCurrentRow()
        if !isRunning { try beginSteps() }
        let code = handle.step()
        if code == StatementHandle.row { return true }
        guard code == StatementHandle.done else { throw try failure() }
        endSteps()
        try database.didExecute(self)
        return false
    }

    /// Ends a step that failed; gives what to throw.
    private func failure() throws -> any Error {
        let error = database.explainRefusal(
            try database.connection().lastError, whileRunning: kind)
        endSteps()
        reset()
        database.keptStatements.cache.unshare(self)
        return database.failure(
            of: self,
            error.executing(
                sql, arguments: argumentStorage,
                showsArguments: database.configuration.publicStatementArguments))
    }

    /// Runs a statement that the cache has lent, which stands at its start without arguments.
    ///
    /// It does what `execute(arguments:)` does, but for what is known to be done. It asks for an array
    /// of the values only where an error or their count needs one; `bind` gives the last bad code.
    package func executeLent(
        count: Int, values: () -> [DatabaseValue], bind: (BorrowedStatement) -> CInt
    ) throws {
        guard count == parameterCount else {
            return try execute(arguments: StatementArguments(unchecked: values()))
        }
        if database.configuration.publicStatementArguments { argumentStorage.values = values() }
        bindingResult = bind(borrowed)
        try begin()
        var code = handle.step()
        while code == StatementHandle.row { code = handle.step() }
        guard code == StatementHandle.done else {
            argumentStorage.values = values()
            throw try failure()
        }
        isRunning = false
        try database.didExecute(self)
    }

    /// Starts again, and moves to the first row.
    ///
    /// - Returns: Whether there is one.
    @usableFromInline
    func moveToFirstRow(arguments: StatementArguments?) throws -> Bool {
        try start(arguments: arguments)
        return try step()
    }

    /// Starts again and gives the first row as an adapter presents it; nil when there is none.
    @usableFromInline
    func firstRow(
        arguments: StatementArguments?, adapter: (any RowAdapter)?
    ) throws -> Row? {
        let hasRow = try moveToFirstRow(arguments: arguments)
        guard let adapter else { return hasRow ? row : nil }
        let adapted = try adapter._adaptation(layout)
        return hasRow ? Row(storage: row.storage, layout: adapted) : nil
    }

    /// The row at which the statement stands.
    @usableFromInline
    var row: Row {
        if let currentCells { return Row(currentCells) }
        let cells = RowStorage.standing(at: sqliteStatement, layout: layout)
        currentCells = cells
        return Row(cells)
    }

    @usableFromInline
    package func reset() {
        leaveCurrentRow()
        // After a rollback, its end is no commit.
        let isWriting = isRunning && !isReadonly && database.hasUnfinishedWrite
        handle.reset()
        endError = nil
        guard isRunning else { return }
        endSteps()
        if isWriting { database.didEndEarly(self) }
    }

    /// Called when the C function has reset it.
    func noteReset() {
        leaveCurrentRow()
        endError = nil
        endSteps()
    }

    /// Whether the statement stands between its first step and its last.
    var isInProgress: Bool { isRunning }

    /// Ends the statement if it stands on a row. Its next step throws the error.
    func end(_ code: ResultCode, _ message: String) {
        guard handle.isOnRow else { return }
        reset()
        endError = BoxedError(DatabaseError(code: code, message: message, sql: sql))
    }

    private func beginSteps() throws {
        if let error = endError?.error {
            endError = nil
            throw error
        }
        try begin()
        database.runningStatements.add(self)
    }

    private func endSteps() {
        isRunning = false
        database.runningStatements.remove(self)
    }

    private func begin() throws {
        currentCells = nil
        if kind.mayCarryKey, parameterCount > 0 { try requireHarmlessArguments() }
        if kind == .schemaChange { try database.requireOwnCompanions(ofFileAttachedBy: self) }
        try database.willExecute(self)
        guard bindingResult == StatementHandle.ok else {
            throw DatabaseError(code: ResultCode(rawValue: bindingResult), sql: sql)
        }
        if database.configuration.publicStatementArguments { knownLayout = nil }
        isRunning = true
    }

    /// Gives rows that somebody keeps their own copy of the cells.
    private func leaveCurrentRow() {
        guard currentCells != nil, !isKnownUniquelyReferenced(&currentCells) else { return }
        currentCells?.keep()
        currentCells = nil
    }
}
