public import StrongroomEssentials

// Changing the key in place. What SQLCipher's `rekey` answers proves nothing: it says OK when
// another connection wrote, when the disk was full, when the key was wrong
// (`Documentation/SQLCipher.md`, "Changing keys"), and a handle whose rekey failed mixes two keys
// at its next write. Hence the sequence:
//
// 1. Refuse what cannot work: no key, no new key, a read-only connection, uncommitted changes,
//    which rekey would commit beyond recall.
// 2. Take the file for this connection alone, as far as the journal mode allows.
// 3. Rekey, keeping the salt (a crash would lose a new one). A passphrase is turned into the raw key
//    that SQLCipher would derive from it: that takes most of the time for a small file, and the proof
//    needs it, too.
// 4. Believe it only if no transaction is pending and a second connection reads with the new key.
// 5. On any doubt after step 3, let nothing run on this connection any more.

extension Database {
    /// Re-encrypts the database with another passphrase.
    ///
    ///     try dbQueue.writeWithoutTransaction { db in
    ///         try db.changePassphrase("six other words that were chosen by dice")
    ///     }
    ///
    /// - Throws: As `changePassphrase(_: Data)`.
    public func changePassphrase(_ passphrase: String) throws {
        var passphrase = passphrase
        try passphrase.withUTF8 { try changeKey(bytes: UnsafeRawBufferPointer($0)) }
    }

    /// Re-encrypts the database with another passphrase, given as bytes.
    ///
    /// The key is derived from the passphrase once. SQLCipher can report success without doing
    /// anything, so a second connection checks that the key opens the file. If the outcome is
    /// uncertain, the connection refuses every later statement, because writing could mix both keys in
    /// one file; close it and open the file again.
    ///
    /// - Throws: `SQLITE_MISUSE` if the database is not encrypted, the passphrase is empty, or the
    ///   current transaction has uncommitted changes; `SQLITE_READONLY`; `SQLITE_BUSY` if another
    ///   connection uses the file. ``CipherKeyError``: `.notInStore` if a ``KeyStore`` opens the
    ///   database. Then the old passphrase still opens the file.
    public func changePassphrase(_ passphrase: Data) throws {
        try passphrase.withUnsafeBytes { try changeKey(bytes: $0) }
    }

    /// Encrypts the main database again under another passphrase or raw key.
    package func changeKey(bytes: UnsafeRawBufferPointer) throws {
        try requireNoLostTransaction()
        try requireKeyChangePossible(bytes)
        try standing.requireKept?(CipherKey(parsing: bytes))
        try withoutReliance { try changeKeyBetweenTransactions(bytes) }
    }

    private func changeKeyBetweenTransactions(_ bytes: UnsafeRawBufferPointer) throws {
        let wasInsideTransaction = isInsideTransaction
        // The transaction that `write` has begun holds nothing yet: it begins again afterwards.
        if wasInsideTransaction { try commit() }
        defer {
            keying.shared?.forget()
            if wasInsideTransaction, standing.refusal == nil { beginAgain() }
        }
        forgetStatements()
        try withDerivedKey(from: bytes) { key in
            try takeFile()
            try rekeyOrRefuse(key)
        }
        // From now on, what the app gives has to be the new key.
        configuration.keyInForce?.forget()
    }

    /// Calls a closure with the raw key that a passphrase and the file's salt make, or else with what
    /// was given.
    private func withDerivedKey(
        from bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        guard !RawKeyText.isTakenAsRawKey(bytes),
            let parameters = try withHandle({ handle throws(DatabaseError) in
                try handle.keyParameters()
            }),
            let key = try KeyDerivation.key(from: bytes, parameters)
        else { return try body(bytes) }
        var text = SecretBytes(capacity: 67)
        key.withUnsafeBytes { RawKeyText.write(key: $0, salt: nil, to: &text) }
        try text.withUnsafeBytes(body)
    }

    private func rekeyOrRefuse(_ bytes: UnsafeRawBufferPointer) throws {
        do {
            try rekeyAndProve(bytes)
        } catch {
            standing.refusal = BoxedError(
                DatabaseError(
                    code: .SQLITE_MISUSE,
                    message: """
                        the connection is out of use since its key could not be changed (\(error)): \
                        close it and open the file again, with the key it had
                        """))
            throw error
        }
    }

    private var hasKeyring: Bool {
        guard let path = openConnection?.fileName(schema: "main"), !path.isEmpty else {
            return false
        }
        return (try? FileSystem.system.statusIfPresent(path + "-keyring")) != .some(.none)
    }

