import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

@Suite("A journal of which a part is missing", .proves("OPR-131"))
struct DamagedJournalTests {
    private static let recordByteCount = 4096 + 8

    private let sample: EncryptedSample
    private let path: String

    init() throws {
        sample = try EncryptedSample(.version(.v4))
        path = sample.directory.path(of: "crashed.db")
    }

    /// As a process leaves it that is killed in the middle of a transaction which its cache does not hold.
    private func crash(_ pragmas: String = "") throws {
        try sample.shell.run(
            """
            \(pragmas) PRAGMA cache_size = 5; BEGIN;
            UPDATE t SET a = 'half', b = randomblob(length(b));
            .system cp '\(sample.path)' '\(path)' && cp '\(sample.path)-journal' '\(path)-journal'
            ROLLBACK;
            """)
    }

    private func file() throws -> DatabaseFile {
        DatabaseFile(path: path, key: try EncryptedSample.key(sample.keyText))
    }

    private var journal: URL { URL(fileURLWithPath: path + "-journal") }

    private func files() throws -> [Data] {
        [try Data(contentsOf: URL(fileURLWithPath: path)), try Data(contentsOf: journal)]
    }

    private func expectRefusal() throws {
        let file = try file()
        let out = DatabaseFile(path: sample.directory.path(of: "out.db"), key: file.key)
        let before = try files()
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.useKey(#require(file.key)) }
        let error = #expect(throws: DatabaseError.self) {
            _ = try DatabaseQueue(path: path, configuration: configuration)
        }
        #expect(error?.extendedResultCode == .SQLITE_CANTOPEN_DIRTYWAL)
        #expect(error?.message?.contains("\(path)-journal ") == true)
        let works: [() throws -> Void] = [
            { _ = try file.check() }, { _ = try file.transfer(to: out) }, { _ = try file.open() },
            { try file.rotateKey(to: .generated()) }, { _ = try CommittedPages(of: file) },
        ]
        for work in works {
            let error = #expect(throws: DatabaseFileError.self) { try work() }
            #expect(error?.code == .foreignLog, "\(String(describing: error))")
        }
        #expect(try file.diagnose().verdict == .foreignLog)
        #expect(try !file.salvage(to: out).isComplete)
        #expect(try files() == before)
    }

    @Test(
        "is refused before SQLite plays it back",
        arguments: [20, 511, 700, 9000, 9218, 20_000, nil])
    func cut(byteCount: Int?) throws {
        try crash()
        let whole = try Data(contentsOf: journal)
        try whole.prefix(byteCount ?? whole.count / 2).write(to: journal)
        try expectRefusal()
    }

    /// Of a page, the checksum of a record covers every 200th byte; of its number, nothing.
    @Test(
        "is refused if SQLite would stop at a record, or pass over it",
        arguments: [0, 3, 100, 4100])
    func changedRecord(offset: Int) throws {
        try crash()
        var content = try Data(contentsOf: journal)
        // The second record gets the number of the first, or that of no page, or another checksum.
        if offset == 3 {
            content[512 + Self.recordByteCount + 3] = content[512 + 3]
        } else {
            content[512 + Self.recordByteCount + offset] ^= 0x40
        }
        try content.write(to: journal)
        try expectRefusal()
    }

    @Test("is none if it is whole")
    func whole() throws {
        try crash()
        #expect(try file().diagnose().verdict == .sound)
        let out = DatabaseFile(
            path: sample.directory.path(of: "out.db"), key: try EncryptedSample.key(sample.keyText))
        #expect(try file().salvage(to: out).isComplete)
        #expect(try file().check().isSound)
        let shell = SQLCipherShell(path: path, key: .content(sample.keyText))
        #expect(
            try shell.rows(EncryptedSample.question) == sample.shell.rows(EncryptedSample.question))
    }

    /// Without synchronisation, SQLite does not write how many records there are.
    @Test("cannot be told if it does not say how many records it has")
    func openEnded() throws {
        try crash("PRAGMA synchronous = OFF;")
        let content = try Data(contentsOf: journal)
        #expect(content[8..<12].allSatisfy { $0 == 0xff })
        try content.dropLast(Self.recordByteCount / 2).write(to: journal)
        #expect(throws: Never.self) { try file().open() }
    }

    @Test("of a plaintext database is refused by work on the file")
    func plaintext() throws {
        let plain = sample.directory.path(of: "plain.db")
        try SQLCipherShell(path: plain).create(EncryptedSample.content)
        try SQLCipherShell(path: plain).run(
            """
            PRAGMA cache_size = 5; BEGIN; UPDATE t SET a = 'half', b = randomblob(length(b));
            .system cp '\(plain)' '\(path)' && cp '\(plain)-journal' '\(path)-journal'
            ROLLBACK;
            """)
        try Data(contentsOf: journal).prefix(20_000).write(to: journal)
        let before = try files()
        let out = try file()
        let encrypted = DatabaseFile(path: sample.directory.path(of: "out.db"), key: out.key)
        let error = #expect(throws: DatabaseFileError.self) {
            try DatabaseFile(path: path).transfer(to: encrypted)
        }
        #expect(error?.code == .foreignLog, "\(String(describing: error))")
        #expect(try files() == before)
    }
}
