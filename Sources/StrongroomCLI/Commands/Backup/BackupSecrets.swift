import StrongroomBackup
import StrongroomCore
import StrongroomKeyrings

/// What a command line gives for the backups of a repository: keys, secrets of keyrings that are stored there, or a
/// command that opens these.
struct BackupSecrets: Sendable {
    private let keys: [CipherKey]
    private let command: Unlocker?

    /// - Parameter path: The repository, or the folder of repositories.
    init(_ source: KeySource, for path: String, _ reader: KeyReader) throws(Failure) {
        let role = KeyReader.Role.opening(path: path)
        if case .unlockCommand = source {
            command = try reader.unlocker(from: source, for: role)
            keys = []
        } else {
            command = nil
            keys = try reader.keys(from: source, for: role)
        }
    }

    /// What there is to say of keyrings in a repository that others may have encrypted to them; nil for nothing.
    func doubt(in repository: BackupRepository) throws -> String? {
        for unlocker in command.map({ [$0] }) ?? keys.map({ Unlocker.parsing($0) }) {
            if let doubt = try repository.doubt(unlockingWith: unlocker) { return doubt }
        }
        return nil
    }

    /// The keys that they give for the backups of a repository.
    func keys(in repository: BackupRepository) throws -> [CipherKey] {
        guard let command else { return try repository.keys(by: keys) }
        let found = try repository.keys(unlockingWith: command)
        guard !found.isEmpty else {
            throw Failure(
                .wrongKey,
                "what the unlock command prints opens no keyring that is stored in \(repository.path)",
                hint: "strongroom backup keyrings \(ShellWord.text(repository.path)) lists them")
        }
        return found
    }
}
