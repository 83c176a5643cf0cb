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

    /// What of these tables merges by other policies than here.
    func mismatches(_ own: [TablePolicySet]) -> [TablePolicySet.Mismatch] {
        own.flatMap { mine in
            tables.filter { $0.policies.table == mine.table }.flatMap {
                mine.mismatches(with: $0.policies)
            }
        }
    }

    /// These tables, and those of another value that are missing; nil if none is.
    func adding(_ other: SharedTables) -> SharedTables? {
        let known = Set(tables.map(\.policies.table))
        let new = other.tables.filter { !known.contains($0.policies.table) }
        return new.isEmpty ? nil : SharedTables(tables: tables + new)
    }
}
