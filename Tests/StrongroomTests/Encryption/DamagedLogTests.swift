import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

/// What happens to one frame in the middle of a log.
private enum LogDamage: String, CaseIterable, Sendable {
    case bitOfPage, zeros, zerosInPage, otherPage, bitOfCommit, bitOfChecksum, checksum, bitOfSalts

    func apply(to frame: inout Data) {
        let start = frame.startIndex
        switch self {
        case .bitOfPage: frame[start + 2000] ^= 1
        case .zeros: frame = Data(count: frame.count)
        case .zerosInPage:
            frame.replaceSubrange((start + 1024)..<(start + 2048), with: Data(count: 1024))
        case .otherPage: frame[start + 3] ^= 8
        case .bitOfCommit: frame[start + 7] ^= 1
        case .bitOfChecksum: frame[start + 17] ^= 1
        case .checksum: frame.replaceSubrange((start + 16)..<(start + 24), with: Data(count: 8))
        case .bitOfSalts: frame[start + 9] ^= 1
        }
    }
}

@Suite("A damaged frame of a log, with commits behind it", .proves("OPR-130"))
struct DamagedLogTests {
    private static let frameByteCount = 24 + 4096
    private static let inserts = (1...12).map { "INSERT INTO t (a) VALUES ('new \($0)');" }
        .joined(separator: "\n")

    private let sample: EncryptedSample

    init() throws {
        sample = try EncryptedSample(.version(.v4))
        try sample.leaveLog(Self.inserts)
    }

    private var log: String { sample.path + "-wal" }

    private func out(_ key: String? = EncryptedSample.rawKey) throws -> DatabaseFile {
        DatabaseFile(
            path: sample.directory.path(of: "out.db"), key: try key.map(EncryptedSample.key))
    }

