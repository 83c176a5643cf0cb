internal import Foundation
public import Strongroom

extension BackupRepository {
    /// Encrypts the kept backups of a key again under another one, and forgets the old pages.
    ///
    /// For a key that leaked: who has it must find nothing here that it opens. Other copies of the
    /// repository have to be brought up to date as well. Pages that did not change between two
    /// backups stay shared by them.
    ///
    /// - Parameters:
    ///   - key: The key that leaked.
    ///   - newKey: The key that shall open these backups from now on.
    ///   - threads: How many work at once; by default one for each processor, up to 4.
    /// - Returns: The new backups; dates and tags are those of the old ones.
    /// - Throws: ``BackupError``: `.wrongKey` if the key opens no kept backup; or what `progress`
    ///   throws. Either all or none of it has happened then.
    @discardableResult
    public func rekey(
        from key: CipherKey, to newKey: CipherKey, threads: Int? = nil,
        progress: BackupProgress.Handler? = nil
    ) throws -> [Backup] {
        try Work.run(progress) { work in
            try explaining {
                try withWriterLock(work) { head in
                    let groups = try groups(of: key, head)
                    var result: [Backup] = []
                    for group in groups {
                        result += try rekey(
                            group.backups, from: group.key, to: newKey, &head, work,
                            threads: threads ?? Self.usualThreadCount)
                    }
                    var report = PruningReport()
                    try collect(kept(head), work, &report)
                    return result
                }
            }
        }
    }

    private struct KeyGroup {
        let key: PageKey
        var backups: [Backup]
    }

    /// The kept backups that a key opens: a group for each salt.
    private func groups(of key: CipherKey, _ head: Head) throws -> [KeyGroup] {
        let backups = try kept(head).sorted { $0.number < $1.number }
        var groups: [KeyGroup] = []
        for (_, members) in Dictionary(grouping: backups, by: \.keyIdentifier) {
            do {
                groups.append(KeyGroup(key: try pageKey(key, of: members[0]), backups: members))
            } catch let error as BackupError where error.code == .wrongKey {
                continue
            }
        }
        guard !groups.isEmpty else {
            throw BackupError(
                .wrongKey, path, "the key opens no backup in \(path)",
                hint: "strongroom backup list shows which key each needs")
        }
        return groups.sorted { $0.backups[0].number < $1.backups[0].number }
    }

    private func rekey(
        _ backups: [Backup], from oldKey: PageKey, to newKey: CipherKey, _ head: inout Head,
        _ work: Work, threads: Int
    ) throws -> [Backup] {
        let settings = oldKey.settings
        // With a plaintext header the salt is kept by the app, which goes on using it.
        let salt = settings.hasSaltInFile ? try CipherSalt.random() : oldKey.salt
        let pageKey = try PageKey(newKey, fileSalt: salt, settings: settings)
        let key = try BackupKey(pageKey)
        guard key.identifier != backups[0].keyIdentifier else {
            throw BackupError(
                .failed, path, "the new key is the old one", hint: "give another key")
        }
        let packs = PackWriter(layout, firstNumber: head.nextPack, fileSystem: fileSystem)
        do {
            let manifests = try Reencryption(
                repository: self, oldKey: oldKey, newKey: pageKey, packs: packs, work: work,
                threads: threads
            ).run(backups, cipher: Manifest.Cipher(settings, salt: pageKey.salt), key)
            try work.begin(.finishing)
            try packs.finish()
            try fileSystem.synchronizeDirectory(layout.packs)
            return try commit(
                manifests, key, nextPack: packs.totals.nextPack,
                pruned: Set(backups.map(\.manifest.sequence)), &head)
        } catch {
            packs.discard()
            throw error
        }
    }
}
