internal import StrongroomCore
internal import StrongroomEssentials
internal import StrongroomSchema

/// What the devices of a space share: the content of the roster's statement `tables`.
///
/// `Documentation/SyncFormat.md` describes it under "Tables".
package struct SharedTables: Sendable, Hashable, Codable {
    package struct Entry: Sendable, Hashable, Codable {
        /// The declaration, with which a device without an app shares the table.
        package var declaration: SyncedTable
        /// How the table merges.
        package var policies: TablePolicySet
        /// The statements that create it and its indexes.
        package var sql: [String]
    }

    package var tables: [Entry]

    package init(tables: [Entry] = []) {
        self.tables = tables
    }

    init(_ db: Database, _ captured: [CapturedTable]) throws {
        tables = try captured.map { table in
            Entry(
                declaration: table.table.declaration, policies: table.table.policySet,
                sql: try SpaceSchema.texts(db, of: table.table.stored.name))
        }
    }

    package init(_ bytes: [UInt8]) throws {
        do {
            self = try JSONDecoder().decode(SharedTables.self, from: Data(bytes))
        } catch {
            throw Refusal.malformed("the tables of the space are in no form that is known")
        }
    }

    package var bytes: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return Array(try encoder.encode(self))
        }
    }

    package var declarations: [SyncedTable] { tables.map(\.declaration) }

    /// The first names of the tables.
    var wireNames: Set<String> { Set(tables.map(\.policies.table)) }

    /// What of these tables merges by other policies than here.
    func mismatches(_ own: [TablePolicySet]) -> [TablePolicySet.Mismatch] {
        own.flatMap { mine in
            tables.filter { $0.policies.table == mine.table }.flatMap {
                mine.mismatches(with: $0.policies)
            }
        }
    }

    /// These tables, and those of another value that are missing, with further columns of tables that both have; nil if
    /// nothing is missing.
    func adding(_ other: SharedTables) -> SharedTables? {
        var all = tables
        for new in other.tables {
            guard let index = all.firstIndex(where: { $0.policies.table == new.policies.table })
            else {
                all.append(new)
                continue
            }
            let known = all[index].policies.columns
            guard !Set(new.policies.columns.keys).isSubset(of: known.keys) else { continue }
            // Who has all of the columns also says how the table is created.
            if Set(known.keys).isSubset(of: new.policies.columns.keys) { all[index] = new }
            all[index].policies.columns = known.merging(new.policies.columns) { old, _ in old }
        }
        return all == tables ? nil : SharedTables(tables: all)
    }
}
