internal import StrongroomCore
internal import StrongroomEssentials
internal import StrongroomSchema

/// The tables that a device does not synchronise because it declares them otherwise than the space does.
///
/// Tables whose foreign keys lead to one of them are withheld with it: their rows would refer to rows that are not there.
struct WithheldTables: Sendable {
    /// Why, by the names of the tables.
    private(set) var reasons: [String: String] = [:]
    /// The first names of the tables.
    private(set) var names: Set<String> = []

    /// - Parameter space: What the space says; nil if it says nothing yet.
    init(_ schema: SyncSchema, _ space: SharedTables?) throws {
        for mismatch in space?.mismatches(schema.tables.map(\.policySet)) ?? [] {
            guard let table = schema.tables.first(where: { $0.wireName == mismatch.table }) else {
                continue
            }
            let reason = reasons[table.stored.name].map { $0 + "; " } ?? ""
            add(table, reason + "\(mismatch)")
        }
        var isGrowing = !names.isEmpty
        while isGrowing {
            isGrowing = false
            for table in schema.tables where !names.contains(table.wireName) {
                let withheld = Set(reasons.keys.map(\.asciiLowercased))
                guard
                    let key = table.foreignKeys.first(where: {
                        withheld.contains($0.table.asciiLowercased)
                    })
                else { continue }
                add(table, "it refers to \(key.table)")
                isGrowing = true
            }
        }
    }

    private mutating func add(_ table: SharedTable, _ reason: String) {
        reasons[table.stored.name] = reason
        names.insert(table.wireName)
    }

    /// Keeps the reasons in the file, so that others can ask for them.
    func save(_ db: Database) throws {
        guard !reasons.isEmpty else { return try StoreSetting.withheldTables.remove(db) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        try StoreSetting.withheldTables.set(db, bytes: Array(try encoder.encode(reasons)))
    }

    /// The reasons that the file has.
    static func reasons(_ db: Database) throws -> [String: String] {
        guard let bytes = try StoreSetting.withheldTables.bytes(db) else { return [:] }
        do {
            return try JSONDecoder().decode([String: String].self, from: Data(bytes))
        } catch {
            throw SyncError.damagedStore("the tables that are not synchronised")
        }
    }
}
