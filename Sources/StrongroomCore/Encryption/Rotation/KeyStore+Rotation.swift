/// An open database whose key can be rotated: a queue or a pool.
package protocol KeyRotating: DatabaseReader {
    /// Rotates the key to one that the caller keeps.
    func rotateKey(
        to newKey: CipherKey, from current: CipherKey?, progress: OperationProgress.Handler?
    ) throws -> RotationReport

    /// The same, to a key that is looked for where it is kept before the file gets it.
    func rotateKey(
        to newKey: CipherKey, from current: CipherKey?, keptBy confirm: @escaping KeyConfirmation,
        progress: OperationProgress.Handler?
    ) throws -> RotationReport

    /// Rotates the key to a new one, which a store keeps.
    @discardableResult
    func rotateKey(
        in store: KeyStore, progress: OperationProgress.Handler?
    ) throws -> RotationReport

    /// The same, for the keyring of the database, which knows the new key.
    func rotateKeyOfKeyring(
        to newKey: CipherKey, from current: CipherKey, progress: OperationProgress.Handler?
    ) throws -> RotationReport
}

extension DatabaseQueue: KeyRotating {
    /// Rotates the key of the open database to a new key in the store.
    ///
    /// The new key is on disk before it encrypts the first page. The old key stays in the store,
    /// because backups need it. If a rotation fails or is killed, the store still opens the
    /// database, and the next rotation works.
    ///
    /// Accesses wait during the rotation, as in ``rotateKey(to:from:progress:)``.
    ///
    /// - Parameters:
    ///   - store: The store with the database's key: the one that `prepareDatabase` passes to
    ///     `useKey(from:)`, or one that starts with the database's key.
    ///   - progress: Called during the work. If it throws an error, the work stops.
    /// - Throws: As ``rotateKey(to:from:progress:)``. ``CipherKeyError``: `.notInStore` if the
    ///   store does not have the database's key; `.inUse` while another rotation uses the store;
    ///   `.cannotWrite`, before anything was changed; `.lost` if the store's folder is empty or not
    ///   there. `.notInStore` also if the database has its new key, and the store lost it meanwhile: the
    ///   message says so.
    @discardableResult
    public func rotateKey(
        in store: KeyStore, progress: OperationProgress.Handler? = nil
    ) throws -> RotationReport {
        try store.rotate(self, progress)
    }
}

extension DatabasePool: KeyRotating {
    /// Rotates the key of the open database to a new key in the store.
    ///
    /// The new key is on disk before it encrypts the first page. The old key stays in the store,
    /// because backups need it. If a rotation fails or is killed, the store still opens the
    /// database, and the next rotation works.
    ///
    /// Accesses wait during the rotation, as in ``rotateKey(to:from:progress:)``.
    ///
    /// - Parameters:
    ///   - store: The store with the database's key: the one that `prepareDatabase` passes to
    ///     `useKey(from:)`, or one that starts with the database's key.
    ///   - progress: Called during the work. If it throws an error, the work stops.
    /// - Throws: As ``rotateKey(to:from:progress:)``. ``CipherKeyError``: `.notInStore` if the
    ///   store does not have the database's key; `.inUse` while another rotation uses the store;
    ///   `.cannotWrite`, before anything was changed; `.lost` if the store's folder is empty or not
    ///   there. `.notInStore` also if the database has its new key, and the store lost it meanwhile: the
    ///   message says so.
    @discardableResult
    public func rotateKey(
        in store: KeyStore, progress: OperationProgress.Handler? = nil
    ) throws -> RotationReport {
        try store.rotate(self, progress)
    }
}

extension KeyStore {
    /// Runs a rotation with a key that is on the disk, and keeps whichever the file has afterwards.
    fileprivate func rotate(
        _ database: some KeyRotating, _ progress: OperationProgress.Handler?
    ) throws -> RotationReport {
        let file = try DatabaseFile(openIn: database)
        let isUsed = try database.unsafeRead { $0.standing.keyStore == path }
        try requireFolder(of: file, isUsed: isUsed)
        return try withLock {
            let key = try keyInForce(of: file, isUsed: isUsed)
            let salt = try? database.unsafeRead { $0.fileSalt }
            if let salt { note(salt: salt, ofDatabase: file.path) }
            let pending = try makePendingKey()
            let kept = try noteFolder(of: pending)
            let result = Result {
                try database.rotateKey(
                    to: pending.key, from: key, keptBy: { try require(kept) }, progress: progress)
            }
            var rotated = file
            rotated.key = pending.key
            // Where it has failed, the file may have got its name all the same.
            if (try? result.get()) != nil || rotated.opens() {
                try keep(kept, of: file.path)
                let salt = try? database.unsafeRead { $0.fileSalt }
                note(database: file.path, has: pending, salt: salt) { true }
            }
            return try result.get()
        }
    }

    /// Refuses to begin where the folder with the database's key is gone.
    ///
    /// - Parameter isUsed: Whether the app opens the database with this store.
    private func requireFolder(of file: DatabaseFile, isUsed: Bool) throws(CipherKeyError) {
        guard try folderIsMissing() else { return }
        if let firstKey, file.key?.isSame(as: firstKey) == true { return }
        throw isUsed ? lostKey(of: file) : unknownKey(of: file)
    }

    private func folderIsMissing() throws(CipherKeyError) -> Bool {
        do throws(SystemError) {
            return try fileSystem.statusIfPresent(path) == nil
        } catch {
            throw CipherKeyError(.cannotRead, "cannot read \(path): \(error.reason)")
        }
    }

    /// The database's key, which is the store's current one.
    private func keyInForce(of file: DatabaseFile, isUsed: Bool) throws -> CipherKey {
        let (current, pending) = try inForce()
        guard let key = file.key else { throw unknownKey(of: file) }
        if let pending, pending.key.isSame(as: key) {
            try settle(pending)
            return key
        }
        if isUsed, current == nil, pending == nil { throw lostKey(of: file) }
        guard let current, current.key.isSame(as: key) else { throw unknownKey(of: file) }
        return key
    }

    private func lostKey(of file: DatabaseFile) -> CipherKeyError {
        CipherKeyError(
            .lost, "\(path) lacks the key of \(file.path), and all others",
            hint: "put the folder with its keys back; nothing was changed. If it is lost, copy the "
                + "database while it is open into one with another key (backup(to:))")
    }

    private func unknownKey(of file: DatabaseFile) -> CipherKeyError {
        CipherKeyError(
            .notInStore, "the key of \(file.path) is not the current one in \(path)",
            hint: "open the database with useKey(from:), or begin the store with its key "
                + "(KeyStore(folder:startingWith:)); nothing was changed")
    }
}
