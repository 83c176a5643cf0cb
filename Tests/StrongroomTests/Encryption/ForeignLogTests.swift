import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

/// What lies next to a sound database, and is not its own.
private enum Stranger: String, CaseIterable, Sendable {
    case otherKey, otherSalt, otherPageSize, plaintext, random, short

    private static func makePlain(in directory: TemporaryDirectory) throws -> String {
        let path = directory.path(of: "plain.db")
        try SQLCipherShell(path: path).create(EncryptedSample.content)
        return path
    }

    func log(_ kind: Companion, for sample: EncryptedSample) throws -> Data {
        switch self {
        case .otherKey:
            try kind.content(
                of: EncryptedSample(.version(.v4), keyText: EncryptedSample.otherRawKey))
        case .otherSalt:
            try kind.content(of: EncryptedSample(.version(.v4), keyText: sample.keyText))
        case .otherPageSize:
            try kind.content(
                of: EncryptedSample(CipherSettings(pageSize: 8192), keyText: sample.keyText))
        case .plaintext:
            try kind.content(of: SQLCipherShell(path: Self.makePlain(in: sample.directory)))
        case .random:
            Data((0..<9000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) | 1 })
        case .short: Data("not a log".utf8)
        }
    }

}

private enum Companion: String, CaseIterable, Sendable {
    case log = "-wal", journal = "-journal"

    func content(of sample: EncryptedSample) throws -> Data { try content(of: sample.shell) }

    /// As a writer leaves it that is killed in the middle.
    func content(of shell: SQLCipherShell) throws -> Data {
        let aside = shell.path + ".aside"
        let copy = ".system cp '\(shell.path)\(rawValue)' '\(aside)'"
        switch self {
        case .log:
            try shell.run(
                """
                PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
                UPDATE t SET a = a || '!';
                \(copy)
                """)
        case .journal:
            try shell.run(
                """
                PRAGMA journal_mode = DELETE; PRAGMA cache_size = 5; BEGIN;
                UPDATE t SET a = a || '!', b = randomblob(length(b));
                \(copy)
                ROLLBACK;
                """)
        }
        return try Data(contentsOf: URL(fileURLWithPath: aside))
    }
}

/// Whoever comes to the database.
private enum Opening: String, CaseIterable, Sendable {
    case queue, pool, readOnlyQueue, readOnlyPool, earlyStatement, attach, attachWithLiteral
    case check, copy, rotate, decrypt, salvage, file

    /// A salvage takes what is in the file, and reports what it leaves out.
    static let refusing = allCases.filter { $0 != .salvage }

    func run(_ sample: EncryptedSample) throws {
        let key = try EncryptedSample.key(sample.keyText)
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.useKey(key) }
        configuration.readonly = self == .readOnlyQueue || self == .readOnlyPool
        let file = DatabaseFile(path: sample.path, key: key)
        let out = sample.directory.path(of: "out.db")
        switch self {
        case .queue, .readOnlyQueue:
            _ = try DatabaseQueue(path: sample.path, configuration: configuration)
        case .pool, .readOnlyPool:
            _ = try DatabasePool(path: sample.path, configuration: configuration)
        case .earlyStatement:
            configuration.prepareDatabase { try $0.execute(sql: "PRAGMA user_version = 3") }
            _ = try DatabaseQueue(path: sample.path, configuration: configuration)
        case .attach:
            try DatabaseQueue().inDatabase {
                try $0.attach(sample.path, as: "other", passphrase: sample.keyText)
            }
        case .attachWithLiteral:
            configuration = Configuration()
            configuration.prepareDatabase { [text = sample.keyText, path = sample.path] db in
                try db.execute(
                    literal: "ATTACH DATABASE \(path) AS other KEY \(text)")
            }
            _ = try DatabaseQueue(path: ":memory:", configuration: configuration)
        case .check: _ = try file.check()
        case .copy: _ = try file.transfer(to: DatabaseFile(path: out, key: key))
        case .rotate: _ = try file.rotateKey(to: .generated())
        case .decrypt: _ = try file.transfer(to: DatabaseFile(path: out))
        case .salvage: _ = try file.salvage(to: DatabaseFile(path: out, key: key))
        case .file: _ = try file.open()
        }
    }
}

