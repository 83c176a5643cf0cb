import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

/// What lies in a folder when a database has another key, or is encrypted.
@Suite("What is left behind", .proves("HST-52"))
struct LeftBehindTests {
    enum Change: CaseIterable {
        case rotation, rotationInLog, ofQueue, ofPool, newPassphrase
    }

    private static let word = "a word that nobody else has"
    private let folder: TemporaryDirectory
    private let path: String
    private let old: CipherKey
    private let new: CipherKey

    init() throws {
        folder = try TemporaryDirectory()
        path = folder.path(of: "app.db")
        old = try .generated()
        new = try CipherKey(passphrase: "the new one")
    }

    /// A database with free pages, and, in WAL mode, frames in its log that are not in the file.
    private func fill(_ writer: some DatabaseWriter) throws {
        try writer.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
            try db.execute(
                sql: """
                    CREATE TABLE t (a, b);
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
                      INSERT INTO t SELECT ?1 || i, zeroblob(2000) FROM n;
                    DELETE FROM t WHERE rowid % 3 = 0;
                    CREATE TABLE u AS SELECT * FROM t;
                    DROP TABLE u
                    """, arguments: [Self.word])
        }
    }

    private var configuration: Configuration {
        var configuration = Configuration()
        configuration.prepareDatabase { [old] in try $0.useKey(old) }
        return configuration
    }

    @Test("No page and no frame under the old key", arguments: Change.allCases)
    func key(_ change: Change) throws {
        var oldKey: PageKey?
        func noteOldKey() throws {
            let start = try Data(contentsOf: URL(fileURLWithPath: path)).prefix(16)
            let key = try PageKey(old, fileSalt: CipherSalt(start), settings: .version(.v4))
            oldKey = key
            #expect(try pages(under: key) > 100)
        }
        switch change {
        case .rotation, .rotationInLog:
            var configuration = configuration
            if change == .rotationInLog { configuration.journalMode = .wal }
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try fill(queue)
            try noteOldKey()
            if change == .rotationInLog {
                // Somebody who dies leaves the log.
                let copy = try folder.write(
                    Data(contentsOf: URL(fileURLWithPath: path + "-wal")), to: "kept")
                try queue.close()
                try FileManager.default.moveItem(atPath: copy, toPath: path + "-wal")
            } else {
                try queue.close()
            }
            try DatabaseFile(path: path, key: old).rotateKey(to: new)
        case .ofQueue, .newPassphrase:
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try fill(queue)
            try noteOldKey()
            if change == .ofQueue {
                try queue.rotateKey(to: new)
            } else {
                try queue.writeWithoutTransaction { try $0.changePassphrase("the new one") }
            }
            #expect(try pages(under: #require(oldKey)) == 0, "while it is open")
            try queue.close()
        case .ofPool:
            let pool = try DatabasePool(path: path, configuration: configuration)
            try fill(pool)
            try noteOldKey()
            try pool.rotateKey(to: new)
            #expect(try pages(under: #require(oldKey)) == 0, "while it is open")
            try pool.close()
        }
        #expect(try pages(under: #require(oldKey)) == 0)
        let count = try DatabaseFile(path: path, key: new).open().read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM t")
        }
        #expect(count == 200)
    }

    /// How many pages a key vouches for, in all files of the folder, whatever their names: at the
    /// places of pages in a database, and after the headers of frames in a log.
    private func pages(under key: PageKey) throws -> Int {
        var codec = try PageCodec(key)
        let size = key.settings.pageSize
        var count = 0
        for name in try folder.names() {
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path(of: name))))
            func isOld(_ offset: Int, _ number: UInt32) throws -> Bool {
                guard number > 0 else { return false }
                return try bytes[offset..<(offset + size)].withUnsafeBytes {
                    try codec.verdict(on: $0, number: number) == .authentic
                }
            }
            for (index, offset) in stride(from: 0, through: bytes.count - size, by: size)
                .enumerated()
            where try isOld(offset, UInt32(index + 1)) { count += 1 }
            for offset in stride(from: 32, through: bytes.count - size - 24, by: size + 24)
            where try isOld(offset + 24, bytes.number32(at: offset)) { count += 1 }
        }
        return count
    }

    @Test(
        "No plaintext beside what is encrypted, nor under another name", arguments: [true, false])
    func plaintext(wal: Bool) throws {
        let plain = try TemporaryDirectory()
        var configuration = Configuration()
        if wal { configuration.journalMode = .wal }
        let source = try DatabaseQueue(
            path: plain.path(of: "app.sqlite"), configuration: configuration)
        try fill(source)
        let scanner = CanaryScanner(Self.word)
        #expect(try !scanner.findings(inDirectory: plain.path).isEmpty)
        let before = try plain.names()
        try DatabaseFile(path: plain.path(of: "app.sqlite"))
            .transfer(to: DatabaseFile(path: path, key: new))
        #expect(try scanner.findings(inDirectory: folder.path).isEmpty)
        #expect(try folder.names() == ["app.db"] && plain.names() == before)
        try source.close()
    }
}
