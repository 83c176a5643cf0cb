import StrongroomBackup
import StrongroomCore
import StrongroomKeyrings

extension BackupRepository {
    /// Runs a closure, and says where it fails with a wrong key that a stored keyring is damaged or missing: the secret may
    /// open that one.
    func explainingWrongKey<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as BackupError where error.code == .wrongKey {
            guard let problem = try? keyringProblems().first else { throw error }
            throw Failure(
                .wrongKey, path, "\(error.message); but \(problem.message)",
                hint:
                    "if that is the keyring which the secret opens, fetch it from another copy of the repository "
                    + "(strongroom backup repair)")
        }
    }

    /// What secrets give by the keyrings that are stored here, and those secrets that open none, as keys.
    func keys(by secrets: [CipherKey]) -> [CipherKey] {
        secrets.flatMap { secret in
            // What is wrong with a keyring is for the command itself to report.
            let unlocker = Unlocker.parsing(secret)
            let keys = (try? keys(unlockingWith: unlocker)) ?? []
            return keys.isEmpty ? [secret] : keys + unlocker.formerKey
        }
    }

    /// An introducer may also be a secret of a keyring that is stored here.
    func authority(_ given: BackupAuthority) -> BackupAuthority {
        let secrets: [CipherKey]
        switch given {
        case .introduced(let key): secrets = [key]
        case .introducedByOneOf(let keys): secrets = keys
        default: return given
        }
        let keys = keys(by: secrets)
        return keys.count == 1 ? .introduced(by: keys[0]) : .introducedByOneOf(keys)
    }
}
