import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

/// Some devices with real files and one hub in memory, which do things at random, from a seed.
final class EngineSimulation {
    struct Device {
        var fixture: EngineFixture
        var engine: SyncEngine
        var isOffline = false
        var kept: EngineFixture?
        let skew: Int64
    }

    static let sql = """
        CREATE TABLE list (
            id TEXT PRIMARY KEY NOT NULL, parent TEXT REFERENCES list ON DELETE CASCADE, title TEXT,
            stars INTEGER NOT NULL DEFAULT 0, best INTEGER);
        CREATE INDEX list_parent ON list (parent);
        CREATE TABLE tag (
            id TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL COLLATE NOCASE UNIQUE,
            shade INTEGER, gone INTEGER) WITHOUT ROWID;
        CREATE UNIQUE INDEX tag_shade ON tag (abs(shade)) WHERE gone IS NULL;
        CREATE TABLE item (
            id TEXT PRIMARY KEY NOT NULL, list TEXT NOT NULL REFERENCES list ON DELETE CASCADE,
            tag TEXT REFERENCES tag ON DELETE SET NULL, low INTEGER DEFAULT 0, high INTEGER DEFAULT 9,
            data, CHECK (low <= high));
        CREATE INDEX item_list ON item (list);
        CREATE INDEX item_tag ON item (tag);
        CREATE TABLE note (
            id TEXT PRIMARY KEY NOT NULL, item TEXT NOT NULL REFERENCES item ON DELETE RESTRICT, text);
        CREATE INDEX note_item ON note (item);
        CREATE TABLE mark (
            list TEXT NOT NULL REFERENCES list ON DELETE CASCADE, name TEXT NOT NULL,
            seat INTEGER UNIQUE, PRIMARY KEY (list, name)) WITHOUT ROWID;
        CREATE TABLE tally (id TEXT PRIMARY KEY NOT NULL, n INTEGER NOT NULL DEFAULT 0);
        CREATE TABLE payment (id TEXT PRIMARY KEY NOT NULL, tally TEXT NOT NULL, amount INTEGER NOT NULL);
        """
    static let tables = [
        SyncedTable(
            "list", merge: ["stars": .counter, "best": .maximum], onConflictingDelete: .editWins,
            acyclic: "parent"),
        SyncedTable("tag"), SyncedTable("item"), SyncedTable("note"), SyncedTable("mark"),
        SyncedTable("tally", merge: ["n": .counter]), SyncedTable("payment"),
    ]

    let seed: UInt64
    let world: EngineWorld
    var random: SeededGenerator
    let hub: MemoryHub
    var devices: [Device] = []
    /// The true time, in milliseconds.
    let time = Locked<Int64>(1_790_000_000_000)
    let tokens: Locked<SeededGenerator>
    /// What goes wrong with the next calls of the hub.
    let faults = Locked<[HubFault?]>([])
    let crash = Locked<Int?>(nil)
    /// What an app writes while its device exchanges, and before which step.
    let interruption = Locked<(left: Int, write: @Sendable () -> Void)?>(nil)

    /// What the hub had at the last check.
    var hubContents: [String: [UInt8]] = [:]
    /// What was done, and what came of it.
    var history: [String] = []
    var restarts = 0
    /// Whether files are put back and copied.
    var hasCopies = false
    /// Whether days pass, so that tombstones and logs are dropped.
    var hasFloors = false
    /// Whether the hub is put back to an older state.
    var losesHub = false
    /// What the hub had when it was last kept.
    var keptHub: [String: [UInt8]]?
    /// The payments that a commit confirmed, and that no older file took away again.
    var payments: Set<String> = []
    var paymentCount = 0

    struct Crash: Error {}

    init(seed: UInt64, _ world: EngineWorld = .plain) {
        self.seed = seed
        self.world = world
        random = SeededGenerator(seed: seed)
        tokens = Locked(SeededGenerator(seed: ~seed))
        let faults = faults
        let time = time
        hub = MemoryHub(
            time: { time.withLock { $0 } }, sleep: { _ in },
            plan: { _ in faults.withLock { $0.isEmpty ? nil : $0.removeFirst() } })
    }

    // MARK: - Devices

    func options(skew: Int64, _ number: Int) -> SyncOptions {
        var options = SyncOptions()
        let time = time
        let crash = crash
        options.time = { time.withLock { $0 } + skew }
        // Without the witness beside the file, the hub and other devices have to tell what a copy is.
        options.looksForCopies = seed % 2 == 0
        options.randomness = .seeded(seed &* 1000 &+ UInt64(number))
        options.holdCount = 3 + number % 40
        // Units are so small that slices are tried in a part of the histories only.
        if seed % 3 == 1 { options.atomicLimit = 3 }
        if hasFloors { options.leastSnapshotLog = 3000 }
        let interruption = interruption
        options.step = { _ in
            let write = interruption.withLock { next -> (@Sendable () -> Void)? in
                guard let (left, write) = next else { return nil }
                next = left == 0 ? nil : (left - 1, write)
                return left == 0 ? write : nil
            }
            write?()
            let isNow = crash.withLock { left -> Bool in
                guard let count = left else { return false }
                left = count == 0 ? nil : count - 1
                return count == 0
            }
            if isNow { throw Crash() }
        }
        return options
    }

