public import StrongroomCore

/// Triggers that report each row of a table that changes, for change logs and undo.
///
///     let triggers = try RowTriggers("sync", on: table) { change in
///         "INSERT INTO strongroom_log (kind, id) SELECT '\(change.kind)', \(change.row).id"
///             + change.source
///     }
///     try triggers.create(db)
///
/// Their names begin with `strongroom_`: the app must not use that prefix. Permanent ones call
/// nothing but functions of SQLite, if the body does not, since other programs write to the file.
public struct RowTriggers: Sendable {
    /// A sort of change, and how the SQL of a trigger finds its rows.
    public struct Change: Sendable {
        /// What happens to a row.
        public enum Kind: String, Sendable, CaseIterable {
            /// It has been inserted: `new` is the row.
            case insert
            /// A column has another value or storage class: `old` and `new` are the row. A change of
            /// letters that a collation takes for equal counts.
            case update
            /// A column of the key has; `update` is told as well.
            case keyChange
            /// It has been deleted: `old` is the row.
            case delete
            /// REPLACE may delete it because of a unique column: `replaced` is the row, and `old` the
            /// one that is updated, if one is. SQLite tells no DELETE of it, unless `PRAGMA recursive_triggers` is on. With OR IGNORE, and where an
            /// upsert updates the row, it stays: look at it again afterwards.
            case replace
        }

        /// What happens to the row.
        public let kind: Kind
        /// The row as SQL names it.
        ///
        /// It is `new` after an insertion or a change of the key, `replaced` for one that REPLACE may
        /// delete, else `old`.
        public var row: String {
            switch kind {
            case .insert, .keyChange: "new"
            case .update, .delete: "old"
            case .replace: "replaced"
            }
        }
        /// What stands behind the columns of a SELECT, before WHERE: the rows for `replace`, else
        /// nothing.
        public let source: String
    }

    /// When triggers of updates and deletions fire.
    public enum Timing: String, Sendable {
        /// Before the row changes; also for one that OR IGNORE then leaves alone.
        case before = "BEFORE"
        /// After it has changed.
        case after = "AFTER"
    }

    /// Which changes are told, for code of this package.
    package struct Scope: Sendable {
        /// SQL that has to be true for a trigger to fire.
        package var condition: String?
        /// The columns whose changes are updates; nil for all that the database does not compute.
        package var columns: [String]?
        /// Whether a row is left out that only an equal key, byte by byte, can replace: the row
        /// that is inserted then has the key.
        package var omitsExactKey = false
        /// Whether a row is left out that only an equal row number can replace.
        package var omitsRowNumber = false

        package init() {}
    }

    /// The statements that make the triggers.
    public let creations: [String]
    /// The statements that remove them.
    public let removals: [String]
    /// The names of the triggers, with the texts that the schema of the file keeps of them.
    package let stored: [String: String]
    private let readsOrigin: Bool

    /// Makes the triggers of a table, which does not change the database yet.
    ///
    /// - Parameters:
    ///   - purpose: A part of their names.
    ///   - table: The table.
    ///   - isTemporary: Whether only this connection has them.
    ///   - timing: When those of updates and deletions fire.
    ///   - isSilentWithOrigin: Whether they fire only outside of `Database.withOrigin(_:_:)`.
    ///   - body: One statement for each kind of change that is to be told, ending in
    ///     ``Change/source`` or with a WHERE after it; nil for none. The conflict clause of the
    ///     statement that fires the trigger takes the place of its own.
    /// - Throws: `SQLITE_MISUSE` where the text of a unique index is not understood, and for
    ///   permanent triggers of an attached database that are to read the origin, which is in the
    ///   main one.
    public init(
        _ purpose: String, on table: StoredTable, isTemporary: Bool = true,
        timing: Timing = .after, isSilentWithOrigin: Bool = false,
        body: (Change) -> String?
    ) throws {
        if isSilentWithOrigin, !isTemporary, table.schemaName.asciiLowercased != "main" {
            throw Self.misuse("permanent triggers of \(table.schemaName) cannot read the origin")
        }
        var scope = Scope()
        if isSilentWithOrigin {
            // A text in the file must not name the schema: the file may be attached as another.
            let prefix = isTemporary ? "main." : ""
            scope.condition = "(SELECT name FROM \(prefix)strongroom_origin) IS NULL"
        }
        try self.init(
            purpose, on: table, isTemporary: isTemporary, timing: timing, scope: scope,
            readsOrigin: isSilentWithOrigin, body: body)
    }

    /// As the public initialiser, with a scope; the statements of a body may be several.
    package init(
        _ purpose: String, on table: StoredTable, isTemporary: Bool, timing: Timing = .after,
        scope: Scope, readsOrigin: Bool, body: (Change) -> String?
    ) throws {
        self.readsOrigin = readsOrigin
        let texts = TriggerTexts(table, isTemporary: isTemporary, scope: scope)
        let schema = (isTemporary ? "temp" : table.schemaName).quotedDatabaseIdentifier
        var creations: [String] = []
        var removals: [String] = []
        var stored: [String: String] = [:]
        for event in try texts.events(timing) {
            guard let statement = body(Change(kind: event.kind, source: event.source)) else {
                continue
            }
            let name = "strongroom_\(purpose)_\(event.name)_\(table.name)"
            let conditions = [event.condition, scope.condition].compactMap(\.self)
            let when = conditions.isEmpty ? "" : "WHEN \(conditions.joined(separator: " AND "))\n"
            let text = """
                \(name.quotedDatabaseIdentifier) \(event.moment) ON \(texts.target)
                \(when)BEGIN
                    \(statement);
                END
                """
            creations.append("CREATE TRIGGER \(schema).\(text)")
            removals.append("DROP TRIGGER IF EXISTS \(schema).\(name.quotedDatabaseIdentifier)")
            stored[name] = "CREATE TRIGGER \(text)"
        }
        self.creations = creations
        self.removals = removals
        self.stored = stored
    }

    /// Makes the triggers, and the table of the origin if they read it.
    ///
    /// - Throws: `DatabaseError`, also where they are there already.
    public func create(_ db: Database) throws {
        if readsOrigin { try db.createOriginTable() }
        for sql in creations { try db.execute(sql: sql) }
    }

    /// Removes the triggers that are there.
    ///
    /// - Throws: `DatabaseError`.
    public func drop(_ db: Database) throws {
        for sql in removals { try db.execute(sql: sql) }
    }

    static func misuse(_ message: String) -> DatabaseError {
        DatabaseError(resultCode: .SQLITE_MISUSE, message: message)
    }
}
