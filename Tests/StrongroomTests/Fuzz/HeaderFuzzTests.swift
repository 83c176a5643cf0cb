import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

/// First pages with hostile numbers, in plaintext and under the right key.
@Suite struct HeaderFuzzTests {
    /// Where the header and the first page of the schema have numbers.
    private static let places = [
        16, 17, 18, 19, 20, 21, 22, 23, 24, 28, 30, 31, 32, 36, 40, 44, 47, 48, 52, 56, 59, 60, 64,
        68, 72, 80, 91, 92, 96, 100, 101, 103, 104, 105, 106, 107, 108,
    ]

    @Test(.proves("OPR-03"))
    func `What SQLite reads as a plain database is taken for one`() throws {
        let folder = try TemporaryDirectory()
        let path = folder.path(of: "a.db")
        try SQLCipherShell(path: path).create("CREATE TABLE t (a); INSERT INTO t VALUES (1);")
        let sound = try Data(contentsOf: URL(fileURLWithPath: path))
        var readable: UInt64 = 0
        let count = try Fuzzing().run("plain header") { generator in
            var bytes = [UInt8](sound)
            Self.change(&bytes, &generator)
            try folder.write(Data(bytes), to: "a.db")
            let kind = try DatabaseFile(path: path).verdict().kind
            _ = try DatabaseFile(path: path).diagnose()
            do {
                try Self.readPlain(path)
            } catch is DatabaseError {
                return
            }
            readable += 1
            // SQLite reads an empty file as an empty database, and takes one of a byte for empty.
            guard bytes.count > 1 else {
                return try Fuzzing.expect(kind == .empty || kind == .tooSmall, "\(kind)")
            }
            let isHeader = bytes[20] >= 16 && kind == .plaintextHeader
            // SQLite does not look at the bytes that are kept for later, nor at some of the sizes.
            try Fuzzing.expect(
                kind == .plaintext || kind == .damagedPlaintext || isHeader,
                "\(kind): \(bytes.prefix(112))")
        }
        #expect(readable * 12 > count)
    }

    @Test(.proves("ENC-027"))
    func `A rotation of any first page changes the key of all pages, or nothing`() throws {
        let samples = try DamagedFile.samples()
        let newKey = try EncryptedSample.key(EncryptedSample.otherRawKey)
        var rotated = 0
        _ = try Fuzzing().run("encrypted header") { generator in
            let sample = generator.pick(samples)
            let folder = try TemporaryDirectory()
            let changes = Self.changes(&generator)
            let bytes = try sample.rewritten(sample.bytes, 1...1, with: sample.key) { page in
                for (index, byte) in changes { page[index] = byte }
            }
            let path = try folder.write(Data(bytes), to: "a.db")
            let file = DatabaseFile(path: path, key: try EncryptedSample.key(sample.keyText))
            _ = try file.diagnose()
            do {
                _ = try file.findingCipherSettings().check()
            } catch is DatabaseFileError {}
            try Fuzzing.expect(try Self.content(path) == bytes, "reading wrote")
            do {
                _ = try file.findingCipherSettings().rotateKey(to: newKey)
                rotated += 1
            } catch let error as DatabaseFileError {
                try Fuzzing.expect(
                    try Self.content(path) == bytes,
                    "\(sample.settings), \(changes): a rotation failed, and wrote: \(error)")
                return try Fuzzing.expect(try folder.names() == ["a.db"], "it left something")
            }
            let (before, after) = try (
                Self.pages(bytes, sample), Self.pages(path, newKey, sample)
            )
            let other = zip(before, after).enumerated().filter { $1.0 != $1.1 }.map(\.offset)
            try Fuzzing.expect(
                before == after,
                "\(changes): pages \(other) are others, \(before.count), \(after.count)")
        }
        #expect(rotated > 0)
    }

    @Test(.proves("ENC-027"))
    func `A rotation that fails leaves a page count that is not the file's`() throws {
        let folder = try TemporaryDirectory()
        for sample in try DamagedFile.samples() {
            // SQLite takes the page count of the header for old, and the last bytes of pages for free.
            let changes: [(Int, UInt8)] = [(24, 1), (30, 80), (31, 80), (20, 1)]
            let bytes = try sample.rewritten(sample.bytes, 1...1, with: sample.key) { page in
                for (index, byte) in changes { page[index] = byte }
            }
            let path = try folder.write(Data(bytes), to: "a.db")
            let file = DatabaseFile(path: path, key: try EncryptedSample.key(sample.keyText))
            #expect(throws: DatabaseFileError.self) {
                let newKey = try EncryptedSample.key(EncryptedSample.otherRawKey)
                try file.findingCipherSettings().rotateKey(to: newKey)
            }
            #expect(try Self.content(path) == bytes)
        }
    }

    private static func content(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private static func change(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
        for (index, byte) in changes(&generator) { bytes[index] = byte }
        if Int.random(in: 0...7, using: &generator) == 0 {
            bytes.removeLast(Int.random(in: 1..<bytes.count, using: &generator))
        }
    }

    private static func changes(_ generator: inout SeededGenerator) -> [(Int, UInt8)] {
        (0..<Int.random(in: 1...4, using: &generator)).map { _ in
            let values: [UInt8] = [0, 1, 2, 5, 13, 16, 32, 64, 80, 127, 128, 255]
            return (generator.pick(places), generator.pick(values))
        }
    }

    private static func readPlain(_ path: String) throws {
        let queue = try DatabaseQueue(path: path)
        _ = try queue.read { try String.fetchAll($0, sql: "SELECT sql FROM sqlite_schema") }
    }

    /// The hashes of all pages, decrypted, but for the reserve, the salt, and what SQLite counts in
    /// the header when it writes.
    private static func pages(_ bytes: [UInt8], _ sample: DamagedFile.Sample) throws -> [Int] {
        try pages(bytes, sample.key, sample)
    }

    private static func pages(
        _ path: String, _ key: CipherKey, _ sample: DamagedFile.Sample
    ) throws -> [Int] {
        let bytes = try content(path)
        let key = try PageKey(
            key, fileSalt: CipherSalt(bytes.prefix(16)), settings: sample.settings)
        return try pages(bytes, key, sample)
    }

    private static func pages(
        _ bytes: [UInt8], _ key: PageKey, _ sample: DamagedFile.Sample
    ) throws -> [Int] {
        var codec = try PageCodec(key)
        var bytes = bytes
        return try stride(from: 0, to: bytes.count, by: sample.pageSize).map { start in
            try bytes.withUnsafeMutableBytes { bytes in
                let page = UnsafeMutableRawBufferPointer(
                    rebasing: bytes[start..<(start + sample.pageSize)])
                try codec.decrypt(page, number: UInt32(start / sample.pageSize + 1))
                let used = sample.pageSize - sample.settings.reserveByteCount
                if start == 0 {
                    for index in [0..<16, 24..<32, 92..<100].joined() { page[index] = 0 }
                }
                return [UInt8](page[..<used]).hashValue
            }
        }
    }
}