    func begin() async throws {
        for number in 0..<(2 + Int(seed % 3)) {
            let fixture = try EngineFixture(world.sql, world.tables)
            let skew = Int64.random(in: -90_000_000...90_000_000, using: &random)
            try setClock(of: fixture, skew: skew)
            if number == 0 || chance(50) {
                for _ in 0..<8 { write(statement(), to: fixture) }
            }
            let options = options(skew: skew, number)
            let engine: SyncEngine
            if number == 0 {
                engine = try await SyncEngine.create(
                    fixture.queue, hub, tables: world.tables, name: "0", options)
            } else {
                let ticket = try await devices[0].engine.inviteDevice().ticket
                engine = try await SyncEngine.join(
                    ticket, for: fixture.queue, transport: hub, name: "\(number)",
                    tables: world.tables, options)
            }
            devices.append(Device(fixture: fixture, engine: engine, skew: skew))
        }
        if hasFloors { try await devices[0].engine.publish(.retention(1)) }
    }

    /// Opens the engine anew, as a process that was killed.
    func restart(_ index: Int) async throws {
        let device = devices[index]
        // The lock goes with the engine.
        restarts += 1
        let options = options(skew: device.skew, 100 + restarts)
        devices[index].engine = try await SyncEngine.reopened(
            device.engine, device.fixture.queue, hub, tables: device.fixture.tables, options)
    }

    /// Runs the app's next migration, and opens the engine anew.
    func upgrade(_ index: Int) async throws {
        let version = devices[index].fixture.version
        guard version < world.upgrades.count else { return }
        history.append("  device \(index) gets version \(version + 1)")
        let next = world.upgrades[version]
        var migrator = DatabaseMigrator()
        migrator.pauseCapture(for: next.tables)
        for number in 0...version {
            let sql = world.upgrades[number].sql
            migrator.registerMigration("\(number)") { try $0.execute(sql: sql) }
        }
        try migrator.migrate(devices[index].fixture.queue)
        devices[index].fixture.version = version + 1
        devices[index].fixture.tables = next.tables
        try await restart(index)
    }

    func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    // MARK: - Steps

    /// What an app writes may be refused.
    func write(_ statement: String, to fixture: EngineFixture) {
        do {
            try fixture.write(statement)
            if statement.contains("INSERT INTO payment") { payments.insert("p\(paymentCount)") }
            history.append("  \(statement)")
        } catch {
            history.append("  \(statement) -- refused")
        }
    }

    /// Notes what the hub has and what the device shows: two runs of a seed have the same.
    private func note(_ what: String, _ index: Int) throws {
        let rows = try devices[index].fixture.rows()
        var contents: [UInt8] = []
        for (name, body) in hub.contents.sorted(by: { $0.key < $1.key }) {
            contents += Array(name.utf8) + body
        }
        let hash = try contents.withUnsafeBytes { try ContentDigest(of: $0).hexadecimal }
        history.append("\(what) \(index): \(rows.count) rows, hub \(hash.prefix(8))")
        history += rows.map { "    \($0)" }
    }

    /// - Parameter number: The place of the step in the history of the seed.
    func step(_ number: Int) async throws {
        random = SeededGenerator(seed: seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(number) &+ 1)
        time.withLock { $0 += Int64.random(in: 1...5000, using: &random) }
        let index = Int.random(in: devices.indices, using: &random)
        if losesHub, putHubBack(number) { return }
        if hasFloors, try await pass(number, index) { return }
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<60:
            history.append("step \(number): device \(index) writes")
            for _ in 0...Int.random(in: 0...3, using: &random) {
                write(statement(), to: devices[index].fixture)
            }
        case 60..<64:
            devices[index].isOffline.toggle()
            history.append("step \(number): device \(index) offline: \(devices[index].isOffline)")
        case 64..<68:
            history.append("step \(number): device \(index) begins again")
            if !world.upgrades.isEmpty, chance(60) {
                try await upgrade(index)
            } else {
                try await restart(index)
            }
        case 68..<72:
            if hasCopies {
                history.append("step \(number): device \(index) is copied")
                try await copy(index)
            }
        default:
            guard !devices[index].isOffline else { return }
            history.append("step \(number): device \(index) exchanges")
            try await exchange(index)
            try note("after", index)
        }
    }

    /// Lets days pass now and then, or has a device drop what nobody needs.
    ///
    /// - Returns: Whether that was the step.
    private func pass(_ number: Int, _ index: Int) async throws -> Bool {
        if chance(20) {
            time.withLock { $0 += Int64.random(in: 1...3, using: &random) * 86_400_000 }
            history.append("step \(number): days pass")
        }
        guard chance(8), !devices[index].isOffline else { return false }
        history.append("step \(number): device \(index) compacts")
        let count = try await devices[index].engine.compact()
        history.append("  \(count) objects are gone")
        try await check(index)
        return true
    }

    private func exchange(_ index: Int) async throws {
        if chance(30) {
            let fault = random.pick([
                HubFault.lostRequest, .lostAnswer, .doubled, .partial(1), .error(.full),
            ])
            // Of one of the first calls.
            let position = Int.random(in: 0...8, using: &random)
            faults.withLock { $0 = Array(repeating: nil, count: position) + [fault] }
            history.append("  call \(position) of the hub: \(fault)")
        }
        if chance(30) { interrupt(index) }
        let willCrash = chance(15)
        if willCrash { crash.withLock { $0 = Int.random(in: 0...4, using: &random) } }
        do {
            let engine = devices[index].engine
            switch Int.random(in: 0...3, using: &random) {
            case 0: try await engine.pull()
            case 1: try await engine.push()
            default: try await engine.synchronize()
            }
        } catch is HubError {
        } catch is Crash {
            try await restart(index)
        }
        faults.withLock { $0 = [] }
        crash.withLock { $0 = nil }
        interruption.withLock { $0 = nil }
        try await check(index)
    }
}
