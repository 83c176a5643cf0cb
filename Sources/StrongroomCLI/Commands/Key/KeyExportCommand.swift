import StrongroomCore
import StrongroomKeyrings

/// `strongroom key export FILE`
struct KeyExportCommand: Command {
    private static let out = Option.value(
        "out", "PATH", completion: .file, help: "write it to a new file that only you can read")
    private static let show = Option.flag("show", help: "print it to standard output")

    static let syntax = CommandSyntax(
        "key export", summary: "write the database's own key, which needs no keyring",
        operands: [.database], options: [out, show], groups: [KeyOptions.ofKeyring.group],
        notes: [
            "The key opens the database with --no-keyring, and in the sqlcipher shell, until the "
                + "next rotation. Removing slots does not take it back."
        ],
        examples: [
            .init(
                line: "strongroom key export shop.db --out shop.key",
                meaning: "keep a copy of the key for a disaster")
        ])

    private let access: KeyringAccess
    private let output: String?

    init(_ arguments: ParsedArguments) throws(Failure) {
        access = try KeyringAccess(arguments)
        output = arguments.value(Self.out)
        guard (output == nil) == arguments.contains(Self.show) else {
            throw .usage("key export needs either --out PATH or --show")
        }
    }

    func run(in context: CommandContext) throws {
        try access.noting("export") { try work(in: context) }
    }

    private func work(in context: CommandContext) throws {
        let (keyring, unlocker) = try access.open(context)
        let key = try keyring.unlocked(with: unlocker).key
        if let output {
            try key.write(toNewFile: output)
            return try context.writeDone("the key of \(access.path) is in \(output)")
        }
        try key.withSQLCipherBytes { text in
            try context.output.append { $0 += Array(text) + Array("\n".utf8) }
        }
    }
}

/// `strongroom key identity FILE`
struct KeyIdentityCommand: Command {
    private static let new = Option.flag(
        "new", help: "create an identity instead, and print it and its recipient")

    static let syntax = CommandSyntax(
        "key identity", summary: "print the age identity of the slot that a secret opens",
        operands: [Operand("FILE", isOptional: true, help: "the encrypted database")],
        options: [new], groups: [KeyOptions.ofKeyring.group],
        notes: [
            "Stock age decrypts the keyring's copy of the key with it. It is as secret as the "
                + "secret of the slot, and opens the same slot.",
            "With --new, no database is needed: keep the output in a file that only you can read "
                + "(umask 077), and hand out the recipient, for key add --recipient.",
        ],
        examples: [
            .init(
                line: "strongroom key identity --new > ops.txt",
                meaning: "an identity, as age-keygen creates it")
        ])

    /// Nil for a new identity.
    private let access: KeyringAccess?

    init(_ arguments: ParsedArguments) throws(Failure) {
        let isNew = arguments.contains(Self.new)
        guard isNew == arguments.operands.isEmpty else {
            throw .usage("key identity needs either FILE or --new")
        }
        access = try isNew ? nil : KeyringAccess(arguments)
    }

    func run(in context: CommandContext) throws {
        guard let access else {
            return try Keyring.withNewIdentity { identity, recipient in
                try context.output.writeLine("# public key: \(recipient)")
                try Self.write(identity, context)
            }
        }
        try access.noting("identity") {
            let (keyring, unlocker) = try access.open(context)
            try Self.write(try keyring.identity(openedBy: unlocker), context)
        }
    }

    private static func write(
        _ identity: borrowing SecretBytes, _ context: CommandContext
    ) throws {
        try identity.withUnsafeBytes { text in
            try context.output.append { $0 += Array(text) + Array("\n".utf8) }
        }
    }
}
