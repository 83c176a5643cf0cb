import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

/// Write-ahead logs of hostile numbers with checksums that are right, beside an encrypted database.
@Suite struct LogFuzzTests {
    @Test(.proves("ENC-025"))
    func `What counts of a log is what SQLite counts`() throws {
        let sample = try EncryptedSample(
            CipherSettings(pageSize: 1024), sql: "PRAGMA journal_mode = WAL; CREATE TABLE t (a);")
        let database = try Data(contentsOf: URL(fileURLWithPath: sample.path))
        let key = try EncryptedSample.key(sample.keyText)
        var asked: UInt64 = 0
        let count = try Fuzzing().run("log") { generator in
            let folder = try TemporaryDirectory()
            let path = try folder.write(database, to: "a.db")
            let log = HostileLog([UInt8](database), &generator)
            try folder.write(Data(log.bytes), to: "a.db-wal")
            let read = try LogFile(path + "-wal", .system)
            let (frames, pages) = (read?.committedFrameCount ?? 0, read?.pageCount ?? 0)
            try Fuzzing.expect(
                frames == log.committedFrameCount && pages == log.pageCount,
                "\(frames) frames, \(pages) pages, not \(log)")
            var configuration = Configuration()
            configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cipher_page_size = 1024") }
            let file = DatabaseFile(path: path, key: key, configuration: configuration)
            _ = try file.diagnose()
            let out = DatabaseFile(path: folder.path(of: "out.db"), key: key)
            do {
                try file.salvage(to: out)
                _ = try file.check()
            } catch is DatabaseFileError {
                // A log may say that there is no page.
            }
            try Fuzzing.expect(
                try Data(contentsOf: URL(fileURLWithPath: path)) == database, "something wrote")
            guard log.pageSize == 1024, let index = try Self.index(file) else { return }
            asked += 1
            try Fuzzing.expect(
                index == [UInt32(log.committedFrameCount), log.pageCount],
                "SQLite has \(index), not \(log)")
        }
        #expect(asked * 4 > count)
    }

    /// The number of frames and of pages in SQLite's index of the log; nil if it opens nothing.
    /// <https://www.sqlite.org/walformat.html#the_wal_index_file_format>
    private static func index(_ file: DatabaseFile) throws -> [UInt32]? {
        do {
            let queue = try file.open()
            return try queue.read { db in
                _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema")
                let index = try Data(contentsOf: URL(fileURLWithPath: file.path + "-shm"))
                return index[16..<24].withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) }
            }
        } catch is DatabaseError {
            return nil
        } catch is DatabaseFileError {
            return nil
        }
    }
}

/// A log as SQLite writes it, but for some of its numbers, and what of it counts.
private struct HostileLog: CustomStringConvertible {
    private(set) var bytes: [UInt8] = []
    let pageSize: Int
    private(set) var committedFrameCount = 0
    private(set) var pageCount: UInt32 = 0
    private var sums: (UInt32, UInt32) = (0, 0)
    private let isBigEndian: Bool

    var description: String {
        "\(committedFrameCount) frames, \(pageCount) pages in \(bytes.count) bytes"
    }

    /// - Parameter database: What has the pages, of 1024 bytes, that the key vouches for.
    init(_ database: [UInt8], _ generator: inout SeededGenerator) {
        let isUsual = Int.random(in: 0...2, using: &generator) > 0
        pageSize = isUsual ? 1024 : generator.pick([0, 1, 512, 1023, 1024, 65536, 131072, 1 << 31])
        isBigEndian = Bool.random(using: &generator)
        let magic: UInt32 = 0x377f_0682 | (isBigEndian ? 1 : 0)
        let isKnown = Int.random(in: 0...9, using: &generator) > 0
        let version: UInt32 = isKnown ? 3_007_000 : generator.pick([0, 3_006_999, .max])
        let salts: [UInt32] = [.random(in: 0 ... .max, using: &generator), 7]
        append([magic, version, UInt32(pageSize), generator.pick([0, 1, .max])] + salts)
        sum(bytes[...])
        append([sums.0, sums.1])
        var counts = isKnown && (512...65536).contains(pageSize) && pageSize.nonzeroBitCount == 1
        if Int.random(in: 0...9, using: &generator) == 0 {
            bytes[Int.random(in: 0..<32, using: &generator)] ^= 4
            counts = false
        }
        for number in 1...Int.random(in: 1...8, using: &generator) {
            let frame = frame(salts, database, &generator)
            counts = counts && frame.isRight
            if counts, frame.commit > 0 {
                committedFrameCount = number
                pageCount = frame.commit
            }
        }
        if Int.random(in: 0...3, using: &generator) == 0 {
            // The last frame was longer than a page: nothing of it counts without its end.
            bytes += generator.bytes(upTo: 23)
        }
    }

    private mutating func frame(
        _ salts: [UInt32], _ database: [UInt8], _ generator: inout SeededGenerator
    ) -> (isRight: Bool, commit: UInt32) {
        let page: UInt32 = generator.pick([1, 1, 2, 2, 3, 1000, .max, 0x7fff_ffff, 0])
        let commit: UInt32 = generator.pick([0, 0, 1, 2, 2, 3, 1000, .max])
        let isOwn = pageSize == 1024 && [1, 2].contains(page)
        let filling = UInt8(generator.next() & 0xff)
        let content =
            isOwn
            ? Array(database[(Int(page) - 1) * 1024..<Int(page) * 1024])
            : [UInt8](repeating: filling, count: pageSize % 65537)
        let start = bytes.count
        append([page, commit])
        sum(bytes[start...])
        sum(content[..<(content.count & ~7)])
        var isRight = page > 0
        var written = salts + [sums.0, sums.1]
        if Int.random(in: 0...15, using: &generator) == 0 {
            written[Int.random(in: 0..<4, using: &generator)] ^= 1
            isRight = false
        }
        append(written)
        bytes += content
        return (isRight, commit)
    }

    private mutating func append(_ numbers: [UInt32]) {
        for number in numbers { withUnsafeBytes(of: number.bigEndian) { bytes += $0 } }
    }

    /// <https://www.sqlite.org/fileformat2.html#checksum_algorithm>
    private mutating func sum(_ content: ArraySlice<UInt8>) {
        let words = stride(from: content.startIndex, to: content.endIndex, by: 4).map { start in
            content[start..<(start + 4)].enumerated().reduce(UInt32(0)) { sum, byte in
                sum | UInt32(byte.element)
                    << UInt32(8 * (isBigEndian ? 3 - byte.offset : byte.offset))
            }
        }
        for pair in stride(from: 0, to: words.count, by: 2) {
            sums.0 &+= words[pair] &+ sums.1
            sums.1 &+= words[pair + 1] &+ sums.0
        }
    }
}
