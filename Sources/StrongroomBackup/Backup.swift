public import Foundation
import Strongroom

/// One backup in a repository: what `list` tells of it, without a key.
public struct Backup: Sendable, Identifiable {
    /// What names it in commands: the first digits of the hash of its manifest.
    public let id: String
    /// The number of the backup, counted from 1.
    public let number: Int
    /// When the state was current that it holds.
    public let date: Date
    /// What it was tagged with.
    public let tag: String?
    /// The name of the database file, without its folder.
    public let databaseName: String
    /// How many pages the database had.
    public let pageCount: Int
    /// How many bytes a page has.
    public let pageSize: Int
    /// Which key opens it: two backups of one key, and one salt, have the same identifier.
    ///
    /// It tells nothing of the key. After a rotation it is another one.
    public let keyIdentifier: String
    /// SQLCipher's settings, as statements that follow the key; none if they are the usual ones.
    public let cipherPragmas: [String]
    /// `PRAGMA schema_version`
    public let schemaVersion: Int
    /// `PRAGMA user_version`
    public let userVersion: Int
    /// The number of the backup whose pages were not stored again; `nil` for a full one.
    public let base: Int?
    /// How many pages were stored for it.
    public let storedPageCount: Int
    /// How many bytes were written for it.
    public let storedByteCount: Int64
    /// The hash of its manifest, which vouches for all backups up to it.
    public let hash: String
    /// Whether writers had to wait while it was made, as they do under a rollback journal.
    ///
    /// `nil` for a backup that was not made just now.
    public internal(set) var madeWritersWait: Bool?

    /// The size of the database.
    public var byteCount: Int64 { Int64(pageCount) * Int64(pageSize) }

    /// The date as manifests have it: `2026-11-21T15:04:05.678Z`.
    package var dateText: String { ManifestTime.text(of: date) }

    let manifest: Manifest

    init(_ manifest: Manifest, hash: ContentDigest) {
        self.manifest = manifest
        self.hash = hash.hexadecimal
        id = String(hash.hexadecimal.prefix(8))
        number = Int(manifest.sequence)
        date = manifest.date
        tag = manifest.tag
        databaseName = manifest.database
        pageCount = Int(manifest.pageCount)
        pageSize = manifest.cipher.pageSize
        keyIdentifier = manifest.key
        let settings = manifest.cipher.settings
        cipherPragmas =
            settings == .version(.v4)
            ? [] : settings?.pragmas(salt: manifest.cipher.saltValue) ?? []
        schemaVersion = Int(manifest.schemaVersion)
        userVersion = Int(manifest.userVersion)
        base = manifest.base.map(Int.init)
        storedPageCount = Int(manifest.storedPageCount)
        storedByteCount = manifest.storedByteCount
    }
}

extension BackupRepository {
    /// The backups that are kept, the oldest state first.
    public func backups() throws -> [Backup] {
        try explaining { try kept(readHead()) }
    }

    func kept(_ head: Head) throws -> [Backup] {
        let pruned = head.prunedSet
        let names = try manifestNames()
        guard head.sequence > 0 else { return [] }
        let kept = try (1...head.sequence).filter { !pruned.contains($0) }.map { number in
            try readBackup(number, names)
        }
        return kept.sorted { ($0.date, $0.number) < ($1.date, $1.number) }
    }

    func manifestNames() throws -> [UInt32: String] {
        let names = try fileSystem.names(layout.backups).compactMap { name in
            Manifest.parse(name).map { ($0.sequence, name) }
        }
        return Dictionary(names) { one, _ in one }
    }

    /// Reads a manifest, and verifies it by the hash in its name.
    func readBackup(_ number: UInt32, _ names: [UInt32: String]) throws -> Backup {
        guard let name = names[number], let digest = Manifest.parse(name)?.digest else {
            throw BackupError.damaged(layout.backups, "backup \(number) is missing")
        }
        let path = layout.backups.appendingName(name)
        let bytes = try readFile(path)
        guard try bytes.withUnsafeBytes({ try ContentDigest(of: $0) }) == digest else {
            throw BackupError.damaged(path, "it is not what its name says")
        }
        guard let text = SealedText(bytes),
            let manifest = try? JSONDecoder().decode(Manifest.self, from: Data(text.content)),
            manifest.sequence == number, manifest.rootReference != nil, manifest.pageCount > 0,
            manifest.cipher.settings != nil, manifest.cipher.saltValue != nil
        else { throw BackupError.damaged(path, "it is not written as it should be") }
        return Backup(manifest, hash: digest)
    }

    /// The backup of a name, or the last one.
    func backup(_ name: String?, in backups: [Backup]) throws -> Backup {
        guard let name else {
            if let last = backups.last { return last }
            throw BackupError(
                .unknownBackup, path, "\(path) has no backup",
                hint: "strongroom backup create makes one")
        }
        let found = backups.filter {
            String($0.number) == name || (name.count >= 4 && $0.hash.hasPrefix(name))
        }
        if found.count == 1 { return found[0] }
        throw BackupError(
            .unknownBackup, path,
            found.isEmpty
                ? "\(path) has no backup \(name)" : "\(name) names \(found.count) backups",
            hint: "strongroom backup list shows their names")
    }
}

extension BackupRepository {
    /// Whether the chain has a manifest with this hash: what was noted once is still there.
    public func hasBackup(hash: String) throws -> Bool {
        try explaining {
            try manifestNames().values.contains {
                Manifest.parse($0)?.digest.hexadecimal == hash
            }
        }
    }
}
