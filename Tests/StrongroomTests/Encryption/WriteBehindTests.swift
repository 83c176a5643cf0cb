import Foundation
import StrongroomTestSupport
import Synchronization
import Testing

@testable import Strongroom

/// How a large copy gets to the disk: nothing that a caller waits for takes long. The calls on files
/// are not public.
@Suite struct WriteBehindTests {
    private struct Enough: Error {}

    private let folder: TemporaryDirectory
    private let source: DatabaseFile

    init() throws {
        folder = try TemporaryDirectory()
        let key = try CipherKey(rawKey: Data(repeating: 0x1f, count: 32))
        source = DatabaseFile(path: folder.path(of: "app.db"), key: key)
        try SQLCipherShell(path: source.path, key: .rawKey(Data(repeating: 0x1f, count: 32)))
            .create(
                """
                PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; CREATE TABLE t(a);
                WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 64)
                INSERT INTO t SELECT zeroblob(1000000) FROM n;
                """)
    }

    private func copy(encrypted: Bool) -> DatabaseFile {
        DatabaseFile(path: folder.path(of: "out.db"), key: encrypted ? source.key : nil)
    }

    @Test(
        "No more than some megabytes of a copy wait for the disk", .proves("OPR-06"),
        arguments: [true, false])
    func bounded(encrypted: Bool) throws {
        var copy = copy(encrypted: encrypted)
        let waiting = Mutex((now: Int64(0), most: Int64(0)))
        copy.fileSystem.beginSynchronizing = { _, _, byteCount in
            waiting.withLock { $0 = ($0.now + byteCount, max($0.most, $0.now + byteCount)) }
        }
        copy.fileSystem.finishSynchronizing = { _, _, byteCount in
            waiting.withLock { $0.now -= byteCount }
        }
        try source.transfer(to: copy)
        let most = waiting.withLock { $0.most }
        #expect(most > 8 << 20 && most <= 40 << 20)
    }

    @Test("Who waits for the disk may stop at each step", .proves("OPR-06"))
    func stopped() throws {
        var fileSystem = FileSystem.system
        let steps = Mutex<[Int64]>([])
        fileSystem.finishSynchronizing = { _, offset, _ in steps.withLock { $0.append(offset) } }
        fileSystem.synchronize = { (_) throws(SystemError) in steps.withLock { $0.append(-1) } }
        let file = try fileSystem.openForReading(source.path)
        defer { fileSystem.close(file) }
        #expect(throws: Enough.self) {
            try fileSystem.synchronize(file) {
                if steps.withLock({ $0.count }) == 2 { throw Enough() }
            }
        }
        #expect(steps.withLock { $0 } == [0, 8 << 20])
        try fileSystem.synchronize(file) {}
        #expect(steps.withLock { $0.last == -1 && $0.count == 2 + 8 + 1 })
    }
}
