import Dispatch
import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// Each counts what the whole process holds, so each has a process of its own.
@Suite struct OpenManyTests {
    private struct Kept: Error {
        let what: String
    }

    private static func descriptorCount() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    private static func residentByteCount() throws -> Int {
        let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
            .split(separator: " ")
        return (Int(pages[1]) ?? 0) * Int(getpagesize())
    }

    /// A raw key, because 200 derivations would be all that the test measures.
    private static func configuration() -> Configuration {
        var configuration = Configuration()
        configuration.prepareDatabase {
            try $0.usePassphrase("x'\(String(repeating: "1f", count: 48))'")
        }
        return configuration
    }

    private static func usePool(at path: String, round: Int) throws {
        let pool = try DatabasePool(path: path, configuration: configuration())
        try pool.write { try $0.execute(sql: "CREATE TABLE IF NOT EXISTS t(a)") }
        let snapshot = try pool.makeSnapshot()
        snapshot.read { _ in }
        try pool.read { db in
            let statement = try db.cachedStatement(sql: "SELECT * FROM t")
            _ = try Row.fetchAll(statement)
            // A read while another one runs takes a second connection.
            let isDone = DispatchSemaphore(value: 0)
            pool.asyncRead { _ in isDone.signal() }
            isDone.wait()
        }
        switch round % 3 {
        case 0:
            try pool.close()
            try snapshot.close()
        case 1:
            // The last reference goes on another thread.
            let isGone = DispatchSemaphore(value: 0)
            pool.asyncWriteWithoutTransaction { [pool] _ in
                withExtendedLifetime(pool) {}
                isGone.signal()
            }
            isGone.wait()
        default: break
        }
    }

    // What a queue still lets go of on its own thread is let go of soon.
    private static func waitForDescriptors(_ count: Int) throws {
        let deadline = ContinuousClock.now + .seconds(20)
        while try descriptorCount() > count {
            guard ContinuousClock.now < deadline else {
                throw Kept(what: "\(try descriptorCount()) descriptors instead of \(count)")
            }
        }
    }

    @Test func `Two hundred pools opened and closed leave no descriptor and no memory`() async {
        await #expect(processExitsWith: .success) { try Self.openAndClose() }
    }

    private static func openAndClose() throws {
        let directory = try TemporaryDirectory()
        func open(_ rounds: Range<Int>) throws {
            for round in rounds {
                try usePool(at: directory.path(of: "\(round % 10)"), round: round)
            }
        }
        // The first ones make what stays for all.
        try open(0..<40)
        let descriptors = try descriptorCount()
        let memory = try residentByteCount()
        try open(40..<240)
        try waitForDescriptors(descriptors)
        let growth = try residentByteCount() - memory
        guard growth < 4 << 20 else { throw Kept(what: "\(growth) bytes") }
    }

    @Test func `Two hundred pools are open at once, and all go`() async {
        await #expect(processExitsWith: .success) { try Self.openAtOnce() }
    }

    private static func openAtOnce() throws {
        let directory = try TemporaryDirectory()
        // The first one makes what stays for all.
        for round in 0..<3 { try usePool(at: directory.path(of: "first"), round: round) }
        let before = try descriptorCount()
        var pools: [DatabasePool] = []
        for number in 0..<200 {
            let pool = try DatabasePool(
                path: directory.path(of: "\(number)"), configuration: configuration())
            try pool.write { try $0.execute(sql: "CREATE TABLE t(a)") }
            _ = try pool.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM t") }
            pools.append(pool)
        }
        guard try descriptorCount() > before + 200 else { throw Kept(what: "nothing") }
        pools = []
        try waitForDescriptors(before)
    }
}
