import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// Random histories of migrators leave what a model of a few lines says.
@Suite struct RandomMigrationTests {
    private struct Failure: Error {}

    private struct Step {
        let identifier: String
        let merged: Set<String>?
        let fails: Bool
    }

    /// What a database has seen, and what ran.
    private struct Model {
        var applied: Set<String> = []
        var log: [String] = []

        /// - Returns: Whether no step failed.
        mutating func migrate(_ steps: [Step]) -> Bool {
            let seen = steps.filter { applied.contains($0.identifier) }
            for step in steps where !applied.contains(step.identifier) {
                if step.fails { return false }
                let merged = step.merged ?? []
                let known = applied.intersection(merged).sorted()
                log.append("\(step.identifier) \(known.joined(separator: ","))")
                applied.subtract(merged)
                applied.insert(step.identifier)
            }
            // What was merged into a migration that had run before is forgotten in the end.
            for step in seen {
                applied.subtract((step.merged ?? []).subtracting([step.identifier]))
            }
            return true
        }
    }

    private static let names = ["a", "b", "c", "d", "e", "f", "g"]

    /// Steps of which none merges a name that another one has or merges.
    private static func steps(_ random: inout SeededGenerator) -> [Step] {
        var others = names.shuffled(using: &random)
        let identifiers = others.prefix(Int.random(in: 0...5, using: &random))
        others.removeFirst(identifiers.count)
        return identifiers.map { name in
            var merged: Set<String>?
            if Int.random(in: 0..<3, using: &random) == 0 {
                let count = Int.random(in: 0...others.count, using: &random)
                merged = Set(others.prefix(count))
                others.removeFirst(count)
                // The name of the last one that is merged may stay in use.
                if Bool.random(using: &random) { merged?.insert(name) }
            }
            let fails = Int.random(in: 0..<8, using: &random) == 0
            return Step(identifier: name, merged: merged, fails: fails)
        }
    }

    private static func migrator(_ steps: [Step]) -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for step in steps {
            @Sendable func run(_ db: Database, _ known: Set<String>) throws {
                let line = "\(step.identifier) \(known.sorted().joined(separator: ","))"
                try db.execute(sql: "INSERT INTO log (line) VALUES (?)", arguments: [line])
                if step.fails { throw Failure() }
            }
            if let merged = step.merged {
                migrator.registerMigration(step.identifier, merging: merged, migrate: run)
            } else {
                migrator.registerMigration(step.identifier) { db in try run(db, []) }
            }
        }
        return migrator
    }

    @Test(.proves("CMP-33", "CMP-68", "MIG-014", "MIG-015", "MIG-016", "MIG-021"))
    func `Any history of migrators leaves what it should`() throws {
        for seed in UInt64(1)...120 {
            var random = SeededGenerator(seed: seed)
            let queue = try DatabaseQueue()
            try queue.write { db in
                try db.execute(sql: "CREATE TABLE log (id INTEGER PRIMARY KEY, line TEXT)")
            }
            var model = Model()
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                let steps = Self.steps(&random)
                let migrator = Self.migrator(steps)
                let succeeds = model.migrate(steps)
                do {
                    try migrator.migrate(queue)
                    #expect(succeeds, "seed \(seed)")
                } catch is Failure {
                    #expect(!succeeds, "seed \(seed)")
                }
                try queue.read { db in try compare(db, migrator, steps, model, seed) }
            }
        }
    }

    private func compare(
        _ db: Database, _ migrator: DatabaseMigrator, _ steps: [Step], _ model: Model,
        _ seed: UInt64
    ) throws {
        let registered = steps.map(\.identifier)
        let known = steps.reduce(Set(registered)) { $0.union($1.merged ?? []) }
        let lines = try String.fetchAll(db, sql: "SELECT line FROM log ORDER BY id")
        #expect(lines == model.log, "seed \(seed)")
        #expect(try migrator.appliedIdentifiers(db) == model.applied, "seed \(seed)")
        #expect(
            try migrator.appliedMigrations(db) == registered.filter(model.applied.contains),
            "seed \(seed)")
        #expect(
            try migrator.completedMigrations(db)
                == Array(registered.prefix(while: model.applied.contains)), "seed \(seed)")
        #expect(
            try migrator.hasCompletedMigrations(db)
                == registered.allSatisfy(model.applied.contains), "seed \(seed)")
        #expect(
            try migrator.hasBeenSuperseded(db) == !model.applied.isSubset(of: known),
            "seed \(seed)")
    }
}