    private func bytes(_ path: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: path))
    }

    private func change(frame number: Int, _ edit: (inout Data) -> Void) throws {
        var content = try bytes(log)
        let start = 32 + (number - 1) * Self.frameByteCount
        var frame = content[start..<(start + Self.frameByteCount)]
        edit(&frame)
        content.replaceSubrange(start..<(start + Self.frameByteCount), with: frame)
        try content.write(to: URL(fileURLWithPath: log))
    }

    private func frameCount() throws -> Int {
        (try bytes(log).count - 32) / Self.frameByteCount
    }

    /// The number of a frame in the middle that ends a transaction.
    private func middle() throws -> Int {
        let content = try bytes(log)
        let first = try frameCount() / 2
        return try #require(
            (first...).first { number in
                let start = 32 + (number - 1) * Self.frameByteCount
                return content[(start + 4)..<(start + 8)].contains { $0 != 0 }
            })
    }

    @Test("stops what would remove the log", arguments: LogDamage.allCases)
    fileprivate func refusal(_ damage: LogDamage) throws {
        let frame = try middle()
        try change(frame: frame, damage.apply)
        let before = [try bytes(sample.path), try bytes(log)]
        let file = try sample.file()
        let works: [() throws -> Void] = [
            { try file.rotateKey(to: .generated()) },
            { _ = try file.planRotation(to: .generated()) },
            { try file.rotateKey(to: .generated(), changing: CipherChange(pageSize: 8192)) },
            { _ = try file.transfer(to: out(nil)) },
        ]
        for work in works {
            let error = #expect(throws: DatabaseFileError.self) { try work() }
            #expect(error?.code == .foreignLog, "\(String(describing: error))")
            #expect(error?.message.contains("frame \(frame) of \(log) is damaged") == true)
            #expect(error?.hint?.contains("salvage") == true)
            #expect([try bytes(sample.path), try bytes(log)] == before)
        }
        #expect(try sample.directory.names().contains("out.db") == false)
    }

    @Test("is reported by what reads", arguments: LogDamage.allCases)
    fileprivate func reports(_ damage: LogDamage) throws {
        let frame = try middle()
        try change(frame: frame, damage.apply)
        let before = [try bytes(sample.path), try bytes(log)]
        let file = try sample.file()
        let problem = "frame \(frame) of \(log) is damaged, and SQLite ignores everything after it"
        let report = try file.check()
        #expect(report.problems.map(\.kind) == [.log] && report.problems[0].message == problem)
        #expect(report.isDamaged && report.checks.last == .log)
        let diagnosis = try file.diagnose()
        #expect(diagnosis.verdict == .foreignLog && diagnosis.summary == problem, "\(diagnosis)")
        #expect(try file.salvage(to: out()).notes == [problem])
        let copied = try file.transfer(to: out(), overwrite: true)
        #expect(copied.notices.count == 1 && copied.notices[0].hasPrefix(problem))
        let pages = try CommittedPages(of: file)
        defer { try? pages.close() }
        #expect(try pages.notices() == copied.notices)
        #expect([try bytes(sample.path), try bytes(log)] == before)
    }

    /// The rows of the app are what SQLite reads.
    @Test("does not stop the app")
    func app() throws {
        try change(frame: middle(), LogDamage.bitOfPage.apply)
        let queue = try sample.file().open()
        let count = try queue.write { db in
            try db.execute(sql: "INSERT INTO t (a) VALUES ('later')")
            return try Int.fetchOne(db, sql: "SELECT count(*) FROM t") ?? 0
        }
        #expect(count > 270 && count < 282)
        try queue.close()
        // The loss is accepted: nothing is left of it.
        #expect(try sample.file().check().isSound)
        try sample.file().rotateKey(to: .generated())
    }

    @Test("is found if the log has the whole database", arguments: [LogDamage.bitOfPage, .zeros])
    fileprivate func wholeDatabaseInLog(_ damage: LogDamage) throws {
        try sample.leaveLog("PRAGMA rekey = \"\(EncryptedSample.otherRawKey)\"; \(Self.inserts)")
        let count = try frameCount()
        try change(frame: count - 6, damage.apply)
        let file = try sample.file(EncryptedSample.otherRawKey)
        let diagnosis = try file.diagnose()
        #expect(diagnosis.verdict == .foreignLog, "\(diagnosis)")
        #expect(diagnosis.summary.hasPrefix("frame \(count - 6) of "))
        #expect(try !file.salvage(to: out()).isComplete)
        #expect(try file.check().problems.map(\.kind) == [.log])
        let error = #expect(throws: DatabaseFileError.self) { try file.rotateKey(to: .generated()) }
        #expect(error?.code == .foreignLog)
    }

    @Test("is none where SQLite went on over a run that a crash cut off")
    func leftovers() throws {
        // What is behind the hole is lost when SQLite opens the log; then it writes over the hole.
        try change(frame: middle(), LogDamage.bitOfPage.apply)
        let count = try frameCount()
        try sample.leaveLog("INSERT INTO t (a) VALUES ('later');")
        let left = try #require(try LogFile(log, .system))
        #expect(try frameCount() == count && left.gap != nil)
        let file = try sample.file()
        #expect(try file.diagnose().verdict == .sound)
        #expect(try file.check().isSound)
        #expect(try file.transfer(to: out()).notices.isEmpty)
        try file.rotateKey(to: .generated())
    }

    @Test("is none if nothing behind it ends a transaction", arguments: LogDamage.allCases)
    fileprivate func torn(_ damage: LogDamage) throws {
        try change(frame: frameCount(), damage.apply)
        let file = try sample.file()
        #expect(try file.diagnose().verdict == .sound)
        #expect(try file.check().isSound)
        #expect(try file.transfer(to: out()).notices.isEmpty)
        try file.rotateKey(to: .generated())
    }

    @Test("stops the encryption of a plaintext database")
    func plaintext() throws {
        let path = sample.directory.path(of: "plain.db")
        let shell = SQLCipherShell(path: path)
        try shell.create(EncryptedSample.content)
        let aside = sample.directory.path(of: "plain2.db")
        try shell.run(
            """
            PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; \(Self.inserts)
            .system cp '\(path)' '\(aside)' && cp '\(path)-wal' '\(aside)-wal'
            """)
        var content = try bytes(aside + "-wal")
        content[content.count / 2] ^= 1
        try content.write(to: URL(fileURLWithPath: aside + "-wal"))
        let file = DatabaseFile(path: aside)
        let error = #expect(throws: DatabaseFileError.self) { try file.transfer(to: out()) }
        #expect(error?.code == .foreignLog, "\(String(describing: error))")
        #expect(try bytes(aside + "-wal") == content)
    }

    // To count four billion pages takes minutes, and more memory than there is.
    @Test(
        "that promises pages without end costs no more than another", .proves("OPR-146"),
        .timeLimit(.minutes(1)), arguments: [0x7fff_ffff, UInt32.max])
    func promise(pageCount: UInt32) throws {
        var bytes = try bytes(log)
        // In the header of the last frame: https://www.sqlite.org/fileformat2.html#walformat
        let place = bytes.count - Self.frameByteCount + 4
        bytes.replaceSubrange(
            place..<place + 4, with: withUnsafeBytes(of: pageCount.bigEndian) { Data($0) })
        try bytes.write(to: URL(fileURLWithPath: log))
        let file = DatabaseFile(path: sample.path, key: try EncryptedSample.key(sample.keyText))
        #expect { try file.open() } throws: { error in
            (error as? DatabaseError)?.extendedResultCode == .SQLITE_CANTOPEN_DIRTYWAL
                || (error as? DatabaseFileError)?.code == .foreignLog
        }
        _ = try file.diagnose()
        #expect(try self.bytes(log) == bytes)
    }
}
