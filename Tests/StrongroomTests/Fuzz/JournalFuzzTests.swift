import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

/// Rollback journals of hostile numbers with checksums that are right, beside an encrypted database.
@Suite struct JournalFuzzTests {
    @Test(.proves("ENG-04"))
    func `A journal puts back only what it has, and removes no file`() throws {
        let sample = try EncryptedSample(
            CipherSettings(pageSize: 1024),
            sql: "CREATE TABLE t (a); INSERT INTO t VALUES (randomblob(5000));")
        let database = [UInt8](try Data(contentsOf: URL(fileURLWithPath: sample.path)))
        let key = try EncryptedSample.key(sample.keyText)
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cipher_page_size = 1024") }
        var (hot, refused) = (0, 0)
        let count = try Fuzzing().run("journal") { generator in
            let folder = try TemporaryDirectory()
            let path = try folder.write(Data(database), to: "a.db")
            let victim = try folder.write(
                "a stranger's", to: generator.pick(HostileJournal.victims))
            let journal = HostileJournal(database, victim: victim, &generator)
            try folder.write(Data(journal.bytes), to: "a.db-journal")
            let file = DatabaseFile(path: path, key: key, configuration: configuration)
            _ = try file.diagnose()
            try Fuzzing.expect(try Self.content(path) == database, "diagnose wrote")
            let isHot = try file.hasHotJournal()
            try Fuzzing.expect(isHot == journal.isHot, "hot: \(isHot), \(journal)")
            hot += isHot ? 1 : 0
            do {
                _ = try file.check()
                _ = try file.open().read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") }
            } catch is DatabaseError {
                refused += 1
            } catch is DatabaseFileError {
                refused += 1
            }
            // SQLite's own name for what goes with the last of several databases.
            let mayGo = victim.hasSuffix("-mj0123ABCDE")
            try Fuzzing.expect(
                mayGo || FileManager.default.fileExists(atPath: victim), "\(victim) is gone")
            let after = try Self.content(path)
            try Fuzzing.expect(after == database || isHot, "played back, and not hot: \(journal)")
            for start in stride(from: 0, to: after.count, by: 512) {
                // The journal says how large its pages are, too.
                let part = after[start..<min(start + 512, after.count)]
                try Fuzzing.expect(
                    database.dropFirst(start).starts(with: part) || !part.contains { $0 != 0 }
                        || Data(journal.bytes).range(of: Data(part)) != nil,
                    "bytes at \(start) from nowhere: \(journal)")
            }
        }
        #expect(UInt64(hot) * 6 > count && refused > 0)
    }

    /// The beginning: SQLite makes the file as large as the journal says, up to terabytes of nothing.
    private static func content(_ path: String) throws -> [UInt8] {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }
        return [UInt8](try file.read(upToCount: 100_000) ?? Data())
    }
}

/// A journal as SQLite writes it, but for some of its numbers.
/// <https://www.sqlite.org/fileformat2.html#the_rollback_journal>
private struct HostileJournal: CustomStringConvertible {
    static let victims = ["victim", "a.db-mj", "a.db-mj0123ABCDE", "a.db-mj0123ABCDX", "b.db-wal"]

    private static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]

    private(set) var bytes: [UInt8] = []
    /// Whether it may be played back.
    var isHot: Bool { bytes.count >= 512 && bytes.starts(with: Self.magic) }

    var description: String { "\(bytes.count) bytes, hot: \(isHot)" }

    init(_ database: [UInt8], victim: String, _ generator: inout SeededGenerator) {
        let records = Int.random(in: 0...4, using: &generator)
        let nonce = UInt32.random(in: 0 ... .max, using: &generator)
        let isUsual = Bool.random(using: &generator)
        let count: UInt32 = isUsual ? UInt32(records) : generator.pick([0, 1, 1000, 1 << 31, .max])
        let pages = UInt32(database.count / 1024)
        let size: UInt32 =
            isUsual ? pages : generator.pick([0, 1, pages, pages + 1, 1 << 20, .max])
        let sector: UInt32 = isUsual ? 512 : generator.pick([0, 1, 32, 512, 4096, 65536, .max])
        let page: UInt32 = isUsual ? 1024 : generator.pick([0, 512, 1024, 4096, 65536, .max])
        bytes = Self.magic
        append([count, nonce, size, sector, page])
        bytes += [UInt8](repeating: 0, count: 512 - bytes.count)
        if Int.random(in: 0...7, using: &generator) == 0 { bytes[3] ^= 1 }
        for _ in 0..<records { record(database, nonce, &generator) }
        if Bool.random(using: &generator) { name(victim, &generator) }
        if Int.random(in: 0...9, using: &generator) == 0 {
            bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator))
        }
    }

    private mutating func record(
        _ database: [UInt8], _ nonce: UInt32, _ generator: inout SeededGenerator
    ) {
        let pages = UInt32(database.count / 1024)
        let number: UInt32 = generator.pick([0, 1, 2, pages, pages + 1, 1 << 21, .max])
        let isOwn = (1...pages).contains(number) && Bool.random(using: &generator)
        let start = Int(number &- 1) * 1024
        let filling = UInt8(generator.next() & 0xff)
        let content =
            isOwn
            ? Array(database[start..<(start + 1024)]) : [UInt8](repeating: filling, count: 1024)
        // The sum of every 200th byte from the end.
        var sum = nonce
        for index in stride(from: 1024 - 200, to: 0, by: -200) { sum &+= UInt32(content[index]) }
        if Int.random(in: 0...9, using: &generator) == 0 { sum ^= 1 }
        append([number])
        bytes += content
        append([sum])
    }

    /// The journal of a transaction over several databases ends in the name of the file that goes
    /// with the last of them.
    private mutating func name(_ victim: String, _ generator: inout SeededGenerator) {
        let name = Array(victim.utf8)
        let sum = name.reduce(UInt32(0)) { $0 &+ UInt32(bitPattern: Int32(Int8(bitPattern: $1))) }
        let length = UInt32(name.count)
        append([0x4000_0000 / 1024 + 1])
        bytes += name
        append([generator.pick([length, length, length, length &- 1, 0, .max]), sum])
        bytes += Self.magic
    }

    private mutating func append(_ numbers: [UInt32]) {
        for number in numbers { withUnsafeBytes(of: number.bigEndian) { bytes += $0 } }
    }
}
