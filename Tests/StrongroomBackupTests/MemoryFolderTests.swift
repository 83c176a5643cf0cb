import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup

@Suite("The folder in which a host remembers repositories")
struct MemoryFolderTests {
    private let fixture: BackupFixture
    private let repository: BackupRepository

    init() throws {
        fixture = try BackupFixture(rowCount: 200)
        var repository = fixture.repository
        repository.memory = BackupMemory(folder: fixture.path("state"))
        self.repository = repository
        try repository.backUp(fixture.file)
    }

    private func putBack(after work: () throws -> Void) throws {
        let older = fixture.path("older")
        try FileManager.default.copyItem(atPath: repository.path, toPath: older)
        try work()
        try FileManager.default.removeItem(atPath: repository.path)
        try FileManager.default.moveItem(atPath: older, toPath: repository.path)
    }

    @Test("does not hold up the work when another process keeps its lock", .proves("HST-18"))
    func heldLock() throws {
        struct Enough: Error {}
        let state = try RepositoryFolder(path: fixture.path("state"), .system)
        let lock = try RepositoryLock.take(
            RepositoryLayout.writerLock, in: state, .alone, LongOperation())
        defer { withExtendedLifetime(lock) {} }
        let report = try repository.verify { progress in
            if progress.phase == .waiting { throw Enough() }
        }
        #expect(report.isSound)
        #expect(report.notices.count == 1 && report.notices[0].contains("another process uses it"))
        // Nobody is there to stop it: it gives up by itself.
        #expect {
            _ = try RepositoryLock.take(
                RepositoryLayout.writerLock, in: state, .alone, LongOperation(), patience: .zero)
        } throws: {
            ($0 as? BackupError)?.code == .inUse
        }
    }

    @Test("has what was accepted, whichever operation was told so", .proves("HST-18"))
    func accepted() throws {
        for operation in [
            { (repository: BackupRepository) in _ = try repository.backups() },
            { (repository: BackupRepository) in _ = try repository.status() },
        ] {
            try putBack { try repository.backUp(fixture.file) }
            #expect { try operation(repository) } throws: {
                ($0 as? BackupError)?.code == .rolledBack
            }
            var accepting = repository
            accepting.acceptsRollback = true
            try operation(accepting)
            try operation(repository)
        }
    }

    @Test("is named in the error if what it has can't be used", .proves("HST-18"))
    func unusable() throws {
        let state = fixture.path("state")
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: state).first {
                $0.hasPrefix("repository-")
            })
        let url = URL(fileURLWithPath: state + "/" + name)
        func expectNamed() {
            #expect { try repository.verify() } throws: { error in
                let error = error as? BackupError
                return error?.code == .failed && error?.path == url.path
                    && error?.hint?.contains("without a memory") == true
            }
        }
        try Data("{}".utf8).write(to: url)
        expectNamed()
        try Data(count: 1 << 17).write(to: url)
        expectNamed()
        try FileManager.default.removeItem(at: url)
        try FileManager.default.createSymbolicLink(
            at: url, withDestinationURL: URL(fileURLWithPath: fixture.file.path))
        expectNamed()
    }

    @Test("may be another user's, which is known", .proves("HST-18"), .enabled(if: geteuid() == 0))
    func owners() throws {
        let state = fixture.path("state")
        let memory = BackupMemory(folder: state)
        #expect(memory.standing == .own)
        try #require(chown(state, 65534, 65534) == 0)
        #expect(memory.standing == .another)
        #expect(BackupMemory(folder: fixture.path("none")).standing == .own)
    }
}
