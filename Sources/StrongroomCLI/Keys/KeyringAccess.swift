import StrongroomCore
import StrongroomKeyrings

/// What the `key` commands take: a database with a keyring, and a secret that opens it.
struct KeyringAccess {
    let path: String
    private let source: KeySource
    private let audit: AuditLog?

    init(_ arguments: ParsedArguments) throws(Failure) {
        path = arguments.operands[0]
        source = try KeyOptions.ofKeyring.source(in: arguments)
        audit = AuditLog(arguments)
    }

    /// Calls a closure, and notes in the log of `--audit` that it did something.
    func noting(
        _ what: String, slot: String? = nil, isBegun: Bool = false, _ body: () throws -> Void
    ) throws {
        try audit.noting(what, path, slot: slot, isBegun: isBegun, body)
    }

    /// Reads the keyring before a secret is asked for.
    ///
    /// - Parameter needsDatabase: Whether it is of no use without the database.
    func open(
        _ context: CommandContext, needsDatabase: Bool = false
    ) throws -> (keyring: Keyring, unlocker: Unlocker) {
        let keyring = try Keyring(of: path)
        do {
            try DatabasePrecheck.encrypted(path)
        } catch let error as DatabaseFileError
            where needsDatabase || [.notFound, .notADatabase].contains(error.code)
        {
            guard !needsDatabase else { throw error }
            let failure = Failure(describing: error)
            context.warn(failure.message + ", though it has a keyring", hint: failure.hint)
        }
        let reader = KeyReader(context: context)
        let unlocker = try reader.unlocker(from: source, for: .opening(path: path))
        // Where all have vouched, another derivation would tell nothing.
        if keyring.slots.contains(where: { !$0.hasVouch }) {
            reader.warnIfNotVouched(try keyring.unlocked(with: unlocker), keyring)
        }
        return (keyring, unlocker)
    }
}

extension Keyring.Slot {
    /// A new slot, or one that is gone, as lines for people name it.
    var title: String { "“\(name)” (\(kind.title))" }
}

extension SlotKind {
    /// What people call it.
    var title: String {
        switch self {
        case .passphrase: "passphrase"
        case .keyFile: "key file"
        case .recovery: "recovery code"
        case .command: "command"
        case .recipient: "age identity"
        }
    }
}
