import Foundation
import StrongroomTestSupport

@testable import StrongroomCore

/// A copy of a file to which something was done, and what a diagnosis has to say of it.
struct DamagedFile {
    /// A file that is whole, and what is in it.
    struct Sample {
        let keyText: String
        let settings: CipherSettings
        let key: PageKey
        let bytes: [UInt8]
        let rows: [Int64: String]
        let freePages: Set<UInt32>

        var pageSize: Int { settings.pageSize }
        var pageCount: Int { bytes.count / pageSize }
        /// The verdict on it as it is.
        var verdict: DatabaseDiagnosis.Verdict {
            settings == .version(.v4) ? .sound : .otherSettings
        }
    }

    static let wrongKey = "x'" + String(repeating: "99", count: 32) + "'"

    let sample: Sample
    var bytes: [UInt8]
    var what = "nothing"
    var expected: DatabaseDiagnosis.Verdict
    var damagedPages: [Int] = []
    var missingPages: ClosedRange<Int>?
    var hasRightKey = true
    var knowsOtherKey = false

    init(_ sample: Sample) {
        self.sample = sample
        bytes = sample.bytes
        expected = sample.verdict
    }

    // MARK: - Samples

    static func samples() throws -> [Sample] {
        let wide = try CipherSettings(pageSize: 8192, authentication: .hmac(.sha256))
        return [
            try sample(.version(.v4), ""), try sample(.version(.v3), ""),
            try sample(wide, "PRAGMA auto_vacuum = FULL;"),
        ]
    }

    private static func sample(_ settings: CipherSettings, _ pragmas: String) throws -> Sample {
        let file = try EncryptedSample(
            settings,
            sql: pragmas + """
                CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b BLOB);
                CREATE TABLE w (k TEXT PRIMARY KEY, v) WITHOUT ROWID;
                CREATE INDEX by_a ON t (a);
                WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 600)
                  INSERT INTO t SELECT n, 'row ' || n, randomblob(n * n % 900) FROM c;
                UPDATE t SET b = randomblob(20000) WHERE id IN (77, 333);
                INSERT INTO w SELECT a, id FROM t;
                DELETE FROM t WHERE id BETWEEN 200 AND 300;
                """)
        var configuration = Configuration()
        for pragma in settings.pragmas(salt: nil) {
            configuration.prepareDatabase { try $0.execute(sql: pragma) }
        }
        let source = DatabaseFile(
            path: file.path, key: try EncryptedSample.key(file.keyText),
            configuration: configuration)
        let content = try source.open().read { try Self.rows($0) }
        let pages = try file.open()
        let key = try file.pageKey()
        let clear = try DecryptedPages(pages, keys: [key], log: nil, .system)
        let header = try clear.page(1) ?? []
        return Sample(
            keyText: file.keyText, settings: settings, key: key,
            bytes: [UInt8](try Data(contentsOf: URL(fileURLWithPath: file.path))), rows: content,
            freePages: try FreePages(of: clear, header: header).pages)
    }

    static func rows(_ db: Database) throws -> [Int64: String] {
        let rows = try Row.fetchAll(db, sql: "SELECT id, a || ' ' || hex(b) FROM t NOT INDEXED")
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
    }

    // MARK: - Damage

    private enum Kind: CaseIterable {
        case none, flips, zeros, swap, cut, cutWithinPage, appended, salt, wrongKey, otherKey
        case otherKeyUnknown, foreignPage, noise, text, empty, short
    }

    mutating func damage(_ generator: inout SeededGenerator) {
        let kind = generator.pick(Kind.allCases)
        what = "\(kind) of \(sample.settings)"
        switch kind {
        case .none: break
        case .flips: flip(somePages(&generator, from: 1), &generator)
        case .zeros: zero(somePages(&generator, from: 2))
        case .swap: swap(&generator)
        case .cut: cut(&generator, bytes: 0)
        case .cutWithinPage:
            cut(&generator, bytes: Int.random(in: 1..<sample.pageSize, using: &generator))
        case .appended:
            bytes += generator.bytes(upTo: sample.pageSize - 2) + [1]
            expected = .damaged
        case .salt:
            bytes[Int.random(in: 0..<16, using: &generator)] ^= 8
            expected = .damagedSalt
        case .wrongKey:
            hasRightKey = false
            expected = .wrongKey
        case .otherKey: changeKey(&generator, isKnown: true)
        case .otherKeyUnknown: changeKey(&generator, isKnown: false)
        case .foreignPage: replacePages(somePages(&generator, from: 2), &generator)
        case .noise, .text, .empty, .short: replaceAll(kind, &generator)
        }
    }

    /// Of the kinds of damage those that leave something to salvage.
    mutating func damagePages(_ generator: inout SeededGenerator) {
        switch Int.random(in: 0...3, using: &generator) {
        case 0: flip(somePages(&generator, from: 2), &generator)
        case 1: zero(somePages(&generator, from: 2))
        case 2: cut(&generator, bytes: 0)
        default: replacePages(somePages(&generator, from: 2), &generator)
        }
        what = "\(damagedPages) or \(String(describing: missingPages)) of \(sample.settings)"
    }

