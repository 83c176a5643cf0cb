public import Foundation
public import Strongroom

/// What a verification authenticates pages and manifests with.
public enum BackupVerificationKey: Sendable {
    /// The database key; the verification key is derived from it for each salt.
    case database(CipherKey)
    /// The 32 bytes of a verification key, which authenticates and cannot decrypt.
    case verification(Data)
}

extension BackupRepository {
    /// Reads what is stored, and verifies it: without a key by hashes, with it by HMACs too.
    ///
    /// Without a key it compares files with hashes: pages with those in trees and tables, trees and
    /// manifests with the chain of hashes that ends in the head. That finds every accident. It does
    /// not find an attacker who writes pages, trees, manifests and head anew: no key is needed to
    /// make hashes.
    ///
    /// With the key, manifests and pages are authenticated. It finds whatever was written without
    /// the key. It does not find that the whole repository was put back to an older state of itself:
    /// note ``VerificationReport/hash``, and ask a later report for it
    /// (``VerificationReport/chainContains(hash:)``).
    ///
    /// - Parameters:
    ///   - key: The key of the backups, or what authenticates them.
    ///   - sample: Which part of the pages is read, by chance; trees and tables always are.
    /// - Returns: What was found, also if the repository is damaged.
    public func verify(
        key: BackupVerificationKey? = nil, sample: Double = 1, threads: Int? = nil,
        progress: OperationProgress.Handler? = nil
    ) throws -> VerificationReport {
        try LongOperation.run(progress) { operation in
            try opened { repository in
                try repository.withReaderLock(operation) {
                    let verification = Verification(
                        repository, operation, sample: sample, threads: threads ?? ThreadCount.usual
                    )
                    return try verification.run(key)
                }
            }
        }
    }

    /// The key that authenticates the backups of a database key, and decrypts none of them.
    ///
    /// - Parameter name: One of the backups; by default the last one.
    public func verificationKey(of key: CipherKey, for name: String? = nil) throws -> Data {
        try opened { repository in
            let backup = try repository.backup(name, in: repository.keptBackups())
            return try repository.authentic(backup, with: key).key.verificationKey()
                .withUnsafeBytes { Data($0) }
        }
    }
}