    private func requireKeyChangePossible(
        _ bytes: UnsafeRawBufferPointer
    ) throws(DatabaseError) {
        guard !bytes.isEmpty else {
            throw DatabaseError(
                code: .SQLITE_MISUSE,
                message: "the new key is empty; to decrypt, copy into a new file")
        }
        guard try withHandle({ handle throws(DatabaseError) in try handle.isKeyed() }) else {
            throw DatabaseError(
                code: .SQLITE_MISUSE,
                message: """
                    the database is not encrypted, so it has no key to change: encrypt it into a new \
                    file (strongroom encrypt)
                    """)
        }
        // Also one that is away for a moment, if it has opened the database.
        if configuration.keyringMemory?.unlocked != nil || hasKeyring {
            throw DatabaseError(
                code: .SQLITE_MISUSE,
                message: """
                    the database has a keyring, which would not know the new key: change the passphrase \
                    in the keyring (StrongroomKeyrings)
                    """)
        }
        guard !configuration.readonly, access.readOnlyDepth == 0,
            try !connection().isReadOnly
        else {
            throw DatabaseError(
                code: .SQLITE_READONLY, message: "the key cannot be changed where writes cannot")
        }
        guard !isInsideTransaction || !transactionState.hasUncommittedChanges else {
            throw DatabaseError(
                code: .SQLITE_MISUSE,
                message: """
                    the transaction has uncommitted changes, which changing the key would commit: \
                    change the key in a write of its own
                    """)
        }
    }

    /// Makes sure that no other connection writes, or reads where that would stop the rekey.
    private func takeFile() throws(DatabaseError) {
        try withHandle { handle throws(DatabaseError) in
            if try handle.firstText("PRAGMA journal_mode") == "wal" {
                // Readers of a WAL do not stand in the way; they need the new key afterwards.
                try handle.execute("BEGIN IMMEDIATE; ROLLBACK")
                return
            }
            try handle.execute("PRAGMA locking_mode = EXCLUSIVE")
            do throws(DatabaseError) {
                try handle.execute("BEGIN EXCLUSIVE; ROLLBACK")
            } catch {
                try? Self.releaseFile(handle)
                throw error
            }
        }
    }

    /// Exclusive locking ends with the next read in normal mode.
    private static func releaseFile(
        _ handle: borrowing ConnectionHandle
    ) throws(DatabaseError) {
        try handle.execute("PRAGMA locking_mode = NORMAL; SELECT COUNT(*) FROM sqlite_master")
    }

    private func rekeyAndProve(_ bytes: UnsafeRawBufferPointer) throws {
        let connection = try connection()
        try withHandle { handle throws(DatabaseError) in
            try handle.rekey(bytes)
            guard !connection.hasTransaction else {
                throw DatabaseError(
                    code: .SQLITE_BUSY,
                    message: "another connection kept the change from committing")
            }
            try Self.releaseFile(handle)
            if try handle.firstText("PRAGMA journal_mode") == "wal" {
                // Best effort: readers may keep frames under the old key alive a little longer.
                _ = try? connection.checkpoint(schema: "main", mode: 3)
            }
        }
        try prove(bytes)
    }

    /// Reads the file on a second connection with nothing but the new key.
    private func prove(_ bytes: UnsafeRawBufferPointer) throws {
        let (path, settings) = try withHandle { handle throws(DatabaseError) in
            (
                handle.borrowed.fileName(schema: "main") ?? "",
                try handle.cipherSettings()
            )
        }
        guard !path.isEmpty else { return }
        var opening = ConnectionOpening(
            path, .readOnly, for: .reading, Configuration(), label: "\(description).proof")
        opening.giveKey = { second in
            try second.withHandle { handle throws(DatabaseError) in
                try handle.setKey(bytes)
                for setting in settings { try handle.execute(setting) }
            }
        }
        do {
            try opening.open().close()
        } catch DatabaseError.SQLITE_NOTADB {
            throw DatabaseError(
                code: .SQLITE_ERROR,
                message: "the key was not changed: the new key does not open the file")
        }
    }

    private func beginAgain() {
        do {
            try execute(sql: "BEGIN IMMEDIATE TRANSACTION")
        } catch {
            // Another connection writes at this very moment; the transaction has nothing to commit.
            try? execute(sql: "BEGIN DEFERRED TRANSACTION")
        }
    }
}
