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
    /// - Returns: The new backups; dates and tags are those of the old ones.
    /// - Throws: ``BackupError``: `.wrongKey` if the key opens no kept backup; or what `progress`
    ///   throws. Either all or none of it has happened then.
    @discardableResult
    public func rekey(
        from key: CipherKey, to newKey: CipherKey, progress: BackupProgress.Handler? = nil
    ) throws -> [Backup] {
        try Work.run(progress) { work in
            try explaining {
                try withWriterLock(work) { head in
                    let groups = try groups(of: key, head)
                    var result: [Backup] = []
                    for group in groups {
                        result += try rekey(group.backups, from: group.key, to: newKey, &head, work)
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
        _ work: Work
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
                repository: self, oldKey: oldKey, newKey: pageKey, packs: packs, work: work
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

/// The pages of some backups on their way to another key.
private struct Reencryption {
    private static let chunkPageCount = 256

    let repository: BackupRepository
    let oldKey: PageKey
    let newKey: PageKey
    let packs: PackWriter
    let work: Work

    /// The manifests of the new backups, without numbers.
    func run(
        _ backups: [Backup], cipher: Manifest.Cipher, _ key: BackupKey
    ) throws -> [Manifest] {
        try work.begin(
            .storing, byteCount: backups.reduce(0) { $0 + $1.byteCount })
        var manifests: [Manifest] = []
        var last: (old: Backup, root: PageReference)?
        for backup in backups {
            // What was written so far is read again: it must have its name.
            let before = packs.totals
            let root = try convert(backup, last)
            try packs.finish()
            var manifest = backup.manifest
            manifest.cipher = cipher
            manifest.key = key.identifier
            manifest.root = .init(
                sha256: root.digest.hexadecimal, pack: root.pack, slot: root.slot)
            manifest.rekeyed = backup.manifest.sequence
            manifest.base = nil
            let totals = packs.totals
            manifest.firstPack = before.nextPack
            manifest.packCount = totals.nextPack - before.nextPack
            manifest.storedPageCount = totals.pageCount - before.pageCount
            manifest.storedByteCount = totals.byteCount - before.byteCount
            manifests.append(manifest)
            last = (backup, root)
        }
        return manifests
    }

    private func convert(
        _ backup: Backup, _ last: (old: Backup, root: PageReference)?
    ) throws -> PageReference {
        let store = try PackStore(repository.layout, repository.fileSystem)
        let old = try repository.tree(of: backup, store)
        let previousOld = try last.map { try repository.tree(of: $0.old, store) }
        let previousNew = last.map {
            PageTree(root: $0.root, pageCount: $0.old.manifest.pageCount, store: store)
        }
        var writer = PageTreeWriter(
            pageCount: old.pageCount, previous: previousNew, packs: packs)
        var page: UInt32 = 1
        while page <= old.pageCount {
            let references = try old.references(from: page, count: Self.chunkPageCount)
            let known = try previousOld?.references(from: page, count: references.count) ?? []
            let converted = try previousNew?.references(from: page, count: references.count) ?? []
            for (index, reference) in references.enumerated() {
                let isKnown =
                    index < known.count && index < converted.count && known[index] == reference
                try writer.append(
                    isKnown
                        ? converted[index]
                        : try convert(
                            reference, page + UInt32(index), backup.pageSize, store))
            }
            page += UInt32(references.count)
            try work.advance(by: references.count * backup.pageSize)
        }
        return try writer.finish()
    }

    private func convert(
        _ reference: PageReference, _ number: UInt32, _ pageSize: Int, _ store: PackStore
    ) throws -> PageReference {
        let page = UnsafeMutableRawBufferPointer.allocate(byteCount: pageSize, alignment: 4096)
        defer {
            SecretBytes.wipe(page)
            page.deallocate()
        }
        try store.read(
            CollectionOfOne(reference), firstPage: number, pageSize: pageSize, to: page)
        var old = try PageCodec(oldKey)
        switch try old.verdict(on: UnsafeRawBufferPointer(page), number: number) {
        case .authentic, .unprotected:
            try old.decrypt(page, number: number)
            var new = try PageCodec(newKey)
            try new.encrypt(page, number: number)
        case .blank, .lockBytes:
            break
        case .damaged:
            throw BackupError.damaged(
                repository.path, "page \(number) was not written with the key")
        }
        let bytes = UnsafeRawBufferPointer(page)
        return try packs.append(bytes, CollectionOfOne(ContentDigest(of: bytes)), page: number)[0]
    }
}
