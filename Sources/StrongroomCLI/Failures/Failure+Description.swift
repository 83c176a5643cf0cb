import LibC
import StrongroomBackup
import StrongroomCore
import StrongroomEssentials
import StrongroomKeyrings
import StrongroomSync

extension Failure {
    /// What any error means to the person and to the shell. The one place where that is decided.
    init(describing error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as DatabaseFileError: self.init(error)
        case let error as BackupError: self.init(error)
        case let error as KeyringError: self.init(error)
        case let error as DatabaseError: self.init(error)
        case let error as CipherKeyError:
            self.init(
                error.code == .inUse ? .inUse : .failed, error.message, hint: error.hint)
        case let error as SyncError: self.init(error)
        case let error as HubError:
            self.init(
                error.code == .notFound ? .notFound : .failed, error.message, hint: error.hint)
        case let error as SyncSchemaError:
            self.init(
                .failed, "not all tables can be shared:\n" + error.description,
                hint: "change the tables, or name those that can be shared with --tables")
        case let error as SystemError: self.init(.failed, error.description)
        case let error as CocoaError: self.init(.failed, Self.text(of: error))
        default: self.init(.failed, String(describing: error))
        }
    }

    /// Foundation's own description is made for programmers.
    private static func text(of error: CocoaError) -> String {
        let reason =
            (error.underlying as? POSIXError).map { String(cString: strerror($0.code.rawValue)) }
            ?? "error \(error.code.rawValue)"
        return (error.filePath ?? error.url?.path).map { "\($0): \(reason)" } ?? reason
    }

    private static let memoryHint = "end other programs, or raise the memory limit (ulimit -v)"

    private init(_ error: DatabaseFileError) {
        if (error.underlying as? DatabaseError)?.resultCode == .SQLITE_NOMEM {
            self.init(.failed, error.message, hint: Self.memoryHint)
            return
        }
        let step = error.step as? DatabaseFileStep
        self.init(error.code, error.path, error.message, hint: step?.hint ?? error.hint)
        // It is not in use by a program that could be waited for, and no option overwrites it.
        switch step {
        case .emptyLog, .moveLogAway, .keepLog: hint = step?.hint
        default: break
        }
    }

    private init(_ error: SyncError) {
        let exitCode: ExitCode =
            switch error.code {
            case .inUse: .inUse
            case .rosterFork, .policyMismatch, .refusedObject: .syncFinding
            case .notMember, .ticketUsed: .notMember
            case .damagedStore: .damaged
            default: .failed
            }
        self.init(exitCode, error.message, hint: error.hint)
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
        let step = error.step as? BackupStep
        self.init(exitCode, error.message, hint: step?.hint ?? error.hint)
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
            case .foreignLog: .foreignLog
            case .notADatabase, .plaintext, .notAFile, .keyRequired: .notADatabase
            default: .failed
            }
        // What the library says to a program is nothing to type.
        let isCall = hint.map { $0.contains("(to:") || $0.contains("DatabaseFile.") } ?? false
        let other = isCall ? Self.hintInPlaceOfCall(code, ShellWord.text(path)) : hint
        self.init(exitCode, message, hint: Self.hint(for: code, path) ?? other)
    }

    /// What to type, where the library can only say what to call.
    private static func hint(for code: DatabaseFileError.Code, _ path: String) -> String? {
        let file = ShellWord.text(path)
        return switch code {
        case .notFound: missingHint(path)
        case .notAFile: "name a database file"
        case .inUse: "wait for the program that uses it, or end it, and try again"
        case .keyRequired: "if it is already encrypted, strongroom copy \(file) OUT copies it"
        case .damaged:
            plaintextHint(path) ?? "strongroom doctor \(file) --key-file KEY shows what is damaged"
        case .plaintext:
            plaintextHint(path) ?? "strongroom encrypt \(file) OUT writes an encrypted copy"
        case .foreignLog: "strongroom doctor \(file) --key-file KEY checks both files"
        case .exists: "give another name, or --force to replace it"
        case .sameFile:
            "give OUT another name; strongroom rotate-key changes the key of an existing file"
        case .sameKey: "give another key, for example with --new-key-file PATH"
        default: nil
        }
    }

    private static func hintInPlaceOfCall(
        _ code: DatabaseFileError.Code, _ file: String
    ) -> String {
        code == .readOnly
            ? "strongroom copy \(file) OUT writes a copy elsewhere"
            : "check the disk; strongroom doctor \(file) --key-file KEY checks the file"
    }

    /// A database that is not encrypted and damaged is nothing to encrypt, nor to check.
    private static func plaintextHint(_ path: String) -> String? {
        guard let verdict = try? DatabaseFile(path: path).verdict(),
            verdict.kind == .damagedPlaintext || verdict.isCutPlaintext
        else { return nil }
        let file = ShellWord.text(path)
        return "it is not encrypted, and damaged: look for a backup, or recover what is left: "
            + "sqlite3 \(file) .recover"
    }

    private static func missingHint(_ path: String) -> String {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) }
        if let folder, !folder.isEmpty, access(folder.systemPath, F_OK) != 0 {
            return "there is no folder \(ShellWord.text(folder)): check the path"
        }
        return "check the path; strongroom encrypt IN OUT creates an encrypted database"
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
                hint: "strongroom doctor FILE --key-file KEY shows what is damaged")
        case .SQLITE_NOTADB: self.init(.wrongKey, message)
        case .SQLITE_CANTOPEN where error.extendedResultCode == .SQLITE_CANTOPEN_DIRTYWAL:
            self.init(
                .foreignLog, message,
                hint: "strongroom doctor FILE --key-file KEY checks both files")
        case .SQLITE_FULL:
            self.init(.failed, "the disk is full", hint: "free space; nothing was changed")
        case .SQLITE_NOMEM: self.init(.failed, message, hint: Self.memoryHint)
        case .SQLITE_READONLY:
            self.init(.failed, message, hint: "add --write if the statement is meant to write")
        default: self.init(.failed, message)
        }
    }
}
