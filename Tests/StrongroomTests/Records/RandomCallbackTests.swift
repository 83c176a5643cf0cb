import Strongroom
import StrongroomTestSupport
import Testing

/// Random operations of records with callbacks and conflict policies, with rows and calls by rule.
@Suite struct RandomCallbackTests {
    private final class Calls {
        var names: [String] = []
    }

    private protocol Policy: SendableMetatype {
        static var policy: PersistenceConflictPolicy { get }
    }

    private enum Plain: Policy {
        static let policy = PersistenceConflictPolicy()
    }

    private enum Replacing: Policy {
        static let policy = PersistenceConflictPolicy(insert: .replace, update: .ignore)
    }

    private enum Ignoring: Policy {
        static let policy = PersistenceConflictPolicy(insert: .ignore, update: .replace)
    }

    private static let policies: [any Policy.Type] = [Plain.self, Replacing.self, Ignoring.self]

    private struct Entry<P: Policy>: PersistableRecord, Encodable {
        static var databaseTableName: String { "entry" }
        static var persistenceConflictPolicy: PersistenceConflictPolicy { P.policy }

        var id: Int64
        var name: String
        let calls: Calls
        enum CodingKeys: CodingKey { case id, name }

        func willSave(_ db: Database) throws { calls.names.append("willSave") }
        func didSave(_ saved: PersistenceSuccess) { calls.names.append("didSave") }
        func willInsert(_ db: Database) throws { calls.names.append("willInsert") }
        func didInsert(_ inserted: InsertionSuccess) { calls.names.append("didInsert") }
        func willUpdate(_ db: Database, columns: Set<String>) throws {
            calls.names.append("willUpdate")
        }
        func didUpdate(_ updated: PersistenceSuccess) { calls.names.append("didUpdate") }
        func willDelete(_ db: Database) throws { calls.names.append("willDelete") }
        func didDelete(deleted: Bool) { calls.names.append("didDelete \(deleted)") }
    }

    /// The table, whose ids and names are unique.
    private struct Model {
        var rows: [Int64: String] = [:]

        func conflicts(_ id: Int64, _ name: String) -> Bool { rows[id] != nil || isTaken(name, id) }

        func isTaken(_ name: String, _ id: Int64) -> Bool {
            rows.contains { $0.value == name && $0.key != id }
        }

        /// Puts a row in place of those that are in conflict with it.
        mutating func replace(_ id: Int64, _ name: String) {
            rows = rows.filter { $0.value != name }
            rows[id] = name
        }

        mutating func insert(
            _ id: Int64, _ name: String, _ policy: Database.ConflictResolution?
        ) -> [String] {
            if policy == .replace {
                replace(id, name)
            } else if conflicts(id, name) {
                if policy != .ignore { return ["willInsert", "fails"] }
            } else {
                rows[id] = name
            }
            return ["willInsert", "didInsert"]
        }

        mutating func update(
            _ id: Int64, _ name: String, _ policy: Database.ConflictResolution?
        ) -> [String] {
            guard rows[id] != nil else { return ["willUpdate", "is missing"] }
            if policy == .replace {
                replace(id, name)
            } else if isTaken(name, id) {
                // What is ignored is not updated, as if it were missing.
                return ["willUpdate", policy == .ignore ? "is missing" : "fails"]
            }
            rows[id] = name
            return ["willUpdate", "didUpdate"]
        }
    }

    @Test(.proves("CMP-100"))
    func `Random operations of records call and write what the rules say`() throws {
        let queue = try DatabaseQueue()
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE entry(id INTEGER PRIMARY KEY, name TEXT UNIQUE)")
        }
        for seed in UInt64(1)...200 {
            try queue.write { db in
                try db.execute(sql: "DELETE FROM entry")
                var random = SeededGenerator(seed: seed)
                var model = Model()
                var done: [String] = []
                for _ in 1...20 {
                    let id = Int64.random(in: 1...4, using: &random)
                    let name = random.pick(["a", "b", "c", "d"])
                    let policy = random.pick(
                        [nil, .ignore, .replace] as [Database.ConflictResolution?])
                    let ofType = random.pick(Self.policies)
                    let operation = random.pick(["insert", "update", "save", "delete"])
                    done.append("\(ofType).\(operation) \(id) \(name) \(policy?.rawValue ?? "")")
                    let calls = Calls()
                    try run(db, operation, id, name, calls, policy, ofType)
                    let wanted = expected(
                        &model, operation, id, name,
                        insert: policy ?? ofType.policy.conflictResolutionForInsert,
                        update: policy ?? ofType.policy.conflictResolutionForUpdate)
                    #expect(calls.names == wanted, "seed \(seed): \(done)")
                    let rows = try Row.fetchAll(db, sql: "SELECT id, name FROM entry")
                    let pairs = rows.map { ($0["id"] as Int64, $0["name"] as String) }
                    #expect(
                        Dictionary(uniqueKeysWithValues: pairs) == model.rows,
                        "seed \(seed): \(done)")
                }
            }
        }
    }

    private func run<P: Policy>(
        _ db: Database, _ operation: String, _ id: Int64, _ name: String, _ calls: Calls,
        _ policy: Database.ConflictResolution?, _ ofType: P.Type
    ) throws {
        let entry = Entry<P>(id: id, name: name, calls: calls)
        do {
            switch operation {
            case "insert": try entry.insert(db, onConflict: policy)
            case "update": try entry.update(db, onConflict: policy)
            case "save": try entry.save(db, onConflict: policy)
            default: try entry.delete(db)
            }
        } catch DatabaseError.SQLITE_CONSTRAINT {
            entry.calls.names.append("fails")
        } catch RecordError.recordNotFound {
            entry.calls.names.append("is missing")
        }
    }

    private func expected(
        _ model: inout Model, _ operation: String, _ id: Int64, _ name: String,
        insert: Database.ConflictResolution, update: Database.ConflictResolution
    ) -> [String] {
        var calls: [String]
        switch operation {
        case "delete":
            return ["willDelete", "didDelete \(model.rows.removeValue(forKey: id) != nil)"]
        case "insert": calls = model.insert(id, name, insert)
        case "update": calls = model.update(id, name, update)
        default:
            calls = model.update(id, name, update)
            if calls.last == "is missing" {
                calls = ["willUpdate"] + model.insert(id, name, insert)
            }
        }
        let isDone = calls.last?.hasPrefix("did") == true
        return ["willSave"] + calls + (isDone ? ["didSave"] : [])
    }
}
