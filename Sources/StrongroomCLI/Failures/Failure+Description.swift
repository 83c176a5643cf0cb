import Strongroom
import StrongroomBackup

extension Failure {
    /// What any error means to the person and to the shell. The one place where that is decided.
    init(describing error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as DatabaseFileError: self.init(error)
        case let error as BackupError: self.init(error)
        case let error as DatabaseError: self.init(error)
        case let error as CipherKeyError:
            self.init(.failed, error.message, hint: error.hint)
        case let error as SystemError: self.init(.failed, error.description)
        default: self.init(.failed, String(describing: error))
        }
    }

    private init(_ error: DatabaseFileError) {
        self.init(error.code, error.path, error.message, hint: error.hint)
    }

    private init(_ error: BackupError) {
        let exitCode: ExitCode =
            switch error.code {
            case .notARepository, .unknownBackup: .notFound
            case .inUse: .inUse
            case .wrongKey: .wrongKey
            case .damaged, .rolledBack: .damaged
            case .keyNeeded: .keyNeeded
            default: .failed
            }
        self.init(exitCode, error.message, hint: error.hint)
    }

    /// What is wrong with the file at `path`; `hint` serves where there is nothing better to type.
    init(
        _ code: DatabaseFileError.Code, _ path: String, _ message: String, hint: String? = nil
    ) {
        let exitCode: ExitCode =
            switch code {
            case .notFound: .notFound
            case .inUse: .inUse
            case .wrongKey: .wrongKey
            case .damaged: .damaged
            case .notADatabase, .plaintext, .notAFile, .keyRequired: .notADatabase
            default: .failed
            }
        self.init(exitCode, message, hint: Self.hint(for: code, path) ?? hint)
    }

    /// What to type, where the library can only say what to call.
    private static func hint(for code: DatabaseFileError.Code, _ path: String) -> String? {
        let file = ShellWord.text(path)
        return switch code {
        case .notFound: "check the path; strongroom encrypt IN OUT makes an encrypted database"
        case .notAFile: "name a database file"
        case .inUse: "wait for the program that uses it, or end it, and try again"
        case .keyRequired: "if it is encrypted already, strongroom copy \(file) OUT copies it"
        case .damaged: "strongroom check \(file) tells what is damaged"
        case .plaintext: "strongroom encrypt \(file) OUT makes an encrypted copy"
        case .exists: "give another name, or --force to replace it"
        case .sameFile: "give OUT another name; strongroom rotate-key changes a key in place"
        case .sameKey: "give another key with --new-key-file PATH or its like"
        default: nil
        }
    }

    private init(_ error: DatabaseError) {
        let message = error.message ?? "SQLite reports error \(error.extendedResultCode.rawValue)"
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(
                .inUse, "the database is in use by another program",
                hint: "wait for that program, or end it, and try again")
        case .SQLITE_CORRUPT:
            self.init(
                .damaged, "the database is damaged: \(message)",
                hint: "strongroom check FILE tells what is damaged")
        case .SQLITE_NOTADB: self.init(.wrongKey, message)
        case .SQLITE_FULL:
            self.init(.failed, "the disk is full", hint: "make room; nothing was changed")
        case .SQLITE_READONLY:
            self.init(.failed, message, hint: "add --write if the statement is meant to write")
        default: self.init(.failed, message)
        }
    }
}
