import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup
@testable import StrongroomSFTP

/// A database, and a repository for it in a store.
struct StoreFixture {
    let base: BackupFixture
    let kind: StoreKind
    /// Where the store keeps its files on this machine; of S3, the name in the bucket.
    let folder: String
    let repository: BackupRepository

    init(_ kind: StoreKind, rowCount: Int = 400) throws {
        base = try BackupFixture(rowCount: rowCount)
        self.kind = kind
        folder = try kind.place("a store with spaces", in: base.folder.path)
        repository = try BackupRepository.create(at: kind.url(of: folder))
    }

    /// The same repository as the files of a folder; of S3, over a new connection.
    func local() throws -> BackupRepository { try BackupRepository(path: kind.direct(folder)) }

    /// Has the repository use a new connection: with rclone, what another one writes comes late.
    func disconnect() throws { try RemoteServer.at(kind.url(of: folder))?.disconnect() }

    /// The repository over a server that spoils one packet.
    func proxied(_ fault: String, _ number: Int) throws -> BackupRepository {
        try BackupRepository(path: kind.proxied(fault, number, folder, mark: base.path("mark")))
    }

    /// Whether that has happened.
    var isSpoiled: Bool { FileManager.default.fileExists(atPath: base.path("mark")) }

    func change(_ number: Int) throws {
        try base.shell("app.db").run("UPDATE t SET n = \(number) WHERE id % 40 = 7")
    }

    /// What was restored, as a program sees it that is not ours.
    func sum(_ name: String) throws -> SQLCipherShell.Cell {
        try base.shell(name).cell("SELECT sum(n) FROM t")
    }
}
