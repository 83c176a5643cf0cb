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
    /// Without a key, every change of a file is found: of the packs by the hashes that trees and
    /// tables have of each page, of trees and manifests by the chain of hashes that ends in the
    /// head. Only who could write all of that anew would not be found; with the key, he is.
    ///
    /// - Parameters:
    ///   - key: The key of the backups, or what authenticates them.
    ///   - sample: Which part of the pages is read, by chance; trees and tables always are.
    /// - Returns: What was found, also if the repository is damaged.
    public func verify(
        key: BackupVerificationKey? = nil, sample: Double = 1, threads: Int? = nil,
        progress: BackupProgress.Handler? = nil
    ) throws -> VerificationReport {
        try Work.run(progress) { work in
            try explaining {
                try withReaderLock(work) {
                    let verification = Verification(
                        self, work, sample: sample, threads: threads ?? Self.usualThreadCount)
                    return try verification.run(key)
                }
            }
        }
    }

    /// The key that authenticates the backups of a database key, and decrypts none of them.
    ///
    /// - Parameter name: One of the backups; by default the last one.
    public func verificationKey(of key: CipherKey, for name: String? = nil) throws -> Data {
        try explaining {
            let backup = try backup(name, in: kept(readHead()))
            return try pageKey(key, of: backup).verificationKey().withUnsafeBytes { Data($0) }
        }
    }
}
