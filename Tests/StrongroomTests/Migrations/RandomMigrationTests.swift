import Strongroom
import StrongroomTestSupport
import Testing

/// Random histories of migrators leave what a model of a few lines says.
@Suite struct RandomMigrationTests {
    private struct Failure: Error {}

    /// How a migration ends.
    private enum Outcome: Equatable {
        case done, failed, violated, misused
    }

    private struct Step {
        enum Keys { case deferred, immediate, unchecked }
        enum Effect { case none, fails, leavesOrphan, removesOrphans }

        let identifier: String
        let merged: Set<String>?
        let keys: Keys
        let effect: Effect

        /// What a database that has seen some steps has not seen of what this one makes.
        func tables(after applied: Set<String>) -> Set<String> {
            (merged ?? []).subtracting(applied).union([identifier])
        }
    }

    /// A version of an app.
    private struct Release {
        let steps: [Step]
        let erases: Bool
        let target: Int?

        var identifiers: [String] { steps.map(\.identifier) }
        var known: Set<String> { steps.reduce(Set(identifiers)) { $0.union($1.merged ?? []) } }
    }

    /// What a database holds.
    private struct Model {
        var applied: Set<String> = []
        var tables: Set<String> = []
        var log: [String] = []
        var orphans = 0

        mutating func run(_ step: Step) -> Outcome {
            let merged = step.merged ?? []
            var next = self
            next.log.append("\(step.identifier) \(applied.intersection(merged).sorted())")
            next.tables.formUnion(step.tables(after: applied))
            next.applied = applied.subtracting(merged).union([step.identifier])
            switch step.effect {
            case .none: break
            case .fails: return .failed
            case .leavesOrphan: next.orphans += 1
            case .removesOrphans: next.orphans = 0
            }
            let isRefused = next.orphans > orphans && step.keys == .immediate
            if isRefused || (next.orphans > 0 && step.keys == .deferred) { return .violated }
            self = next
            return .done
        }

        /// Whether its schema is not that of the migrations it has seen; how those fail, if they do.
        func hasChanged(_ release: Release) -> (Bool, Outcome) {
            guard applied.isSubset(of: release.known) else { return (true, .done) }
            let isHalfMerged = release.steps.contains {
                !applied.contains($0.identifier) && !applied.isDisjoint(with: $0.merged ?? [])
            }
            let last = release.steps.lastIndex { applied.contains($0.identifier) }
            guard let last, !isHalfMerged else { return (false, .done) }
            var fresh = Model()
            for step in release.steps[...last] {
                let outcome = fresh.run(step)
                guard outcome == .done else { return (false, outcome) }
            }
            return (fresh.tables != tables, .done)
        }

        mutating func migrate(_ release: Release) -> Outcome {
            if release.erases {
                let (hasChanged, outcome) = hasChanged(release)
                guard outcome == .done else { return outcome }
                if hasChanged { self = Model() }
            }
            let end = release.target.map { $0 + 1 } ?? release.steps.count
            guard applied.isDisjoint(with: release.identifiers[end...]) else { return .misused }
            for step in release.steps[..<end] {
                guard applied.contains(step.identifier) else {
                    let outcome = run(step)
                    guard outcome == .done else { return outcome }
                    continue
                }
                applied = applied.subtracting(step.merged ?? []).union([step.identifier])
            }
            return .done
        }
    }

    // MARK: - Histories

    private static let names = ["a", "b", "c", "d", "e", "f", "g"]

    /// Steps of which none merges a name that another one has or merges: names that come back in
    /// the next release at another place, merged, under another one, or not at all.
    private static func release(_ random: inout SeededGenerator) -> Release {
        var others = Bool.random(using: &random) ? names : names.shuffled(using: &random)
        let identifiers = others.prefix(Int.random(in: 0...5, using: &random))
        others.removeFirst(identifiers.count)
        var isUnchecked = false
        let steps = identifiers.map { name in
            var merged: Set<String>?
            if Int.random(in: 0..<3, using: &random) == 0 {
                let count = Int.random(in: 0...others.count, using: &random)
                merged = Set(others.prefix(count))
                others.removeFirst(count)
                // The name of the last one that is merged may stay in use.
                if Bool.random(using: &random) { merged?.insert(name) }
            }
            if Int.random(in: 0..<8, using: &random) == 0 { isUnchecked = true }
            let isImmediate = Int.random(in: 0..<4, using: &random) == 0
            return Step(
                identifier: name, merged: merged,
                keys: isImmediate ? .immediate : isUnchecked ? .unchecked : .deferred,
                effect: random.pick(
                    [.none, .none, .none, .none, .none, .fails, .leavesOrphan, .removesOrphans]))
        }
        let hasTarget = !steps.isEmpty && Int.random(in: 0..<4, using: &random) == 0
        return Release(
            steps: steps, erases: Int.random(in: 0..<3, using: &random) == 0,
            target: hasTarget ? Int.random(in: 0..<steps.count, using: &random) : nil)
    }

