import Foundation
import Strongroom
import StrongroomCore
import StrongroomKeyrings
import StrongroomTestSupport
import Synchronization
import Testing

@testable import StrongroomBackup

/// Runs of one host that meet between two of their calls.
@Suite(.proves("OPR-211")) struct RacingRunsTests {
    private let folder: TemporaryDirectory
    private let host: BackupRepository

    init() throws {
        folder = try TemporaryDirectory()
        var host = try BackupRepository.create(at: folder.path(of: "repository"))
        host.memory = BackupMemory(folder: folder.path(of: "memory"))
        self.host = host
        try Keyring.create(forNew: folder.path(of: "app.db")) { change in
            try change.addPassphrase("secret", name: "me", work: 14)
        }
        try backUp(rows: 1)
    }

    private func queue() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.unlock(with: .passphrase("secret")) }
        return try DatabaseQueue(path: folder.path(of: "app.db"), configuration: configuration)
    }

    private func backUp(rows count: Int) throws {
        let queue = try queue()
        for _ in 0..<count {
            try queue.write { db in
                try db.execute(
                    sql:
                        "CREATE TABLE IF NOT EXISTS t (a); INSERT INTO t VALUES (randomblob(9000))")
            }
            try host.backUp(queue, unlockingWith: .passphrase("secret"))
        }
        try queue.close()
    }

    /// A run of the same host, in which something else is done once a file was opened whose name ends so.
    private func run(
        interruptedAt suffix: String, by work: @escaping @Sendable () throws -> Void
    ) throws -> (repository: BackupRepository, isDone: @Sendable () -> Bool) {
        let isDue = Locked(true)
        var fileSystem = FileSystem.system
        fileSystem.inFolder.openForReading = { folder, name throws(SystemError) in
            let descriptor = try FolderCalls.system.openForReading(folder, name)
            let isNow = isDue.withLock { isDue in
                defer { if name.hasSuffix(suffix) { isDue = false } }
                return isDue && name.hasSuffix(suffix)
            }
            if isNow { try? work() }
            return descriptor
        }
        var repository = try BackupRepository(path: host.path, fileSystem: fileSystem)
        repository.memory = host.memory
        return (repository, { isDue.withLock { !$0 } })
    }

    @Test func `a head that another run has replaced since is no rollback`() throws {
        let (status, isStatusDone) = try run(interruptedAt: "head") { try backUp(rows: 1) }
        #expect(try status.status().problems.isEmpty)
        let queue = try queue()
        let (writer, isWriterDone) = try run(interruptedAt: "head") { try backUp(rows: 1) }
        try writer.backUp(queue, unlockingWith: .passphrase("secret"))
        let (verifying, isVerified) = try run(interruptedAt: "head") { try backUp(rows: 1) }
        #expect(try verifying.verify().isSound)
        #expect(isStatusDone() && isWriterDone() && isVerified())
        try queue.close()
        // An older state still is one.
        let head = try Data(contentsOf: URL(fileURLWithPath: host.path + "/head"))
        try backUp(rows: 1)
        try head.write(to: URL(fileURLWithPath: host.path + "/head"))
        let error = #expect(throws: BackupError.self) { try host.status() }
        #expect(error?.code == .rolledBack)
    }

    @Test(arguments: [".keyring", ".backup", ".pack"])
    func `files that a prune removes meanwhile are not missing`(suffix: String) throws {
        try backUp(rows: 2)
        let old = try queue()
        try old.rotateKey(unlockingWith: .passphrase("secret"))
        try old.close()
        try backUp(rows: 2)
        let key = try Keyring(of: folder.path(of: "app.db")).unlock(with: .passphrase("secret"))
        // Without what it knows, it reads all.
        try FileManager.default.removeItem(atPath: folder.path(of: "memory"))
        let (status, isDone) = try run(interruptedAt: suffix) {
            try host.prune(keeping: RetentionPolicy(last: 1), key: key)
        }
        let found = try status.status()
        #expect(isDone() && found.problems.isEmpty, "\(found.problems)")
        #expect(try host.backups().count == 1)
    }

    @Test(.timeLimit(.minutes(5)))
    func `a server that shows ever other heads is refused, and not asked for ever`() throws {
        let place = URL(fileURLWithPath: host.path + "/head")
        let first = try Data(contentsOf: place)
        try backUp(rows: 1)
        let second = try Data(contentsOf: place)
        try backUp(rows: 1)
        let count = Locked(0)
        var fileSystem = FileSystem.system
        fileSystem.inFolder.openForReading = { folder, name throws(SystemError) in
            if name == "head" {
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                try? (number % 2 == 0 ? first : second).write(to: place)
            }
            return try FolderCalls.system.openForReading(folder, name)
        }
        var hostile = try BackupRepository(path: host.path, fileSystem: fileSystem)
        hostile.memory = host.memory
        let error = #expect(throws: BackupError.self) { try hostile.status() }
        #expect(error?.code == .rolledBack && count.withLock { $0 } < 30)
    }
}
