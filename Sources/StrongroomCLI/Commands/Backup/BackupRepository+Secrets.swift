import StrongroomBackup
import StrongroomCore
import StrongroomKeyrings

extension BackupRepository {
    /// What secrets give by the keyrings that are stored here, and those secrets that open none, as keys.
    func keys(by secrets: [CipherKey]) -> [CipherKey] {
        secrets.flatMap { secret in
            // What is wrong with a keyring is for the command itself to report.
            let unlocker = Unlocker.parsing(secret)
            let keys = (try? keys(unlockingWith: unlocker)) ?? []
            return keys.isEmpty ? [secret] : keys + unlocker.formerKey
        }
    }
}
