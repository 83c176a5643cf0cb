// A new key is in the store, or the database does not get it: a folder can be deleted, moved or replaced
// while a rotation works.

extension KeyStore {
    /// A pending key, and the folder in which it was written.
    package struct Kept: Sendable {
        fileprivate let pending: StoredKey
        fileprivate let folder: FileStatus.Identity
    }

    /// Notes where a pending key is, directly after it was written.
    package func noteFolder(of pending: StoredKey) throws(CipherKeyError) -> Kept {
        guard let folder = folderIdentity else { throw folderIsGone() }
        return Kept(pending: pending, folder: folder)
    }

    /// Reads the pending key again, under its path.
    ///
    /// - Throws: ``CipherKeyError``: `.cannotWrite` if the key, or its folder, is no longer what it was.
    package func require(_ kept: Kept) throws(CipherKeyError) {
        guard folderIdentity == kept.folder else { throw folderIsGone() }
        guard holds(kept.pending, isPending: true) else {
            throw CipherKeyError(
                .cannotWrite,
                "\(file(of: kept.pending, isPending: true)) is no longer what the rotation wrote",
                hint: "the database keeps its key; begin again")
        }
    }

    /// The same for a key that several databases get.
    package func requireInForce(_ key: CipherKey) throws(CipherKeyError) {
        let (current, pending) = try inForce()
        guard ![current, pending].contains(where: { $0?.key.isSame(as: key) == true }) else {
            return
        }
        throw CipherKeyError(
            .cannotWrite, "\(path) no longer has the new key, which the rotation wrote there",
            hint:
                "put the folder back with its keys, and begin again: databases that were rotated already "
                + "have the new key")
    }

    /// Makes the pending key the current one, once a database has it.
    ///
    /// If its file is gone, it is written again where there is a folder; none is created.
    ///
    /// - Throws: ``CipherKeyError``: `.notInStore` if the key, or its folder, is not where it was.
    package func keep(_ kept: Kept, of database: String) throws(CipherKeyError) {
        let pending = kept.pending
        let reason = Result { () throws(CipherKeyError) in try settle(pending) }
        if folderIdentity == kept.folder, holds(pending, isPending: false) { return }
        let name = file(of: pending, isPending: false)
        try? KeyFolder(path, fileSystem).write(
            pending.key, to: KeyFolder.name(pending.number, isPending: false))
        let isThere = holds(pending, isPending: false)
        if folderIdentity == kept.folder, isThere { return }
        throw missing(pending, of: database, isThere ? name : nil, reason)
    }

    private func missing(
        _ pending: StoredKey, of database: String, _ name: String?,
        _ reason: Result<Void, CipherKeyError>
    ) -> CipherKeyError {
        let start = "\(database) has its new key, \(pending.id)"
        if let name {
            return CipherKeyError(
                .notInStore,
                "\(start), but \(path) was replaced during the rotation, and has no earlier key",
                hint:
                    "the new key was written to \(name): keep it, and put the earlier keys next to it"
            )
        }
        if folderIdentity != nil, holds(pending, isPending: true) {
            var detail = ""
            if case .failure(let error) = reason { detail = ": \(error.message)" }
            return CipherKeyError(
                .notInStore,
                "\(start), but it cannot be made the current one in \(path)\(detail)",
                hint:
                    "it is there as \(pending.id).next: let this user write there, and the next opening ends "
                    + "the rotation")
        }
        return CipherKeyError(
            .notInStore, "\(start), but \(path), which lacks that key, was deleted or moved",
            hint:
                "put the folder back. If it is lost, only this process has the key: while it runs, copy "
                + "the database into one with another key (backup(to:))")
    }

    /// Which folder the path leads to; nil if there is none.
    package var folderIdentity: FileStatus.Identity? {
        guard let status = try? fileSystem.status(path), status.kind == .directory else {
            return nil
        }
        return status.identity
    }

    private func folderIsGone() -> CipherKeyError {
        CipherKeyError(
            .cannotWrite,
            "the key store \(path) was deleted, moved or replaced during the rotation",
            hint: "the database keeps its key; put the folder back, and begin again")
    }

    private func file(of key: StoredKey, isPending: Bool) -> String {
        path.appendingName(KeyFolder.name(key.number, isPending: isPending))
    }

    private func holds(_ key: StoredKey, isPending: Bool) -> Bool {
        let file = file(of: key, isPending: isPending)
        let found = try? CipherKey(contentsOfFile: file, fileSystem: fileSystem)
        return found?.isSame(as: key.key) == true
    }
}
