internal import StrongroomCore
internal import StrongroomSchema

/// Compares one declaration with its table.
struct TableFindings {
    let table: SharedTable
    var findings: [SyncFinding] = []

    init(_ table: SharedTable) {
        self.table = table
    }

    var declaration: SyncedTable { table.declaration }
    var name: String { table.declaration.name }

    /// - Parameters:
    ///   - sharedNames: The names of all declared tables, with A to Z in lower case.
    ///   - keys: Their primary keys.
    mutating func run(sharedNames: Set<String>, keys: [String: [String]]) {
        checkKey()
        checkNames()
        checkTablePolicies()
        checkColumnPolicies()
        checkGroups()
        checkUniqueIndexes()
        checkReferences(sharedNames, keys)
        checkAcyclic()
        checkDefaults()
    }

    mutating func refuse(
        _ reason: SyncFinding.Reason, _ column: String?, _ message: String,
        _ remedy: String
    ) {
        findings.append(
            SyncFinding(
                severity: .refused, reason: reason, table: name, column: column,
                message: message, remedy: remedy))
    }

    mutating func warn(
        _ reason: SyncFinding.Reason, _ column: String?, _ message: String,
        _ remedy: String
    ) {
        findings.append(
            SyncFinding(
                severity: .warning, reason: reason, table: name, column: column,
                message: message, remedy: remedy))
    }

    mutating func refuseForNow(_ column: String?, _ what: String, _ remedy: String) {
        refuse(.notAvailable, column, "\(what) is not available yet", remedy)
    }

    /// The column of a name; nil also for one that the database computes.
    func column(_ name: String) -> StoredTable.Column? {
        table.stored.columns.first {
            !$0.isGenerated && $0.name.asciiLowercased == name.asciiLowercased
        }
    }

    func isKey(_ name: String) -> Bool {
        table.stored.key.contains { $0.asciiLowercased == name.asciiLowercased }
    }
}

// MARK: - Keys and names

extension TableFindings {
    private mutating func checkKey() {
        let key = table.stored.key
        guard !key.isEmpty else {
            return refuse(
                .noPrimaryKey, nil, "it has no primary key, so devices cannot tell its rows apart",
                "recreate it with a key, such as \"id TEXT PRIMARY KEY NOT NULL\"")
        }
        switch declaration.keys {
        case .mapped:
            refuseForNow(
                key[0], "keys: .mapped", "use UUIDs, or keys: .application for unique numbers")
        case .random where table.stored.isKeyRowNumber:
            refuse(
                .rowNumberKey, key[0], "two devices would give one number to two rows",
                "use a UUID in a TEXT or BLOB column, or keys: .application if the app gives"
                    + " numbers that no other device gives")
        case .random, .application: break
        default:
            refuse(
                .unknownPolicy, nil, "keys: \(declaration.keys.rawValue) is no policy",
                "use .random or .application")
        }
        guard !table.stored.isKeyRowNumber, !table.stored.isWithoutRowID else { return }
        for name in key where column(name)?.isNotNull == false {
            warn(
                .nullableKey, name, "rows with NULL in the key are not shared",
                "declare the column NOT NULL")
        }
    }

    private mutating func checkNames() {
        let lists: [(String, [String])] = [
            ("merge:", Array(declaration.merge.keys)), ("clamp:", Array(declaration.clamp.keys)),
            ("absent:", Array(declaration.absent.keys)), ("acyclic:", declaration.acyclic),
            ("renamedColumns:", Array(declaration.renamedColumns.keys)),
            ("groups:", declaration.groups.flatMap(\.self)),
        ]
        for (label, names) in lists {
            for name in names.sorted() where column(name) == nil {
                refuse(
                    .unknownName, name,
                    "\(label) names a column that the table does not have, or computes",
                    "correct the name, or remove it from \(label)")
            }
        }
        var wires = Set(table.keyWireNames)
        for column in table.columns where !wires.insert(column.wireName).inserted {
            refuse(
                .declaredTwice, column.name,
                "its first name \(column.wireName) is also that of another column",
                "give another name in renamedColumns:")
        }
    }

    private mutating func checkTablePolicies() {
        if ![.cells, .whole].contains(declaration.row) {
            refuse(
                .unknownPolicy, nil, "row: \(declaration.row.rawValue) is no policy",
                "use .cells or .whole")
        }
        if ![.deleteWins, .editWins].contains(declaration.onConflictingDelete) {
            refuse(
                .unknownPolicy, nil,
                "onConflictingDelete: \(declaration.onConflictingDelete.rawValue) is no policy",
                "use .deleteWins or .editWins")
        }
        for owner in declaration.owners.sorted() {
            refuseForNow(
                owner, "owner: true, for several spaces in one database,",
                "remove it from the column: all tables of a database are in one space")
        }
    }

    private mutating func checkDefaults() {
        for column in table.columns
        where column.isNotNull && column.defaultSQL == nil && column.absentSQL == nil {
            warn(
                .noDefault, column.name,
                "rows from versions without this column are held, for it refuses NULL",
                "give it a DEFAULT, or absent: [\"\(column.name)\": \"an SQL expression\"]")
        }
    }
}
