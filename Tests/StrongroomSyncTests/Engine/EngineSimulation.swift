import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

/// Some devices with real files and one hub in memory, which do things at random, from a seed.
final class EngineSimulation {
    struct Device {
        let fixture: EngineFixture
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
        """
    static let tables = [
        SyncedTable(
            "list", merge: ["stars": .counter, "best": .maximum], onConflictingDelete: .editWins,
            acyclic: "parent"),
        SyncedTable("tag"), SyncedTable("item"), SyncedTable("note"), SyncedTable("mark"),
    ]

    let seed: UInt64
    var random: SeededGenerator
    let hub: MemoryHub
    var devices: [Device] = []
    /// The true time, in milliseconds.
    let time = Locked<Int64>(1_790_000_000_000)
    /// What goes wrong with the next calls of the hub.
    let faults = Locked<[HubFault]>([])
    let crash = Locked<Int?>(nil)

    var restarts = 0
    /// Whether files are put back and copied.
    var hasCopies = false

    struct Crash: Error {}

    init(seed: UInt64) {
        self.seed = seed
        random = SeededGenerator(seed: seed)
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
        options.step = { _ in
            let isNow = crash.withLock { left -> Bool in
                guard let count = left else { return false }
                left = count == 0 ? nil : count - 1
                return count == 0
            }
            if isNow { throw Crash() }
        }
        return options
    }

    func begin(_ count: Int) async throws {
        for number in 0..<count {
            let fixture = try EngineFixture(Self.sql, Self.tables)
            let skew = Int64.random(in: -90_000_000...90_000_000, using: &random)
            if number == 0 || chance(50) { for _ in 0..<8 { try? fixture.write(statement()) } }
            let options = options(skew: skew, number)
            let engine: SyncEngine
            if number == 0 {
                engine = try await SyncEngine.create(
                    fixture.queue, hub, tables: Self.tables, name: "0", options)
            } else {
                let ticket = try await devices[0].engine.inviteDevice().ticket
                engine = try await SyncEngine.join(
                    ticket, for: fixture.queue, transport: hub, name: "\(number)",
                    tables: Self.tables, options)
            }
            devices.append(Device(fixture: fixture, engine: engine, skew: skew))
        }
    }

    /// Opens the engine anew, as a process that was killed.
    func restart(_ index: Int) async throws {
        let device = devices[index]
        // The lock goes with the engine.
        restarts += 1
        let options = options(skew: device.skew, 100 + restarts)
        devices[index].engine = try await SyncEngine.reopened(
            device.engine, device.fixture.queue, hub, options)
    }

    func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    // MARK: - Steps

    func step() async throws {
        time.withLock { $0 += Int64.random(in: 1...5000, using: &random) }
        let index = Int.random(in: devices.indices, using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<60:
            for _ in 0...Int.random(in: 0...3, using: &random) {
                try? devices[index].fixture.write(statement())
            }
        case 60..<64: devices[index].isOffline.toggle()
        case 64..<68: try await restart(index)
        case 68..<72: if hasCopies { try await copy(index) }
        default:
            guard !devices[index].isOffline else { return }
            try await exchange(index)
        }
    }

    private func exchange(_ index: Int) async throws {
        if chance(30) {
            let fault = random.pick([
                HubFault.lostRequest, .lostAnswer, .doubled, .partial(1), .error(.full),
            ])
            let position = Int.random(in: 0...8, using: &random)
            faults.withLock { list in
                list = []
                _ = position
                list.append(fault)
            }
        }
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
        if chance(25) {
            let differences = try await devices[index].engine.differences()
            guard differences.isEmpty else {
                throw Failure(description: "seed \(seed), device \(index): \(differences)")
            }
            try devices[index].fixture.check()
        }
    }

    struct Failure: Error, CustomStringConvertible { let description: String }

    /// Exchanges until nothing is new: then all devices have the same.
    func settle() async throws {
        for _ in 0..<4 {
            for index in devices.indices {
                time.withLock { $0 += 1000 }
                try await devices[index].engine.synchronize()
            }
        }
        let rows = try devices[0].fixture.rows()
        let state = try await devices[0].engine.mergedState()
        for index in devices.indices {
            let engine = devices[index].engine
            let differences = try await engine.differences()
            #expect(differences == [], "seed \(seed), device \(index)")
            let status = engine.status
            #expect(status.findings == [] && status.waitingBatches == [:], "seed \(seed)")
            #expect(status.unsentBatches == 0, "seed \(seed)")
            let own = try await engine.mergedState()
            #expect(own.canonicalBytes == state.canonicalBytes, "seed \(seed), device \(index)")
            #expect(own.vector == state.vector, "seed \(seed), device \(index)")
            #expect(try devices[index].fixture.rows() == rows, "seed \(seed), device \(index)")
            try devices[index].fixture.check()
        }
    }
}

// MARK: - Copies of files

extension EngineSimulation {
    /// Keeps the file of a device as it is, or puts the kept one back, or begins a second device with it.
    func copy(_ index: Int) async throws {
        guard let kept = devices[index].kept else {
            devices[index].kept = try devices[index].fixture.copied()
            return
        }
        devices[index].kept = nil
        guard chance(30), devices.count < 5 else {
            try kept.queue.backup(to: devices[index].fixture.queue)
            return try await restart(index)
        }
        restarts += 1
        let device = devices[index]
        let engine = try await SyncEngine.open(
            kept.queue, hub, tables: Self.tables, options(skew: device.skew, 100 + restarts))
        devices.append(Device(fixture: kept, engine: engine, skew: device.skew))
    }
}
