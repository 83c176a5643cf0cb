import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup

/// A repository on a server that was put back, went another way, or is another one.
@Suite(.enabled(if: StoreKind.hasServer, "openssh-sftp-server is not installed"))
struct StoreForkTests {
    private let fixture: StoreFixture
    private let key: CipherKey
    private let host: BackupRepository

    init() throws {
        fixture = try StoreFixture(.sftp, rowCount: 300)
        key = try BackupFixture.databaseKey
        var host = fixture.repository
        host.memory = BackupMemory(folder: fixture.base.path("state"))
        self.host = host
        try host.backUp(fixture.base.file)
        try FileManager.default.copyItem(
            atPath: fixture.folder, toPath: fixture.base.path("older"))
        try fixture.change(1)
        try host.backUp(fixture.base.file)
    }

    private func expectRefused(sourceLocation: SourceLocation = #_sourceLocation) throws {
        // The server that is there has stayed in the folder that was removed.
        try fixture.disconnect()
        let file = fixture.base.file
        let operations: [(String, () throws -> Void)] = [
            ("create", { try host.backUp(file) }),
            ("full", { try host.backUp(file, full: true, authority: .newBeginning) }),
            ("list", { _ = try host.backups() }), ("verify", { _ = try host.verify() }),
            ("restore", { try host.restore(to: fixture.base.path("no.db"), key: key) }),
            ("prune", { try host.prune(keeping: RetentionPolicy(last: 1), key: key) }),
            ("status", { _ = try host.status() }),
        ]
        let before = try fixture.local().backups().map(\.hash)
        for (name, operation) in operations {
            #expect("\(name)", sourceLocation: sourceLocation) {
                try operation()
            } throws: {
                ($0 as? BackupError)?.code == .rolledBack
            }
        }
        #expect(try fixture.local().backups().map(\.hash) == before, sourceLocation: sourceLocation)
    }

    private func putBack() throws {
        try FileManager.default.removeItem(atPath: fixture.folder)
        try FileManager.default.copyItem(
            atPath: fixture.base.path("older"), toPath: fixture.folder)
    }

    @Test(.proves("HST-18"))
    func `What was put back, has gone another way, or is another repository, is refused`() throws {
        try putBack()
        try expectRefused()
        for number in 2...3 {
            try fixture.change(number)
            try fixture.local().backUp(fixture.base.file)
            try expectRefused()
        }
        try FileManager.default.removeItem(atPath: fixture.folder)
        _ = try BackupRepository.create(at: fixture.folder)
        try fixture.local().backUp(fixture.base.file)
        try expectRefused()
    }
}