    private static func migrator(_ release: Release) -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for step in release.steps {
            if step.keys == .unchecked { migrator = migrator.disablingDeferredForeignKeyChecks() }
            let checks: DatabaseMigrator.ForeignKeyChecks =
                step.keys == .immediate ? .immediate : .deferred
            if let merged = step.merged {
                migrator.registerMigration(
                    step.identifier, foreignKeyChecks: checks, merging: merged
                ) { db, known in
                    try run(step, known, db)
                }
            } else {
                migrator.registerMigration(step.identifier, foreignKeyChecks: checks) { db in
                    try run(step, [], db)
                }
            }
        }
        migrator.eraseDatabaseOnSchemaChange = release.erases
        return migrator
    }

    private static func run(_ step: Step, _ known: Set<String>, _ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS log (id INTEGER PRIMARY KEY, line TEXT);
                CREATE TABLE IF NOT EXISTS parent (id INTEGER PRIMARY KEY);
                CREATE TABLE IF NOT EXISTS child (parentId INTEGER REFERENCES parent);
                INSERT INTO log (line) VALUES (?);
                """, arguments: ["\(step.identifier) \(known.sorted())"])
        for table in step.tables(after: known).sorted() {
            try db.execute(sql: "CREATE TABLE IF NOT EXISTS made_\(table) (a)")
        }
        switch step.effect {
        case .none: break
        case .fails: throw Failure()
        case .leavesOrphan: try db.execute(sql: "INSERT INTO child VALUES (99)")
        case .removesOrphans: try db.execute(sql: "DELETE FROM child")
        }
    }

    private static func outcome(_ body: () throws -> Void) throws -> Outcome {
        do {
            try body()
            return .done
        } catch is Failure {
            return .failed
        } catch DatabaseError.SQLITE_CONSTRAINT_FOREIGNKEY {
            return .violated
        } catch DatabaseError.SQLITE_MISUSE {
            return .misused
        }
    }

    // MARK: - Comparison

    @Test(
        .proves(
            "CMP-33", "CMP-67", "CMP-68", "MIG-005", "MIG-007", "MIG-012", "MIG-013", "MIG-014",
            "MIG-015", "MIG-016", "MIG-020", "MIG-021"))
    func `Any history of migrators leaves what it should`() throws {
        let count = try Fuzzing().run("migrators", inputs: 60) { random in
            let fixture = try FixtureDatabase()
            let queue = try fixture.open()
            var model = Model()
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let release = Self.release(&random)
                let migrator = Self.migrator(release)
                let (hasChanged, asked) = model.hasChanged(release)
                var answer = false
                let question = try Self.outcome {
                    answer = try queue.read(migrator.hasSchemaChanges)
                }
                try Fuzzing.expect(
                    answer == hasChanged && question == asked, "changed: \(release) \(model)")
                let before = model
                let wanted = model.migrate(release)
                let outcome = try Self.outcome {
                    guard let target = release.target else { return try migrator.migrate(queue) }
                    try migrator.migrate(queue, upTo: release.identifiers[target])
                }
                try Fuzzing.expect(
                    outcome == wanted, "\(outcome), not \(wanted): \(release) \(before)")
                try queue.read { db in try compare(db, migrator, release, model) }
            }
        }
        #expect(count >= 60)
    }

    private func compare(
        _ db: Database, _ migrator: DatabaseMigrator, _ release: Release, _ model: Model
    ) throws {
        let registered = release.identifiers
        let applied = model.applied
        let log =
            try db.tableExists("log")
            ? String.fetchAll(db, sql: "SELECT line FROM log ORDER BY id") : []
        let tables = try String.fetchSet(
            db, sql: "SELECT substr(name, 6) FROM sqlite_master WHERE name LIKE 'made_%'")
        let orphans =
            try db.tableExists("child")
            ? Int.fetchOne(db, sql: "SELECT COUNT(*) FROM child") : 0
        let found = try migrator.appliedIdentifiers(db)
        func expect(_ isRight: Bool, _ what: String) throws {
            try Fuzzing.expect(isRight, "\(what): \(log) \(tables) \(found): \(release) \(model)")
        }
        try expect(log == model.log, "the log")
        try expect(tables == model.tables, "the tables")
        try expect(orphans == model.orphans, "\(orphans as Any) orphans")
        let isEnforced = try Bool.fetchOne(db, sql: "PRAGMA foreign_keys")
        try expect(isEnforced == true, "foreign keys")
        try expect(found == applied, "applied")
        let known = registered.filter(applied.contains)
        try expect(try migrator.appliedMigrations(db) == known, "applied in order")
        let completed = Array(registered.prefix(while: applied.contains))
        try expect(try migrator.completedMigrations(db) == completed, "completed")
        let isComplete = registered.allSatisfy(applied.contains)
        try expect(try migrator.hasCompletedMigrations(db) == isComplete, "all")
        let isSuperseded = !applied.isSubset(of: release.known)
        try expect(try migrator.hasBeenSuperseded(db) == isSuperseded, "superseded")
    }
}
