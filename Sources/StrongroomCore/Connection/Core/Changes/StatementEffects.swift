/// What a statement may do to rows, triggers and foreign key actions included.
struct StatementEffects {
    /// One for each table and operation; internal tables are left out.
    var kinds: [DatabaseEventKind] = []

    /// The tables, by their names in lower case, of which rows may get another id.
    var rowIDChanges: Set<String> = []
}

extension Statement {
    /// What the statement may do to rows, found by compiling it once more.
    ///
    /// SQL that is neither query nor write changes no row that is observed, and is never compiled
    /// twice: it may carry a key.
    var effects: StatementEffects {
        guard !isReadonly, kind == .query else { return StatementEffects() }
        if let known = knownEffects { return known }
        // Twice: an interruption meant for what ran before may have ended the first.
        let effects = (try? database.effects(of: sql)) ?? (try? database.effects(of: sql))
        knownEffects = effects
        return effects ?? StatementEffects()
    }
}

extension Database {
    fileprivate func effects(of sql: String) throws -> StatementEffects {
        let writes = try hooks.recording(connection()) {
            _ = try prepareSingleStatement(sql, isPersistent: false)
        }.writes
        var effects = StatementEffects()
        var updates: [String: Set<String>] = [:]
        for write in writes {
            switch write {
            case .insert(let table): effects.add(.insert(tableName: table))
            case .delete(let table): effects.add(.delete(tableName: table))
            case .update(let table, let column): updates[table, default: []].insert(column)
            }
        }
        for (table, columns) in updates {
            effects.add(.update(tableName: table, columnNames: columns))
            if mayChangeRowID(of: table, columns) {
                effects.rowIDChanges.insert(table.lowercased())
            }
        }
        return effects
    }

    private func mayChangeRowID(of table: String, _ columns: Set<String>) -> Bool {
        let names = Set(columns.map { $0.lowercased() })
        if !names.isDisjoint(with: ["rowid", "oid", "_rowid_"]) { return true }
        guard let key = try? primaryKey(table).rowIDColumn else { return false }
        return names.contains(key.lowercased())
    }
}

extension StatementEffects {
    fileprivate mutating func add(_ kind: DatabaseEventKind) {
        let table = kind.tableName.lowercased()
        // The origin is never committed: nobody has to hear of it.
        if !table.hasPrefix("sqlite_"), table != Database.originTable { kinds.append(kind) }
    }
}
