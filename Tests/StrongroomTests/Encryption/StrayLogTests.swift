import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

/// Whoever opens a path, and creates a database where none is.
private enum Creation: String, CaseIterable, Sendable {
    case queue, pool, uri, link, withoutKey, attach, vacuum, file, check, rotate

    func run(_ sample: EncryptedSample, _ change: (inout Configuration) -> Void = { _ in }) throws {
        let key = try EncryptedSample.key(sample.keyText)
        var configuration = Configuration()
        if self != .withoutKey { configuration.prepareDatabase { try $0.useKey(key) } }
        change(&configuration)
        let file = DatabaseFile(path: sample.path, key: key)
        switch self {
        case .queue, .withoutKey:
            _ = try DatabaseQueue(path: sample.path, configuration: configuration)
        case .pool: _ = try DatabasePool(path: sample.path, configuration: configuration)
        case .uri:
            let uri = "file:" + sample.path.replacing("sample", with: "%73ample") + "?cache=private"
            _ = try DatabaseQueue(path: uri, configuration: configuration)
        case .link:
            let folder = try TemporaryDirectory()
            let link = folder.path(of: "link.db")
            try FileManager.default.createSymbolicLink(
                atPath: link, withDestinationPath: sample.path)
            _ = try DatabaseQueue(path: link, configuration: configuration)
        case .attach:
            try DatabaseQueue().inDatabase {
                try $0.attach(sample.path, as: "other", passphrase: sample.keyText)
            }
        case .vacuum:
            let other = try EncryptedSample(.version(.v4), keyText: sample.keyText)
            try DatabaseFile(path: other.path, key: key).open().vacuum(into: sample.path)
        case .file: _ = try file.open()
        case .check: _ = try file.check()
        case .rotate: _ = try file.rotateKey(to: .generated())
        }
    }

    /// Those that create a database.
    static let creating: [Self] = [.queue, .pool, .uri, .link, .withoutKey, .attach, .vacuum]
}

@Suite("A log or a journal whose database is not there")
struct StrayLogTests {
    private func files(_ directory: TemporaryDirectory) throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        return try Dictionary(
            uniqueKeysWithValues: names.map {
                ($0, try Data(contentsOf: URL(fileURLWithPath: directory.path(of: $0))))
            })
    }

    /// A database whose file was moved away after its writer was killed.
    private func leave(_ suffix: String, _ placeholder: Data?) throws -> EncryptedSample {
        let sample = try EncryptedSample(.version(.v4))
        if suffix == "-wal" {
            try sample.leaveLog("UPDATE t SET a = a || '!';")
        } else {
            let aside = sample.directory.path(of: "aside")
            try sample.shell.run(
                """
                PRAGMA cache_size = 5; BEGIN; UPDATE t SET b = randomblob(length(b));
                .system cp '\(sample.path)' '\(aside)' && cp '\(sample.path)-journal' '\(aside)-journal'
                ROLLBACK;
                """)
            for suffix in ["", "-journal"] {
                try? FileManager.default.removeItem(atPath: sample.path + suffix)
                try FileManager.default.moveItem(
                    atPath: aside + suffix, toPath: sample.path + suffix)
            }
        }
        try FileManager.default.moveItem(
            atPath: sample.path, toPath: sample.directory.path(of: "moved.db"))
        try placeholder?.write(to: URL(fileURLWithPath: sample.path))
        return sample
    }

    @Test(
        "is refused, and nothing is created or changed", .proves("OPR-120"),
        arguments: ["-wal", "-journal"], [nil, Data()])
    func refused(suffix: String, placeholder: Data?) throws {
        let sample = try leave(suffix, placeholder)
        let before = try files(sample.directory)
        #expect((before["sample.db\(suffix)"]?.count ?? 0) > 1000)
        for creation in Creation.allCases {
            let error = #expect(throws: (any Error).self, "\(creation)") {
                try creation.run(sample)
            }
            if let error = error as? DatabaseError {
                #expect(
                    error.extendedResultCode == .SQLITE_CANTOPEN_DIRTYWAL, "\(creation): \(error)")
                let words =
                    "sample.db\(suffix) is there without its database, and would be taken for a part of"
                #expect(error.message?.contains(words) == true, "\(creation): \(error)")
            } else {
                #expect(!Creation.creating.contains(creation), "\(creation): \(error as Any)")
            }
            var after = try files(sample.directory)
            // SQLite alone knows where a link without a target leads to.
            if creation == .link, placeholder == nil, after["sample.db"] == Data() {
                after["sample.db"] = nil
                try FileManager.default.removeItem(atPath: sample.path)
            }
            #expect(after == before, "\(creation)")
        }
        try? FileManager.default.removeItem(atPath: sample.path)
        try FileManager.default.moveItem(
            atPath: sample.directory.path(of: "moved.db"), toPath: sample.path)
        let queue = try DatabaseFile(path: sample.path, key: EncryptedSample.key(sample.keyText))
            .open()
        let count = try queue.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM t WHERE a LIKE '%!'")
        }
        #expect(count == (suffix == "-wal" ? 270 : 0))
    }

    @Test("is SQLite's affair where the app says so", .proves("OPR-120"))
    func trusted() throws {
        let sample = try leave("-wal", nil)
        try Creation.queue.run(sample) { $0.trustsCompanions = true }
        #expect(try files(sample.directory)["sample.db-wal"] == nil)
    }

    @Test(
        "is none if it holds no whole frame, or belongs to a database that was never finished",
        .proves("OPR-120"))
    func harmless() throws {
        let sample = try leave("-wal", nil)
        let log = try Data(contentsOf: URL(fileURLWithPath: sample.path + "-wal"))
        let contents: [(String, Data)] = [
            ("-wal", Data()), ("-wal", log.prefix(32)), ("-wal", log.prefix(4000)),
            ("-wal", Data(count: 9000)), ("-journal", Data(count: 4096)),
            ("-journal", try journalOfNewDatabase()),
        ]
        for (suffix, content) in contents {
            for creation in [Creation.queue, .pool] {
                for suffix in ["", "-wal", "-shm", "-journal"] {
                    try? FileManager.default.removeItem(atPath: sample.path + suffix)
                }
                try content.write(to: URL(fileURLWithPath: sample.path + suffix))
                #expect(throws: Never.self, "\(suffix) \(content.count)") {
                    try creation.run(sample)
                }
            }
        }
    }

    /// As a process leaves it that is killed in the transaction that creates its database.
    private func journalOfNewDatabase() throws -> Data {
        let folder = try TemporaryDirectory()
        let path = folder.path(of: "new.db")
        let shell = SQLCipherShell(path: path, key: .content(EncryptedSample.rawKey))
        try shell.create(
            """
            PRAGMA cache_size = 5; BEGIN;
            CREATE TABLE t (a);
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 300)
              INSERT INTO t SELECT randomblob(3000) FROM c;
            .system cp '\(path)-journal' '\(path).aside'
            ROLLBACK;
            """)
        let journal = try Data(contentsOf: URL(fileURLWithPath: path + ".aside"))
        #expect(journal.first == JournalFile.magic[0])
        return journal
    }
}
