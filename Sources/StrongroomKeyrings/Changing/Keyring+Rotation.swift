public import StrongroomCore
public import StrongroomEssentials

extension Keyring {
    /// Gives the database a new random key. All slots go on opening it; one secret is enough.
    ///
    /// The file is rotated as `DatabaseFile.rotateKey(to:)` does it. At every instant,
    /// even if the process is killed, each slot opens the file. The old key stays in the keyring, for
    /// backups. Another ``authority`` signs the keyring from then on, which the current one introduces.
    ///
    ///     try Keyring(of: "app.db").rotate(unlockingWith: .passphrase(passphrase))
    ///
    /// - Parameters:
    ///   - unlocker: A secret that opens a slot.
    ///   - requirements: What the keyring has to show before.
    ///   - dropsSealed: Whether sealed slots whose secret is not given are removed. Otherwise, they make
    ///     it throw before anything is changed.
    ///   - progress: Called during the work. If it throws an error, the work stops.
    /// - Returns: The keyring as it is now. If its very last step failed, ``isChangingKey`` is true, and
    ///   the next rotation, or ``repair(unlockingWith:requiring:)``, makes it.
    /// - Throws: ``KeyringError``; `DatabaseFileError`, for example `.inUse`. The old key then stands.
    @discardableResult
    public func rotate(
        unlockingWith unlocker: Unlocker, requiring requirements: Requirements = Requirements(),
        droppingSealed dropsSealed: Bool = false, progress: OperationProgress.Handler? = nil
    ) throws -> Keyring {
        try rotate(unlocker, requirements, dropsSealed) { database, _, new in
            try database.rotateKey(to: new, progress: progress)
        }.keyring
    }

    /// Rotates only if the file still is what this keyring was read from or written as: nobody has put back
    /// what was removed.
    package func rotateUnchanged(
        unlockingWith unlocker: Unlocker, droppingSealed dropsSealed: Bool = false,
        progress: OperationProgress.Handler? = nil
    ) throws -> Keyring {
        try rotate(
            unlocker, Requirements(), dropsSealed, expecting: text.bytes
        ) { database, _, new in
            try database.rotateKey(to: new, progress: progress)
        }.keyring
    }

    func rotate<Report>(
        _ unlocker: Unlocker, _ requirements: Requirements, _ dropsSealed: Bool,
        expecting expected: [UInt8]? = nil, _ change: KeyringRotation.Change<Report>
    ) throws -> (keyring: Keyring, report: Report) {
        try file.withLock {
            if let expected {
                let found = try Keyring(file.read(), in: file)
                guard found.text.bytes == expected else {
                    throw KeyringError(
                        .foreign, path, "another process changed \(path) meanwhile",
                        hint: "look at its slots (strongroom key list), and begin again")
                }
            }
            let open = try settle(unlocker, requirements)
            // Also one whose file cannot be read now stays as it is.
            _ = try open.generationInForce(of: file)
            return try KeyringRotation(open, file).run(droppingSealed: dropsSealed, change)
        }
    }

    /// Finishes an interrupted rotation: the keyring gets the key alone that the file has.
    ///
    /// If the file still has the old key, that is the key which it keeps: rotate again for a new one. It does
    /// nothing if there is nothing to finish. The next rotation does the same.
    ///
    /// - Throws: ``KeyringError``.
    @discardableResult
    public func repair(
        unlockingWith unlocker: Unlocker, requiring requirements: Requirements = Requirements()
    ) throws -> Keyring {
        try file.withLock { Keyring(try settle(unlocker, requirements).text, in: file) }
    }

    private func settle(
        _ unlocker: Unlocker, _ requirements: Requirements
    ) throws -> OpenKeyring {
        let open = try Keyring(file.read(), in: file).open(with: unlocker, requiring: requirements)
        try open.requireDatabase(of: file)
        let settled = try open.settled(in: file)
        if settled.content != open.content {
            try file.write(settled.text, replacing: true) {
                try $0.prove(path, open: settled, added: [:])
            }
        }
        return settled
    }

    /// Removes retired keys from the keyring. Backups that were made with them can then be restored only
    /// with a copy of those keys.
    ///
    /// - Parameters:
    ///   - unlocker: A secret that opens a slot.
    ///   - isForgotten: Whether to remove a key, by its identifier and the date on which it was retired.
    /// - Returns: The identifiers of the keys that were removed.
    /// - Throws: ``KeyringError``.
    @discardableResult
    public func forgetKeys(
        unlockingWith unlocker: Unlocker,
        where isForgotten: (_ identifier: String, _ retired: Date) throws -> Bool
    ) throws -> [String] {
        try file.withLock {
            let open = try settle(unlocker, Requirements())
            var content = open.content
            var forgotten: [String] = []
            try content.generations[0].previous.removeAll { retired in
                let date = WrittenTime.date(of: retired.retired) ?? .distantPast
                guard try isForgotten(retired.key, date) else { return false }
                forgotten.append(retired.key)
                return true
            }
            guard !forgotten.isEmpty else { return [] }
            content.events += forgotten.map { .now("forget", key: $0) }
            _ = try write(content, open)
            return forgotten
        }
    }
}

extension DatabaseQueue {
    /// Gives the open database, which has a keyring, a new random key, while accesses wait.
    ///
    /// As `rotateKey(to:)`; connections to come, and later launches, unlock as before.
    ///
    ///     try dbQueue.rotateKey(unlockingWith: .passphrase(passphrase))
    ///
    /// - Throws: ``KeyringError``; `DatabaseFileError`, as `rotateKey(to:)`.
    @discardableResult
    public func rotateKey(
        unlockingWith unlocker: Unlocker, droppingSealed dropsSealed: Bool = false,
        progress: OperationProgress.Handler? = nil
    ) throws -> Keyring {
        try rotateByKeyring(unlocker, dropsSealed, progress)
    }
}

extension DatabasePool {
    /// Gives the open database, which has a keyring, a new random key, while accesses wait.
    ///
    /// As `rotateKey(to:)`; connections to come, and later launches, unlock as before.
    ///
    ///     try dbPool.rotateKey(unlockingWith: .passphrase(passphrase))
    ///
    /// - Throws: ``KeyringError``; `DatabaseFileError`, as `rotateKey(to:)`.
    @discardableResult
    public func rotateKey(
        unlockingWith unlocker: Unlocker, droppingSealed dropsSealed: Bool = false,
        progress: OperationProgress.Handler? = nil
    ) throws -> Keyring {
        try rotateByKeyring(unlocker, dropsSealed, progress)
    }
}

extension KeyRotating {
    fileprivate func rotateByKeyring(
        _ unlocker: Unlocker, _ dropsSealed: Bool, _ progress: OperationProgress.Handler?
    ) throws -> Keyring {
        let path = try DatabaseFile(openIn: self).path
        return try Keyring(of: path).rotate(unlocker, Keyring.Requirements(), dropsSealed) {
            _, old, new in
            _ = try rotateKeyOfKeyring(to: new, from: old, progress: progress)
        }.keyring
    }
}
