public import StrongroomCore
public import StrongroomEssentials

extension VerificationReport {
    /// What a host remembers of it.
    fileprivate func finding(
        at date: String, isWhole: Bool, isAuthenticated: Bool
    ) -> BackupMemory.Finding {
        BackupMemory.Finding(
            date: date, problem: Self.text(of: problems),
            problemBesidesDistrust: Self.text(of: problemsBesidesDistrust), isWhole: isWhole,
            isAuthenticated: isAuthenticated, keys: keys, keptKeys: keptKeys,
            isSignerTrusted: isSignerTrusted)
    }

    private static func text(of problems: [Problem]) -> String? {
        let others = problems.count > 1 ? ", and \(problems.count - 1) more" : ""
        return problems.first.map { $0.message + others }
    }
}

/// The key with which a verification authenticates pages and manifests.
public enum BackupVerificationKey: Sendable {
    /// The database key; the verification key is derived from it for each salt.
    case database(CipherKey)
    /// Database keys, such as those of a `KeyStore`: each backup is authenticated with its own key.
    case databases([CipherKey])
    /// The 32 bytes of a verification key, which can authenticate but not decrypt.
    case verification(Data)
    /// Several of them: each backup is authenticated with its own.
    case verifications([Data])
}

extension BackupRepository {
    /// Verifies the content of the repository: without a key by hashes, with a key also by HMACs.
    ///
    /// Without a key, it compares files with hashes: pages with those in trees and tables, trees
    /// and manifests with the chain of hashes that ends in the head, and the head with its
    /// signature. This finds all accidental damage. It does not know who signed: an attacker can
    /// rewrite pages, trees, manifests and head, and sign with another key.
    ///
    /// With a public key, it also finds that: the head must be signed by that key, by one that it
    /// has introduced, or by one that has introduced it. Someone who could write the database wrote
    /// every page that such a repository lists.
    ///
    /// With the key, it authenticates manifests and pages, and the head must be signed by that key,
    /// or by a key that belongs to it. It finds everything that was written without the key.
    ///
    /// If the whole repository was put back to an older state, only ``memory`` shows that, or a
    /// hash that you noted elsewhere: ``VerificationReport/hash``, with
    /// ``VerificationReport/chainContains(hash:)`` of a later report.
    ///
    /// It records damage in ``memory``, and ``status()`` reports it until a verification that would
    /// find the same damage succeeds.
    ///
    /// - Parameters:
    ///   - key: The key of the backups, or a key that authenticates them.
    ///   - authority: A public key of 64 hexadecimal digits that you trust, such as
    ///     ``VerificationReport/signer`` of an earlier report.
    ///   - sample: The part of the pages to read, chosen at random; trees and tables are always
    ///     read.
    ///   - threads: How many threads to use; by default one for each processor, up to 4.
    ///   - progress: Called during the work. If it throws an error, the work stops.
    /// - Returns: What was found, also if the repository is damaged.
    /// - Throws: ``BackupError`` if the repository cannot be read, or what `progress` throws.
    ///   Damage does not throw: it is in the report.
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
                            at: WrittenTime.text(of: now()), isWhole: sample == 1,
                            isAuthenticated: key != nil))
                    return report
                }
            }
        }
    }

    /// Has the status report what a caller has found after a verification, until another one succeeds.
    package func remember(damage: String) throws {
        try opened { repository in
            _ = try repository.readHead()
            repository.remember(damage: damage)
        }
    }

    /// The key that authenticates the backups of a database key, but cannot decrypt them.
    ///
    /// - Parameters:
    ///   - key: The key of the backup.
    ///   - name: One of the backups; by default the last one.
    /// - Throws: ``BackupError``: `.unknownBackup`, `.wrongKey`, or `.damaged`.
    public func verificationKey(of key: CipherKey, for name: String? = nil) throws -> Data {
        try opened { repository in
            let backup = try repository.backup(name, in: repository.readKept(repository.readHead()))
            return try repository.authentic(backup, with: key).key.verificationKey()
                .withUnsafeBytes { Data($0) }
        }
    }
}