@Suite("A log or a journal of another database")
struct ForeignLogTests {
    private func files(_ directory: TemporaryDirectory) throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        return try Dictionary(
            uniqueKeysWithValues: names.map {
                ($0, try Data(contentsOf: URL(fileURLWithPath: directory.path(of: $0))))
            })
    }

    private func isRefusal(_ error: any Error) -> Bool {
        switch error {
        case let error as DatabaseError:
            error.extendedResultCode == .SQLITE_CANTOPEN_DIRTYWAL
        case let error as DatabaseFileError: error.code == .foreignLog
        default: false
        }
    }

    @Test(
        "is refused, and not a byte is changed", .proves("OPR-45", "OPR-46"),
        arguments: Companion.allCases, Stranger.allCases)
    fileprivate func refused(_ kind: Companion, _ stranger: Stranger) throws {
        for keyText in [EncryptedSample.rawKey, "correct horse"] {
            let sample = try EncryptedSample(.version(.v4), keyText: keyText)
            try stranger.log(kind, for: sample)
                .write(to: URL(fileURLWithPath: sample.path + kind.rawValue))
            let before = try files(sample.directory)
            let openings = keyText == EncryptedSample.rawKey ? Opening.refusing : [.pool, .check]
            for opening in openings {
                do {
                    try opening.run(sample)
                    Issue.record("\(opening) took \(stranger) \(kind)")
                } catch {
                    #expect(isRefusal(error), "\(opening), \(stranger) \(kind): \(error)")
                    #expect("\(error)".contains("sample.db\(kind.rawValue)"), "\(error)")
                }
                #expect(try files(sample.directory) == before, "\(opening), \(stranger) \(kind)")
            }
        }
    }

    @Test("An empty one is none", .proves("OPR-45"), arguments: Companion.allCases)
    fileprivate func empty(_ kind: Companion) throws {
        for opening in Opening.allCases {
            let sample = try EncryptedSample(.version(.v4))
            try Data().write(to: URL(fileURLWithPath: sample.path + kind.rawValue))
            #expect(throws: Never.self, "\(opening), \(kind)") { try opening.run(sample) }
        }
    }

    @Test("Their own is played back", .proves("OPR-45", "OPR-46"), arguments: Companion.allCases)
    fileprivate func own(_ kind: Companion) throws {
        for keyText in [EncryptedSample.rawKey, "correct horse"] {
            for opening in Opening.allCases {
                // A connection that may not write cannot undo a transaction.
                if kind == .journal, "\(opening)".hasPrefix("readOnly") { continue }
                let sample = try EncryptedSample(.version(.v4), keyText: keyText)
                let expected = try leave(kind, in: sample)
                #expect(throws: Never.self, "\(opening), \(kind)") { try opening.run(sample) }
                guard opening != .rotate else { continue }
                #expect(try sample.shell.cell("SELECT group_concat(a) FROM t") == expected)
            }
        }
    }

    /// Leaves the database as a writer does that is killed; gives what it holds.
    private func leave(_ kind: Companion, in sample: EncryptedSample) throws -> SQLCipherShell.Cell
    {
        guard kind == .journal else {
            try sample.leaveLog("UPDATE t SET a = a || '!';")
            let copy = sample.directory.path(of: "copy.db")
            for suffix in ["", "-wal"] {
                try FileManager.default.copyItem(
                    atPath: sample.path + suffix, toPath: copy + suffix)
            }
            var shell = sample.shell
            shell.path = copy
            return try shell.cell("SELECT group_concat(a) FROM t")
        }
        let before = try sample.shell.cell("SELECT group_concat(a) FROM t")
        let aside = sample.directory.path(of: "aside.db")
        try sample.shell.run(
            """
            PRAGMA cache_size = 5; BEGIN;
            UPDATE t SET a = a || '!', b = randomblob(length(b));
            .system cp '\(sample.path)' '\(aside)' && cp '\(sample.path)-journal' '\(aside)-journal'
            ROLLBACK;
            """)
        for suffix in ["", "-journal"] {
            try? FileManager.default.removeItem(atPath: sample.path + suffix)
            try FileManager.default.moveItem(atPath: aside + suffix, toPath: sample.path + suffix)
        }
        return before
    }

    @Test("A wrong key is told as one, and touches nothing", .proves("OPR-46"))
    fileprivate func wrongKey() throws {
        for kind in Companion.allCases {
            let sample = try EncryptedSample(.version(.v4))
            _ = try leave(kind, in: sample)
            let before = try files(sample.directory)
            var configuration = Configuration()
            configuration.prepareDatabase { try $0.usePassphrase("wrong") }
            #expect(throws: DatabaseError.self) {
                try DatabaseQueue(path: sample.path, configuration: configuration)
            }
            #expect(throws: DatabaseError.self) { try DatabaseQueue(path: sample.path) }
            #expect(try files(sample.directory) == before)
        }
    }

    @Test(
        "An older log of the same database is refused where its size or schema shows it",
        .proves("OPR-45"),
        arguments: ["CREATE TABLE u (a)", "INSERT INTO t (b) VALUES (zeroblob(99999))"])
    func older(change: String) throws {
        let sample = try EncryptedSample(.version(.v4))
        try sample.leaveLog(
            "UPDATE t SET a = 'x' WHERE id = 1; DELETE FROM t WHERE id = 2; CREATE TABLE v (a);")
        let log = try Data(contentsOf: URL(fileURLWithPath: sample.path + "-wal"))
        try sample.shell.run("\(change); PRAGMA journal_mode = DELETE;")
        try log.write(to: URL(fileURLWithPath: sample.path + "-wal"))
        let before = try files(sample.directory)
        for opening in Opening.refusing {
            #expect("\(opening)") { try opening.run(sample) } throws: { isRefusal($0) }
            #expect(try files(sample.directory) == before, "\(opening)")
        }
    }

    @Test(
        "An older copy of the database under a newer log is refused where pages are in neither",
        .proves("OPR-146"))
    func olderFile() throws {
        let sample = try EncryptedSample(.version(.v4))
        let url = URL(fileURLWithPath: sample.path)
        let older = try Data(contentsOf: url)
        // What has grown is in the file, and the log has begun anew.
        try sample.shell.run(
            "INSERT INTO t (b) VALUES (randomblob(99999)); PRAGMA journal_mode = DELETE;")
        try sample.leaveLog("UPDATE t SET a = 'x' WHERE id = 1;")
        let newer = try Data(contentsOf: url)
        try older.write(to: url)
        let before = try files(sample.directory)
        for opening in Opening.refusing {
            #expect("\(opening)") {
                try opening.run(sample)
            } throws: { error in
                isRefusal(error) && "\(error)".contains("later state of the database")
            }
            #expect(try files(sample.directory) == before, "\(opening)")
        }
        // The right file opens with it.
        try newer.write(to: url)
        try Opening.pool.run(sample)
    }

    @Test(
        "A database with another name that is in use is refused", .proves("OPR-47"),
        arguments: Companion.allCases)
    fileprivate func hardLink(_ kind: Companion) throws {
        let sample = try EncryptedSample(.version(.v4))
        _ = try leave(kind, in: sample)
        let original = sample.directory.path(of: "original.db")
        for suffix in ["", kind.rawValue] {
            try FileManager.default.moveItem(
                atPath: sample.path + suffix, toPath: original + suffix)
        }
        try FileManager.default.linkItem(atPath: original, toPath: sample.path)
        let before = try files(sample.directory)
        for opening in Opening.allCases {
            #expect("\(opening)") { try opening.run(sample) } throws: { error in
                "\(error)".contains("hard link")
                    && (opening == .rotate
                        || isRefusal(error) && "\(error)".contains("original.db"))
            }
            #expect(try files(sample.directory) == before, "\(opening)")
        }
        // Under its own name it opens, and with nothing next to the other, too.
        let key = try EncryptedSample.key(sample.keyText)
        _ = try DatabaseFile(path: original, key: key).open()
    }
}
