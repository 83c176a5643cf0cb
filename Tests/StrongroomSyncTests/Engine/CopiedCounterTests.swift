import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

@Suite("Counters of files that are copied")
struct CopiedCounterTests {
    private struct File {
        let fixture: EngineFixture
        var engine: SyncEngine

        func add(_ amount: Int) throws {
            try fixture.write("UPDATE list SET stars = stars + \(amount) WHERE id = 'a'")
        }

        var stars: Int? {
            get throws {
                try fixture.queue.read { try Int.fetchOne($0, sql: "SELECT stars FROM list") }
            }
        }
    }

    private let hub = MemoryHub()

    private func options(_ looksForCopies: Bool) -> SyncOptions {
        var options = SyncOptions()
        options.looksForCopies = looksForCopies
        return options
    }

    /// A file with a counter that two devices have.
    private func files(_ looksForCopies: Bool) async throws -> [File] {
        let (one, two) = (try EngineFixture(), try EngineFixture())
        try one.write("INSERT INTO list (id) VALUES ('a')")
        let laptop = try await one.creating(hub, options(looksForCopies))
        let ticket = try await laptop.inviteDevice().ticket
        let phone = try await two.joining(ticket, hub, options(looksForCopies))
        return [File(fixture: one, engine: laptop), File(fixture: two, engine: phone)]
    }

    private func copy(_ file: File, _ looksForCopies: Bool) async throws -> File {
        let fixture = try file.fixture.copied()
        let engine = try await SyncEngine.open(
            fixture.queue, hub, tables: fixture.tables, options(looksForCopies))
        return File(fixture: fixture, engine: engine)
    }

    private func settle(_ files: [File]) async throws {
        for _ in 0..<4 {
            for file in files { try await file.engine.synchronize() }
        }
    }

    @Test(
        "count what no file had sent once, whoever sends it first", .proves("SYN-116"),
        arguments: [false, true], [[0, 1, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
    func unsent(looksForCopies: Bool, order: [Int]) async throws {
        var files = try await files(looksForCopies)
        try await settle(files)
        try files[0].add(5)
        let copies = [
            try await copy(files[0], looksForCopies), try await copy(files[0], looksForCopies),
        ]
        let same = [files[0]] + copies
        for (amount, file) in zip([10, 100, 1000], same) { try file.add(amount) }
        for index in order { try await same[index].engine.synchronize() }
        files += copies
        try await settle(files)
        let stars = try files.map { try $0.stars ?? 0 }
        #expect(stars == files.map { _ in 1115 })
    }

    @Test(
        "count once what rows had before they were shared", .proves("SYN-116"),
        arguments: [false, true])
    func scanned(looksForCopies: Bool) async throws {
        let (one, two) = (try EngineFixture(), try EngineFixture())
        let laptop = try await one.creating(hub, options(looksForCopies))
        try two.write("INSERT INTO list (id, stars) VALUES ('a', 7)")
        let ticket = try await laptop.inviteDevice().ticket
        let phone = try await two.joining(ticket, hub, options(looksForCopies))
        var files = [
            File(fixture: one, engine: laptop), File(fixture: two, engine: phone),
        ]
        files.append(try await copy(files[1], looksForCopies))
        try await settle(files)
        let stars = try files.map { try $0.stars ?? 0 }
        #expect(stars == files.map { _ in 7 })
    }

    @Test(
        "count a copy of a copy, and notes that were merged or taken into a batch, once",
        .proves("SYN-026", "SYN-116"), arguments: [false, true])
    func generations(looksForCopies: Bool) async throws {
        var files = try await files(looksForCopies)
        try await settle(files)
        try files[0].add(1)
        try await files[0].fixture.queue.write { try Journal.mergeNotes($0) }
        try files[0].add(2)
        files.append(try await copy(files[0], looksForCopies))
        try files[0].add(10)
        try await files[0].engine.takeNotes()
        files.append(try await copy(files[0], looksForCopies))
        files.append(try await copy(files[2], looksForCopies))
        for file in files.reversed() {
            try file.add(100)
            try await file.engine.push()
        }
        try await settle(files)
        let stars = try files.map { try $0.stars ?? 0 }
        #expect(stars == files.map { _ in 513 })
    }

    @Test(
        "count each addition once, whatever is copied and sent when", .proves("SYN-116"),
        .timeLimit(.minutes(30)), arguments: 0..<16)
    func random(seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let looksForCopies = seed % 2 == 0
        var files = try await files(looksForCopies)
        try await settle(files)
        var (sum, unit, history) = (0, 1, "")
        for _ in 0..<40 {
            let index = Int.random(in: files.indices, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                try files[index].add(unit)
                sum += unit
                unit = unit % 1_000_000_007 * 3
                history += " \(index)+\(unit)"
            case 5:
                guard files.count < 6 else { continue }
                files.append(try await copy(files[index], looksForCopies))
                history += " copy \(index)"
            case 6:
                try await files[index].engine.takeNotes()
                history += " \(index)take"
            case 7:
                try await files[index].engine.push()
                history += " \(index)push"
            default:
                try await files[index].engine.synchronize()
                history += " \(index)sync"
            }
        }
        try await settle(files)
        let stars = try files.map { try $0.stars ?? 0 }
        #expect(stars == files.map { _ in sum }, "\(history)")
    }
}
