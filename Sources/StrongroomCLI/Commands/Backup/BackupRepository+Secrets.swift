import StrongroomBackup
import StrongroomCore
import StrongroomKeyrings

extension BackupRepository {
    /// Runs a closure, and says of a wrong key that a stored keyring is damaged, missing or cannot be read, which the
    /// secret may open; or that it opens no stored keyring.
    func explainingWrongKey<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as BackupError where error.code == .wrongKey {
            let problems = try readingKeyrings { try keyringProblems() }
            if let problem = problems.first(where: { $0.code != .damaged }) {
                throw unreadable(problem)
            }
            guard let problem = problems.first else { throw withKeyrings(error) }
            throw Failure(
                .wrongKey, path, "\(error.message); but \(problem.message)",
                hint:
                    "if that is the keyring which the secret opens, fetch it from another copy of the repository "
                    + "(strongroom backup repair)")
        }
    }

    /// Runs a closure that reads stored keyrings, and says where only these cannot be read.
    func readingKeyrings<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as BackupError
            where error.code == .failed && (try? readableBackups()) != nil
        {
            throw unreadable(error)
        }
    }

    /// No wrong key: it was not tried.
    private func unreadable(_ error: BackupError) -> Failure {
        Failure(
            .failed, "a keyring that is stored in \(path) cannot be read: \(error.message)",
            hint:
                "a secret that you gave may open it: check the disk, or fetch the keyring from another copy of "
                + "the repository (strongroom backup repair)")
    }

    /// A stored keyring opens with the secrets that it had when it was stored.
    private func withKeyrings(_ error: BackupError) -> any Error {
        guard (try? keyrings().isEmpty) == false else { return error }
        return Failure(
            .wrongKey, path,
            "\(error.message); nor does it open a keyring that is stored in \(path)",
            hint:
                "a passphrase that was changed opens no keyring that was stored before: give the one of that time, "
                + "or another secret of the last stored keyring (strongroom backup keyrings "
                + "\(ShellWord.text(path))); or "
                + (Failure(describing: error).hint ?? "the key that the database had then"))
    }

    /// What secrets give by the keyrings that are stored here, and those secrets that open none, as keys.
    ///
    /// - Throws: `BackupError`, for a keyring that a secret opens and nothing vouches for.
    func keys(by secrets: [CipherKey]) throws -> [CipherKey] {
        try secrets.flatMap { secret in
            let unlocker = Unlocker.parsing(secret)
            var keys: [CipherKey] = []
            do {
                keys = try self.keys(unlockingWith: unlocker)
            } catch let error as BackupError where error.step as? BackupStep == .vouch {
                throw error
            } catch {
                // What else is wrong with a keyring is for the command itself to report.
            }
            return keys.isEmpty ? [secret] : keys + unlocker.formerKey
        }
    }

    /// An introducer may also be a secret of a keyring that is stored here.
    func authority(_ given: BackupAuthority) throws -> BackupAuthority {
        let secrets: [CipherKey]
        switch given {
        case .introduced(let key): secrets = [key]
        case .introducedByOneOf(let keys): secrets = keys
        default: return given
        }
        let keys = try keys(by: secrets)
        return keys.count == 1 ? .introduced(by: keys[0]) : .introducedByOneOf(keys)
    }
}
