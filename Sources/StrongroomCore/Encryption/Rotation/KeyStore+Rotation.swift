/// An open database whose key can be rotated: a queue or a pool.
package protocol KeyRotating: DatabaseReader {
    /// Rotates the key to one that the caller keeps.
    func rotateKey(
        to newKey: CipherKey, from current: CipherKey?, progress: OperationProgress.Handler?
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
    ///   `.cannotWrite`, before anything was changed.
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
    ///   `.cannotWrite`, before anything was changed.
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
        return try withLock {
            let key = try keyInForce(of: file)
            let pending = try makePendingKey()
            do {
                let report = try database.rotateKey(
                    to: pending.key, from: key, progress: progress)
                // If this fails, the next opening does it: the file has the key.
                try? settle(pending)
                return report
            } catch {
                var rotated = file
                rotated.key = pending.key
                if rotated.opens() { try? settle(pending) }
                throw error
            }
        }
    }

    /// The database's key, which is the store's current one.
    private func keyInForce(of file: DatabaseFile) throws -> CipherKey {
        let (current, pending) = try inForce()
        guard let key = file.key else { throw unknownKey(of: file) }
        if let pending, pending.key.isSame(as: key) {
            try settle(pending)
            return key
        }
        guard let current, current.key.isSame(as: key) else { throw unknownKey(of: file) }
        return key
    }

    private func unknownKey(of file: DatabaseFile) -> CipherKeyError {
        CipherKeyError(
            .notInStore, "the key of \(file.path) is not the current one in \(path)",
            hint: "open the database with useKey(from:), or begin the store with its key "
                + "(KeyStore(folder:startingWith:)); nothing was changed")
    }
}