    private func somePages(_ generator: inout SeededGenerator, from first: Int) -> [Int] {
        let count = Int.random(in: 1...sample.pageCount / 3, using: &generator)
        let limit = generator.pick([1, 2, count])
        let pages = (0..<limit).map { _ in
            Int.random(in: first...sample.pageCount, using: &generator)
        }
        return Set(pages.filter { !sample.freePages.contains(UInt32($0)) }).sorted()
    }

    private mutating func mark(_ pages: [Int]) {
        damagedPages = pages
        if !pages.isEmpty { expected = .damaged }
    }

    private func start(_ page: Int) -> Int { (page - 1) * sample.pageSize }

    private mutating func flip(_ pages: [Int], _ generator: inout SeededGenerator) {
        let settings = sample.settings
        let covered = settings.pageSize - settings.reserveByteCount + 16 + settings.hmacByteCount
        for page in pages {
            let offset = Int.random(in: (page == 1 ? 16 : 0)..<covered, using: &generator)
            bytes[start(page) + offset] ^= 1 << UInt8.random(in: 0...7, using: &generator)
        }
        mark(pages)
    }

    private mutating func zero(_ pages: [Int]) {
        for page in pages {
            bytes.replaceSubrange(
                start(page)..<start(page + 1), with: [UInt8](repeating: 0, count: sample.pageSize))
        }
        mark(pages)
    }

    private mutating func replacePages(_ pages: [Int], _ generator: inout SeededGenerator) {
        for page in pages {
            for index in start(page)..<start(page + 1) {
                bytes[index] = UInt8(truncatingIfNeeded: generator.next())
            }
        }
        mark(pages)
    }

    private mutating func swap(_ generator: inout SeededGenerator) {
        let one = Int.random(in: 2..<sample.pageCount, using: &generator)
        let other = Int.random(in: (one + 1)...sample.pageCount, using: &generator)
        for offset in 0..<sample.pageSize {
            bytes.swapAt(start(one) + offset, start(other) + offset)
        }
        mark([one, other])
    }

    private mutating func cut(_ generator: inout SeededGenerator, bytes count: Int) {
        let kept = Int.random(in: 2..<sample.pageCount, using: &generator)
        bytes.removeSubrange((kept * sample.pageSize + count)...)
        missingPages = (kept + 1)...sample.pageCount
        expected = .truncated
    }

    private mutating func changeKey(_ generator: inout SeededGenerator, isKnown: Bool) {
        let first = Int.random(in: 2...sample.pageCount, using: &generator)
        let last = Int.random(in: first...sample.pageCount, using: &generator)
        knowsOtherKey = isKnown
        guard let otherKey = try? EncryptedSample.key(EncryptedSample.otherRawKey),
            let other = try? PageKey(otherKey, fileSalt: sample.key.salt, settings: sample.settings)
        else { return }
        bytes = (try? sample.rewritten(bytes, first...last, with: other)) ?? bytes
        if isKnown { expected = .twoKeys } else { mark(Array(first...last)) }
    }

    private mutating func replaceAll(_ kind: Kind, _ generator: inout SeededGenerator) {
        switch kind {
        case .noise:
            bytes = (0..<(512 * 30)).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            expected = .wrongKey
        case .text:
            bytes = Array(String(repeating: "To be, or not to be. ", count: 900).utf8)
            expected = .notADatabase
        case .short:
            bytes = Array(bytes.prefix(Int.random(in: 1..<512, using: &generator)))
            expected = .notADatabase
        default:
            bytes = []
            expected = .empty
        }
    }
}

extension DamagedFile.Sample {
    /// The file with some pages encrypted again under another key.
    func rewritten(
        _ bytes: [UInt8], _ pages: ClosedRange<Int>, with newKey: PageKey,
        _ change: (inout UnsafeMutableRawBufferPointer) -> Void = { _ in }
    ) throws -> [UInt8] {
        var bytes = bytes
        var old = try PageCodec(key)
        var new = try PageCodec(newKey)
        for number in pages {
            let start = (number - 1) * pageSize
            try bytes.withUnsafeMutableBytes { bytes in
                var page = UnsafeMutableRawBufferPointer(
                    rebasing: bytes[start..<(start + pageSize)])
                try old.decrypt(page, number: UInt32(number))
                change(&page)
                try new.encrypt(page, number: UInt32(number))
            }
        }
        return bytes
    }

    /// The file with pages that have the right key, and some bytes of anything.
    func scrambled(_ generator: inout SeededGenerator) throws -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
            let page = Int.random(in: 1...pageCount, using: &generator)
            let changes = (0..<Int.random(in: 1...8, using: &generator)).map { _ in
                // Most of what matters is at the beginning of a page.
                let limit = generator.pick([20, 120, pageSize - settings.reserveByteCount])
                return (
                    Int.random(in: 0..<limit, using: &generator),
                    generator.pick([
                        0, 1, 2, 5, 10, 13, 255, UInt8.random(in: 0...255, using: &generator),
                    ])
                )
            }
            bytes = try rewritten(bytes, page...page, with: key) { page in
                for (offset, value) in changes { page[offset] = value }
            }
        }
        return bytes
    }
}
