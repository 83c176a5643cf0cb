public import StrongroomCore
public import StrongroomEssentials

extension VerificationReport {
    /// What a host remembers of it.
    fileprivate func finding(
        at date: String, isWhole: Bool, isAuthenticated: Bool
    ) -> BackupMemory.Finding {
        let others = problems.count > 1 ? ", and \(problems.count - 1) more" : ""
        return BackupMemory.Finding(
            date: date, problem: problems.first.map { $0.message + others }, isWhole: isWhole,
            isAuthenticated: isAuthenticated, keys: keys, keptKeys: keptKeys,
            isSignerTrusted: isSignerTrusted)
    }
}

/// What a verification authenticates pages and manifests with.
public enum BackupVerificationKey: Sendable {
    /// The database key; the verification key is derived from it for each salt.
    case database(CipherKey)
    /// Database keys, such as those of a `KeyStore`: each backup is authenticated with the key that it has.
    case databases([CipherKey])
    /// The 32 bytes of a verification key, which authenticates and cannot decrypt.
    case verification(Data)
}

extension BackupRepository {
    /// Reads what is stored, and verifies it: without a key by hashes, with it by HMACs too.
    ///
    /// Without a key it compares files with hashes: pages with those in trees and tables, trees and
    /// manifests with the chain of hashes that ends in the head, and the head with its signature.
    /// That finds every accident. Who has signed, it does not know: an attacker can write pages, trees,
    /// manifests and head anew, and sign with a key of his own.
    ///
    /// With a public key, it finds that too: the head must be signed by that key, or by one that it
    /// has introduced, or that has introduced it. The page that a hash in such a repository stands for
    /// was written by somebody who could write the database.
    ///
    /// With the key, manifests and pages are authenticated, and the head must be signed by it, or by
    /// a key that belongs to it. It finds whatever was written without the key.
    ///
    /// That the whole repository was put back to an older state of itself is found with
    /// ``memory`` only, or with a hash that was noted elsewhere: ``VerificationReport/hash``, and
    /// ``VerificationReport/chainContains(hash:)`` of a later report.
    ///
    /// Damage is remembered in ``memory``, and ``status()`` reports it until a verification succeeds that
    /// would find it.
    ///
    /// - Parameters:
    ///   - key: The key of the backups, or what authenticates them.
    ///   - authority: A public key, of 64 hexadecimal digits, that the caller trusts, such as
    ///     ``VerificationReport/signer`` of an earlier report.
    ///   - sample: Which part of the pages is read, by chance; trees and tables always are.
    ///   - threads: How many threads share the work; by default one for each processor, up to 4.
    ///   - progress: Called as the work advances. An error that it throws ends the work.
    /// - Returns: What was found, also if the repository is damaged.
    /// - Throws: ``BackupError`` if there is no repository that can be read, or what `progress`
    ///   throws. Damage is in the report.
    public func verify(
        key: BackupVerificationKey? = nil, authority: String? = nil, sample: Double = 1,
        threads: Int? = nil, progress: OperationProgress.Handler? = nil
    ) throws -> VerificationReport {
        try LongOperation.run(progress) { operation in
            try opened(operation) { repository in
                try repository.withReaderLock(operation) {
                    let verification = Verification(
                        repository, operation, sample: sample, threads: threads ?? ThreadCount.usual
                    )
                    var report = try repository.rememberingDamage {
                        try verification.run(key, trusting: authority)
                    }
                    report.notices += repository.remember(
                        report.finding(
                            at: ManifestTime.text(of: now()), isWhole: sample == 1,
                            isAuthenticated: key != nil))
                    return report
                }
            }
        }
    }

    /// The key that authenticates the backups of a database key, and decrypts none of them.
    ///
    /// - Parameters:
    ///   - key: The key of the backup.
    ///   - name: One of the backups; by default the last one.
    /// - Throws: ``BackupError``: `.unknownBackup`, `.wrongKey`, or `.damaged`.
    public func verificationKey(of key: CipherKey, for name: String? = nil) throws -> Data {
        try opened { repository in
            let backup = try repository.backup(name, in: repository.keptBackups())
            return try repository.authentic(backup, with: key).key.verificationKey()
                .withUnsafeBytes { Data($0) }
        }
    }
}
