import StrongroomBackup
import StrongroomCore
import StrongroomKeyrings

extension Failure {
    /// Why a keyring could not be read, opened or changed.
    init(_ error: KeyringError) {
        let exitCode: ExitCode =
            switch error.code {
            case .wrongKey: .wrongKey
            case .damaged: .damaged
            case .notFound: .notFound
            case .inUse: .inUse
            case .foreign: .foreignKeyring
            case .outdated: .outdatedFile
            default: .failed
            }
        let fileHint = (error.step as? DatabaseFileStep)?.hint
        let hint = fileHint ?? (error.step as? BackupStep)?.hint ?? error.hint
        self.init(exitCode, error.message, hint: hint)
    }
}
