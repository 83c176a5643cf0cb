import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

@Suite("A journal that was written to do harm", .proves("HST-01"))
struct HostileJournalTests {
    private let folder: TemporaryDirectory
    private let file: DatabaseFile

    init() throws {
        folder = try TemporaryDirectory()
        file = DatabaseFile(
            path: folder.path(of: "app.db"), key: try EncryptedSample.key(EncryptedSample.rawKey))
        try SQLCipherShell(path: file.path, key: .content(EncryptedSample.rawKey))
            .create("CREATE TABLE t (a); INSERT INTO t VALUES (1);")
    }

    /// A journal of no pages that is to be played back, and may name a file.
    /// <https://www.sqlite.org/fileformat2.html#the_rollback_journal>
    ///
    /// - Parameter keepsFirstPage: It has the first page, as a transaction finds it.
    private func leaveJournal(
        naming path: String? = nil, pageCount: Int? = nil, keepsFirstPage: Bool = false
    ) throws {
        func word(_ number: Int) -> [UInt8] {
            withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian) { Array($0) }
        }
        let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
        let own = Int(try FileSystem.system.status(file.path).byteCount) / 4096
        let page = try Array(Data(contentsOf: URL(fileURLWithPath: file.path)).prefix(4096))
        let pageSum = stride(from: 4096 - 200, to: 0, by: -200).reduce(0) { $0 + Int(page[$1]) }
        let record = keepsFirstPage ? word(1) + page + word(pageSum) : []
        let header =
            magic + word(keepsFirstPage ? 1 : 0) + word(0) + word(pageCount ?? own) + word(512)
            + word(4096)
        let name = Array((path ?? "").utf8)
        let sum = name.reduce(0) { $0 + Int(Int8(bitPattern: $1)) }
        let padding = [UInt8](repeating: 0, count: 512 - header.count)
        let end = word((1 << 30) / 4096 + 1) + name + word(name.count) + word(sum) + magic
        try folder.write(
            Data(header + padding + record + (path == nil ? [] : end)), to: "app.db-journal")
    }

    /// SQLite's own ending behind a NUL is not read: the name ends before it.
    @Test(
        "removes nothing, whatever is done to its database", arguments: ["", "\u{0}-mj0A1B2C93D"])
    func refused(ending: String) throws {
        let victim = try folder.write("root:x:0:0\n", to: "victim")
        try leaveJournal(naming: victim + ending)
        let other = DatabaseFile(path: folder.path(of: "other/other.db"), key: file.key)
        try FileManager.default.createDirectory(
            atPath: folder.path(of: "other"), withIntermediateDirectories: false)
        try FileManager.default.copyItem(atPath: file.path, toPath: other.path)
        let works: [(DatabaseFile) throws -> Void] = [
            { _ = try $0.open() }, { _ = try $0.check() },
            { try $0.transfer(to: DatabaseFile(path: folder.path(of: "out.db"), key: $0.key)) },
            { try $0.rotateKey(to: .generated()) }, { _ = try $0.planRotation(to: .generated()) },
            { _ = try CommittedPages(of: $0) }, { try $0.undoInterruptedTransaction() },
        ]
        for work in works {
            let error = #expect(throws: DatabaseFileError.self) { try work(file) }
            #expect(error?.message.contains("has SQLite delete a file") == true)
            #expect(try folder.names() == ["app.db", "app.db-journal", "other", "victim"])
        }
        _ = try? file.diagnose()
        _ = try? other.transfer(to: file, overwrite: true)
        _ = try? file.salvage(to: DatabaseFile(path: folder.path(of: "out.db"), key: file.key))
        #expect(try folder.names().contains("victim"))
    }

    @Test("makes no database of terabytes")
    func size() throws {
        let before = try Data(contentsOf: URL(fileURLWithPath: file.path))
        for pageCount in [1000, 1 << 20, Int(UInt32.max)] {
            try leaveJournal(pageCount: pageCount)
            let error = #expect(throws: DatabaseFileError.self) { try file.check() }
            let message = "says that the database had \(pageCount * 4096) bytes"
            #expect(error?.message.contains(message) == true)
            #expect(throws: DatabaseFileError.self) { try file.open() }
            #expect(throws: DatabaseFileError.self) { try file.rotateKey(to: .generated()) }
            _ = try file.diagnose()
            #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)) == before)
        }
    }

    @Test("is played back where the database has grown since")
    func growth() throws {
        let own = try FileSystem.system.status(file.path).byteCount
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file.path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(repeating: 1, count: 400 * 4096))
        try handle.close()
        try leaveJournal(pageCount: Int(own) / 4096)
        let grown = try Data(contentsOf: URL(fileURLWithPath: file.path))
        // Without a page, nothing says that the journal is this database's.
        #expect { try file.check() } throws: { ($0 as? DatabaseFileError)?.code == .foreignLog }
        #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)) == grown)
        try leaveJournal(pageCount: Int(own) / 4096, keepsFirstPage: true)
        #expect(try file.check().isSound)
        #expect(try FileSystem.system.status(file.path).byteCount == own)
    }

    @Test("is played back where SQLite has written it")
    func played() throws {
        try leaveJournal(naming: folder.path(of: "main.db-mj0A1B2C93D"))
        #expect(try file.check().isSound)
    }
}
